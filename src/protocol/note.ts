// MiniCode's own words within the conversation, under one fixed marker so that nobody mistakes them for the user's (design §2).

const MARKER = "[MiniCode]";

export function note(text: string): string {
  return `${MARKER} ${text}`;
}
