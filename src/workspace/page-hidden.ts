// What of a page nobody sees (TH95), by its elements, attributes and own styles. Pure; used by page-text.ts.

/** Elements that hold nothing to read, or that the page itself hides. */
export const hiddenElements = [
  ...["script", "style", "noscript", "template", "iframe", "object", "svg", "canvas", "dialog"],
  ...["input", "select", "textarea", "button", "[hidden]", "[aria-hidden=true]"],
].join(",");

const white = /^(?:#fff(?:f|fff|fffff)?|white|rgba?\(\s*255[\s,]+255[\s,]+255\b.*)$/;
const seeThrough = /^(?:transparent|#...0|#......00|rgba\([^)]*,\s*0(?:\.0*)?%?\s*\))$/;
/** Nothing, or one pixel, in any unit. */
const noSize = /^(?:0(?:\.0*)?[a-z%]*|1px)$/;
const farOff = /^-\d{3,}/;

/** Whether text in an element with this `style` attribute is not to be seen. White counts unless a background is named. */
export function isHiddenStyle(style: string): boolean {
  const { color = "", ...own } = declarations(style);
  const background = own["background-color"] ?? own["background"];
  return (
    own["display"] === "none" ||
    /^(?:hidden|collapse)$/.test(own["visibility"] ?? "") ||
    /^0(?:\.0*)?%?$/.test(own["opacity"] ?? "") ||
    /^0(?:\.0*)?[a-z%]*$/.test(own["font-size"] ?? "") ||
    noSize.test(own["width"] ?? "") ||
    noSize.test(own["height"] ?? "") ||
    ["text-indent", "left", "top"].some((name) => farOff.test(own[name] ?? "")) ||
    /^rect\(\s*[01](?:px)?[\s,]/.test(own["clip"] ?? "") ||
    seeThrough.test(color) ||
    (isWhite(color) && (background === undefined || isWhite(background)))
  );
}

/** Whether a colour is the one that pages mostly have behind their text. */
export function isWhite(color: string): boolean {
  return white.test(color.trim().toLowerCase());
}

/** The properties of a style attribute, in lower case; of one that is given twice the last, as browsers take it. */
function declarations(style: string): Record<string, string> {
  const pairs = style
    .slice(0, maxStyle)
    .toLowerCase()
    .replace(/\/\*.*?\*\//gs, "")
    .split(";")
    .map((one) => {
      const [name = "", ...value] = one.split(":");
      return [name.trim(), value.join(":").replace("!important", "").trim()] as const;
    });
  return Object.fromEntries(pairs);
}

/** Longest style that is looked at, in characters. */
const maxStyle = 2_000;
