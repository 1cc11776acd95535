// Which messages a request carries. The seam for trimming; for now a conversation is always sent whole.
import type { Message } from "../protocol/message.ts";

/** Gives the part of the conversation to send; the loop and the repeat guard both go by what it returns. */
export type Window = (conversation: readonly Message[]) => readonly Message[];

export const wholeConversation: Window = (conversation) => conversation;
