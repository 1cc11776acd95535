// A page's bytes as readable text: its charset, and for HTML the article without what nobody sees (TH95). Used by fetch.ts; the
// packages that read HTML are loaded only then.
import { types } from "node:util";
import { runInNewContext } from "node:vm";
import { ok, type Result, refuse } from "../protocol/refusal.ts";
import { hiddenElements, isHiddenStyle, isWhite } from "./page-hidden.ts";

/** Pages with more elements, or deeper nesting, are only stripped of their tags: a reader would take too long. */
const maxElements = 20_000;
const maxDepth = 250;
/** Longest time that a page is read for, in milliseconds; then it is only stripped, too. */
const maxReadMs = 3_000;
/** Most text that stripping gives, in characters; far more than is shown. */
const maxStripped = 1_000_000;

/** Text by the charset that the header, the bytes or the page itself name; UTF-8 otherwise. */
export function decodePage(bytes: Buffer, type: string): Result<string> {
  const head = bytes.subarray(0, 2048).toString("latin1");
  const named =
    bomOf(bytes) ??
    /charset\s*=\s*["']?([\w-]+)/.exec(type)?.[1] ??
    (/html|xml/.test(type) ? /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] : undefined) ??
    "utf-8";
  try {
    return ok(new TextDecoder(named).decode(bytes));
  } catch {
    return refuse("error", `The page's character set is not known: ${named.slice(0, 40)}.`);
  }
}

function bomOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** HTML as Markdown of what a reader sees; every other text as it is. */
export async function pageText(text: string, type: string, url: URL): Promise<string> {
  if (!/html/.test(type)) return text;
  if (isMonstrous(text)) return stripped(text);
  try {
    return await articleText(text, url);
  } catch (error) {
    // The reader gives up on some pages, or takes too long; their text is still there.
    if (error instanceof RangeError || error instanceof TypeError || isTimeUp(error)) return stripped(text);
    throw error;
  }
}

async function articleText(html: string, url: URL): Promise<string> {
  const [{ parseHTML }, { Readability }, { default: Turndown }] = await Promise.all([
    import("linkedom"),
    import("@mozilla/readability"),
    import("turndown"),
  ]);
  const read = (): string => {
    const { document } = parseHTML(withBody(html));
    const title = document.querySelector("title")?.textContent?.trim() ?? "";
    for (const element of document.querySelectorAll(`title,${hiddenElements}`)) element.remove();
    for (const element of document.querySelectorAll("[style]")) {
      if (isHiddenStyle(element.getAttribute("style") ?? "")) element.remove();
    }
    for (const element of document.querySelectorAll("font[color]")) {
      if (isWhite(element.getAttribute("color") ?? "")) element.remove();
    }
    for (const link of document.querySelectorAll("a[href]")) {
      const href = absolute(link.getAttribute("href") ?? "", url);
      if (href === null) link.removeAttribute("href");
      else link.setAttribute("href", href);
    }
    for (const image of document.querySelectorAll("img,picture,video,audio")) image.remove();
    const whole = document.body?.innerHTML ?? "";
    const article = new Readability(document, { charThreshold: 200 }).parse();
    const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
    const markdown = turndown.turndown(article?.content || whole);
    return [title, markdown.trim()].filter((part) => part !== "").join("\n\n");
  };
  return withinTime(read);
}

/** The body's tags may be left away in HTML; the parser wants them. */
function withBody(html: string): string {
  if (/<body\b/i.test(html)) return html;
  return `<html><head></head><body>${html.replace(/<(?:\/?(?:html|head)\b|!doctype)[^>]{0,500}>/gi, "")}</body></html>`;
}

/**
 * Runs `work` and ends it when it takes too long: patterns and parsers can be made to. `node:vm` is here for its clock alone; nothing
 * of a page is ever code.
 */
function withinTime(work: () => string): string {
  let result = "";
  const run = (): void => {
    result = work();
  };
  runInNewContext("run()", { run }, { timeout: maxReadMs });
  return result;
}

function isTimeUp(error: unknown): boolean {
  // It comes from the other context, whose Error is not ours.
  return types.isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** Only places on the web are kept as links: a script or data in one is nothing to read. */
function absolute(href: string, base: URL): string | null {
  if (!URL.canParse(href, base.href)) return null;
  const target = new URL(href, base.href);
  return target.protocol === "http:" || target.protocol === "https:" ? target.href : null;
}

function isMonstrous(html: string): boolean {
  let elements = 0;
  let depth = 0;
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]{0,20})/g)) {
    if (closing === "") elements++;
    // These end by themselves.
    if (!/^(?:br|hr|img|input|link|meta|p|li|td|tr|source|wbr)$/i.test(name))
      depth = Math.max(0, depth + (closing === "" ? 1 : -1));
    if (elements > maxElements || depth > maxDepth) return true;
  }
  return false;
}

/** The text between the tags, without comments, scripts and styles; in one pass, up to a limit. */
function stripped(html: string): string {
  const parts: string[] = [];
  let size = 0;
  for (let at = 0; at < html.length && size < maxStripped; ) {
    const tag = html.indexOf("<", at);
    const text = html.slice(at, tag < 0 ? undefined : tag);
    parts.push(text, " ");
    size += text.length + 1;
    if (tag < 0) break;
    at = endOf(html, tag);
  }
  return parts
    .join("")
    .slice(0, maxStripped)
    .replace(/\s+/g, (blank) => (blank.includes("\n") ? "\n" : " "))
    .trim();
}

/** Where a tag, a comment, or a whole element that is not to be read ends. */
function endOf(html: string, tag: number): number {
  const skip = /^<(script|style|template|noscript)\b/i.exec(html.slice(tag, tag + 12))?.[1];
  const end = html.startsWith("<!--", tag)
    ? /-->/g
    : skip === undefined
      ? />/g
      : new RegExp(`</${skip}[^>]{0,500}>`, "gi");
  end.lastIndex = tag + 1;
  return end.exec(html) === null ? html.length : end.lastIndex;
}
