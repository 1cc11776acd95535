// What keys mean before the composer sees them: interrupt and quit, the inspector, panels and overlays. Used by start.ts.
import { type KeyId, matchesKey } from "@mariozechner/pi-tui";
import type { Messages } from "../i18n/messages.ts";
import type { Composer } from "./composer.ts";
import type { Controller, PagingKey } from "./controller.ts";
import type { LiveModel } from "./model.ts";
import type { Screen } from "./screen.ts";

const QUIT_AGAIN_MS = 2_000;

const pagingKeys: readonly (readonly [KeyId, PagingKey])[] = [
  ["pageUp", "page-up"],
  ["pageDown", "page-down"],
  ["up", "up"],
  ["down", "down"],
  ["tab", "tab"],
  ["enter", "enter"],
  ["escape", "escape"],
];

export interface KeyParts {
  model: LiveModel;
  composer: Composer;
  controller: Controller;
  messages: Messages;
  screen: Screen;
  quit(): void;
  cyclePermissions(): void;
}

/** True for a key that is taken here. */
export function keyHandler(parts: KeyParts): (data: string) => boolean {
  const { model, composer, controller, messages, screen, quit, cyclePermissions } = parts;
  let lastInterrupt = Number.NEGATIVE_INFINITY;
  const hint = (text: string): void => {
    model.hint = text;
    screen.requestRender();
  };
  const interrupt = (): void => {
    if (controller.interrupt()) return;
    const again = performance.now() - lastInterrupt < QUIT_AGAIN_MS;
    lastInterrupt = performance.now();
    if (again) quit();
    else hint(messages["tui.quit-again"]);
  };
  const queue = (): void => {
    const text = composer.take();
    if (text.trim() !== "") controller.queue(text);
  };
  return (data) => {
    if (model.hint !== "" && !matchesKey(data, "ctrl+c")) hint("");
    if (matchesKey(data, "ctrl+c")) interrupt();
    else if (matchesKey(data, "ctrl+d") && composer.text() === "" && !controller.busy()) quit();
    else if (matchesKey(data, "shift+tab")) cyclePermissions();
    else if (matchesKey(data, "ctrl+o")) controller.toggleOverlay("inspector");
    else if (model.overlay) {
      const key = data === "q" ? "escape" : pagingKey(data);
      if (key) controller.overlayKey(key);
    } else if (matchesKey(data, "alt+enter") && controller.busy()) queue();
    else {
      const key = pagingKey(data);
      if (key && (controller.atPanel() || controller.atQuestion())) return controller.panelKey(key);
      return key === "escape" && controller.interrupt();
    }
    return true;
  };
}

function pagingKey(data: string): PagingKey | undefined {
  return pagingKeys.find(([id]) => matchesKey(data, id))?.[1];
}
