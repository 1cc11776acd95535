// A page's bytes as readable text: its charset, and for HTML the article without what nobody sees (TH95). Used by fetch.ts; the
// packages that read HTML are loaded only then.
import { ok, type Result, refuse } from "../protocol/refusal.ts";

/** Pages with more elements, or deeper nesting, are only stripped of their tags: a reader would take too long. */
const maxElements = 20_000;
const maxDepth = 250;

const hidden = [
  ...["script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "form", "dialog"],
  ...["[hidden]", "[aria-hidden=true]", '[type="hidden"]'],
].join(",");
const hiddenStyle =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0*)?(?:\s*[;!]|$)|font-size\s*:\s*0|(?:width|height)\s*:\s*[01]px|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{3,}|clip\s*:\s*rect\(0|color\s*:\s*(?:transparent|rgba\([^)]*,\s*0\))/i;
const whiteOnWhite = /(?:^|[;\s])color\s*:\s*(?:#fff(?:fff)?\b|white\b)/i;

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
    return refuse("error", `The page's character set is not known: ${named}.`);
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
    // The reader gives up on some pages; their text is still there.
    if (error instanceof RangeError || error instanceof TypeError) return stripped(text);
    throw error;
  }
}

async function articleText(html: string, url: URL): Promise<string> {
  const [{ parseHTML }, { Readability }, { default: Turndown }] = await Promise.all([
    import("linkedom"),
    import("@mozilla/readability"),
    import("turndown"),
  ]);
  const { document } = parseHTML(html);
  for (const element of document.querySelectorAll(hidden)) element.remove();
  for (const element of document.querySelectorAll("[style]")) {
    const style = element.getAttribute("style") ?? "";
    if (hiddenStyle.test(style) || whiteOnWhite.test(style)) element.remove();
  }
  for (const element of document.querySelectorAll("font[color]")) {
    if (/^#?fff(?:fff)?$|^white$/i.test(element.getAttribute("color") ?? "")) element.remove();
  }
  for (const link of document.querySelectorAll("a[href]")) {
    const href = absolute(link.getAttribute("href") ?? "", url);
    if (href === null) link.removeAttribute("href");
    else link.setAttribute("href", href);
  }
  for (const image of document.querySelectorAll("img,picture,video,audio")) image.remove();
  const title = document.querySelector("title")?.textContent?.trim() ?? "";
  const whole = document.body?.innerHTML ?? "";
  const article = new Readability(document, { charThreshold: 200 }).parse();
  const markdown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" }).turndown(
    article?.content || whole,
  );
  return [title, markdown.trim()].filter((part) => part !== "").join("\n\n");
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
    if (/^(?:br|hr|img|input|link|meta|p|li|td|tr|source|wbr)$/i.test(name)) continue;
    depth += closing === "" ? 1 : -1;
    elements++;
    if (elements > maxElements || depth > maxDepth) return true;
  }
  return false;
}

/** The text between the tags, without comments, scripts and styles; in one pass. */
function stripped(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf("<", at);
    parts.push(html.slice(at, tag < 0 ? undefined : tag));
    if (tag < 0) break;
    at = endOf(html, tag);
    parts.push(" ");
  }
  return parts
    .join("")
    .replace(/[ \t]{2,}/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}

function endOf(html: string, tag: number): number {
  const skip = /^<(script|style|template|noscript)\b/i.exec(html.slice(tag, tag + 12))?.[1];
  const end = html.startsWith("<!--", tag) ? "-->" : skip === undefined ? ">" : `</${skip.toLowerCase()}`;
  const found = html.indexOf(end, tag + 1);
  if (found < 0) return html.length;
  return skip === undefined ? found + end.length : Math.max(found, html.indexOf(">", found)) + 1;
}
