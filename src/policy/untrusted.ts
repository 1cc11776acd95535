// Text that comes from files, programs and pages: framed as data for the model, and looked through for orders to agents, which
// are shown to the user and never obeyed by MiniCode itself (TH64, TH95). Pure; used by src/tools/ and src/agent/.

/** A line of foreign text that reads like an order to an agent. */
export interface Order {
  /** Counted from 1 within the text. */
  line: number;
  quote: string;
}

/** Longest text that is looked through, and longest quote; in characters. */
const maxText = 200_000;
const maxQuote = 120;
const maxOrders = 3;

/** Whoever is spoken to: an agent or a model, not a person. */
const agents =
  "(?:(?:ai|llm|coding|language) )?(?:agents?|assistants?|models?|copilots?|llms?|chatbots?|claude|gpt|minicode)";
const orders = [
  // Taking back what was said before.
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,30}\b(?:all |any |the |your |my )?(?:previous|prior|above|earlier|preceding|system|other|existing|original|safety)\b.{0,20}\b(?:instructions?|prompts?|rules?|messages?|guidelines?|directions?|context|constraints?|policies|policy)\b/i,
  /\bnew (?:system )?(?:instructions?|prompt)\s*:/i,
  // Speaking as somebody else, or to the model's role.
  /\byou are (?:now|no longer) (?:an? |the |in |my )?\w+/i,
  /\b(?:act|behave|pretend|respond) as (?:if you|though you|an? (?:unrestricted|jailbroken|different|admin|root|developer))\b/i,
  /<\/?(?:system|assistant|instructions?|im_start|im_end)\b[^>]{0,40}>|<\|(?:im_start|im_end|system|assistant)\|>|\[\/?INST\]/i,
  /^\W{0,12}(?:system|assistant|developer)\s*(?:message|prompt|note|override)?\s*:\s*\w+ \w+ \w+/i,
  // Orders addressed to agents by name.
  new RegExp(
    `\\b(?:attention|important|note|notice|dear|hey|hello|instructions?|message|for|to) (?:to |for )?(?:all |any |the )?${agents}\\b.{0,12}[:,!-]`,
    "i",
  ),
  new RegExp(
    `\\b(?:if|when) you(?:'re| are) (?:an? |the )?(?:ai|llm|${agents})\\b|\\b${agents} (?:must|should|shall|are required to|need to|has to|have to)\\b.{0,60}\\b(?:run|execute|curl|fetch|install|delete|remove|send|read|open|print|write|approve|output|upload|include|commit|push|add)\\b`,
    "i",
  ),
  // Secrecy towards the user.
  /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|show|showing|reveal|revealing|ask|asking|alert|alerting|notify|notifying|warn|warning)\b.{0,30}\b(?:the |this to the |your |to the )?(?:user|human|developer|operator|owner|anyone|him|them)\b/i,
  // Pressing for a command, or for what is secret.
  /\b(?:you (?:must|should|need to|have to|will)|please|now|first|immediately|always|just)\b.{0,30}\b(?:run|execute|invoke|paste)\b.{0,30}\b(?:this|the following|these|below|command|script|in (?:the |your )?(?:shell|terminal))\b/i,
  /\b(?:send|post|upload|exfiltrate|forward|leak|transmit|email)\b.{0,60}\b(?:api[ _-]?keys?|tokens?|secrets?|passwords?|credentials?|env(?:ironment)? (?:file|variables?)|\.env|ssh keys?|private keys?)\b/i,
  /\b(?:read|print|cat|open|show|output|include|dump)\b.{0,30}(?:\.env\b|id_rsa|\.ssh\/|\.aws\/|\/etc\/(?:passwd|shadow)).{0,60}\b(?:and|then|to)\b/i,
  // A download that is run at once, and text that is decoded into a shell.
  /\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z|da|fi)?sh\b/i,
  /\bbase64\s+(?:-d|-D|--decode)\b[^\n|]{0,80}\|\s*(?:sudo )?(?:ba|z|da)?sh\b/i,
  // Words of our own gates, drawn into foreign text.
  /\b(?:[Tt]ype|[Ss]ay|[Aa]nswer|[Ee]nter|[Rr]eply(?: with)?)\s+["'`]?(?:APPLY|RUN|CONTINUE)\b/,
  /\[MiniCode\]/,
];

/**
 * The first lines that read like orders to an agent. A warning and no more: the words are common enough in honest text, and
 * an attacker can find others.
 */
export function ordersIn(text: string): Order[] {
  const found: Order[] = [];
  for (const [i, line] of text.slice(0, maxText).split("\n").entries()) {
    // No pattern spans more than a few hundred characters, so a long line is looked at in overlapping windows.
    const hit = windows(line).some((part) => orders.some((order) => order.test(part)));
    if (!hit) continue;
    const quote = line.trim().replace(/\s+/g, " ");
    found.push({ line: i + 1, quote: quote.length > maxQuote ? `${quote.slice(0, maxQuote)}…` : quote });
    if (found.length === maxOrders) break;
  }
  return found;
}

const windowLength = 2_000;
const overlap = 500;

function windows(line: string): string[] {
  if (line.length <= windowLength) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += windowLength - overlap)
    parts.push(line.slice(at, at + windowLength));
  return parts;
}

/**
 * Foreign text between two marks that it cannot contain: `id` is made from the text itself. `source` is our own word for where
 * it comes from.
 */
export function framed(source: string, text: string, id: string): string {
  return `--- ${source}, data ${id} ---\n${text}\n--- end of data ${id} ---`;
}
