// Loads the terminal UI only where a terminal is used: it would double the start of everything else.

export function loadTerminalUi(): Promise<typeof import("./interactive.ts")> {
  return import("./interactive.ts");
}
