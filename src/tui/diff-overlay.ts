// /diff: every patch of this session that was applied, in order.
import type { Messages } from "../i18n/messages.ts";
import type { PatchContent } from "../protocol/proposal.ts";
import { patchPanel } from "../view/patch-panel.ts";
import type { Row } from "../view/row.ts";

export function diffOverlayRows(patches: readonly PatchContent[], messages: Messages): Row[] {
  return patches.flatMap((patch, i): Row[] => [...(i > 0 ? [[]] : []), ...patchPanel(patch, messages)]);
}
