// What an answer claims about tests and checks, in English and Chinese: a reader of sentences, wrong in favour of the
// answer when in doubt. Pure; used by receipt.ts.

/** The first clause that makes each kind of claim, clipped to one line; null when none does. */
export interface Claims {
  /** Tests or checks pass. */
  passing: string | null;
  /** The work was verified or tested. */
  verified: string | null;
  /** Tests or checks were run. */
  running: string | null;
}

export function claimsOf(text: string): Claims {
  const claims: Claims = { passing: null, verified: null, running: null };
  for (const sentence of sentencesOf(text)) {
    for (const { clause, before } of clausesOf(sentence)) {
      const read = plainNegation(clause.slice(0, 600)); // no real claim is longer
      for (const kind of ["passing", "verified", "running"] as const) {
        claims[kind] ??= makesClaim(read, before, patterns[kind]) ? clipped(clause) : null;
      }
    }
  }
  return claims;
}

const subject =
  "(?:tests?|specs?|suites?|checks?|builds?|pipeline|ci|pytest|jest|vitest|mocha|typecheck|type-check|lint(?:er)?|everything|`[^`]*(?:test|check|build|lint)[^`]*`)";

const patterns: Record<keyof Claims, readonly RegExp[]> = {
  passing: [
    new RegExp(
      `\\b${subject}(?![\\w/.-]).{0,50}?(?:\\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\\b|✅|✔|✓)`,
      "i",
    ),
    /(?<!\w)`[^`]*(?:test|check|build|lint)[^`]*`.{0,40}?\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?)\b/i,
    /\bpass(?:es|ed)? (?:all|every|the) (?:\w+ ){0,3}(?:tests?|specs?|checks?|suite)\b/i,
    /\ball (?:\w+ ){0,2}(?:green|passing|passed)\b/i,
    /\b\d+ ?\/ ?\d+ (?:\w+ )?(?:pass(?:ed|ing)?|green)\b|\b\d+ (?:tests? )?(?:passed|passing)\b/i,
    /(?:测试|用例|单测|检查|校验|构建|编译|test`?).{0,20}?(?:通过|全绿|绿的|绿色|成功|跑通|[均都]正常)/i,
    /通过了?(?:全部|所有)?(?:了|的)?(?:\S{0,6})(?:测试|用例|检查|校验)/,
    /全绿|全部通过|[都均]已?(?:经)?通过/,
  ],
  verified: [
    /(?<!\bas )\b(?:verified|validated)\b(?! (?:by|email|user|account|token|domain))/i,
    /\b(?:i|we|i've|we've|have|has|been|is|are|was|were|and|fully|thoroughly|properly|manually|also|now)(?:,)? tested\b(?! (?:by|in)\b)/i,
    /\btested(?:,| and) (?:working|works|fixed|verified)\b/i,
    /已经?(?:全部|完整|充分|手动|实际)?(?:验证|测试|校验)|(?:验证|测试|校验)(?:了|过|完成|完毕|通过)|经(?:过)?(?:完整|充分)?(?:验证|测试)/,
  ],
  running: [
    /\b(?:ran|re-?ran|(?:have|has|'ve|was|were|been) (?:re-?)?run|after (?:re-?)?running|by (?:re-?)?running|executed)\b.{0,40}?(?:\btests?\b|\bsuites?\b|\bspecs?\b|\bchecks?\b|\bpytest\b|\bjest\b|\bvitest\b)/i,
    /\b(?:tests?|suite|specs?|checks?)\b (?:were|was|have been|has been) (?:run|executed|re-?run)\b/i,
    /(?:运行|跑|执行)(?:了|过|完).{0,12}(?:测试|用例|检查|test)|已经?(?:运行|执行|跑).{0,12}(?:测试|用例|检查|test)|(?:测试|用例|检查)(?:已经?|都)?(?:运行|执行|跑)(?:完|过|了)/i,
  ],
};

/** What turns a clause into no claim: negations, failures, conditions, wishes and requests. */
const hedges = [
  /\b(?:not|never|no|none|nothing|nor|neither|cannot|without|unable|fail(?:s|ed|ing|ures?)?|broken|un(?:verified|tested)|except|apart from|instead of|lacks?)\b|n['’]t\b/i,
  /\b(?:should|would|could|might|may|must|will|'ll|shall|can|mak(?:e|ing) sure|to (?:make|get|verify|confirm|check|ensure|see|validate|run|have|be)|please|let|needs?|expect(?:ed|s)?|likely|probably|presumably|hopefully|hope|assum\w*|ensures?|ensuring|want|whether|before|previously|only|some|most|example|e\.g|suggest\w*|recommend\w*|remains?|pending)\b/i,
  /未|没|不|无(?!误)|失败|除了|除.{1,10}外|仅|只有|部分|可能|应该|应当|应能|应可|预计|理论上|期望|希望|以便|以确保|需要|需|请(?!求)|建议|待|会(?!话|议)|将(?:会|要|可|能)|可以|可用|能够|尚|之前|是否|吗|如何|怎么|用于|用来/,
];
/** Conditions hold for the clauses after them too. */
const conditions =
  /\b(?:if|once|when|whenever|until|unless|whether|as soon as)\b|如果|假如|若|一旦|请(?!求)|等(?:到|你|您|待)|直到|是否|除了/i;

/** A claim counts when nothing before or inside it, nor a failure after it, takes it back. */
function makesClaim(clause: string, before: string, claims: readonly RegExp[]): boolean {
  if (conditions.test(before)) return false;
  return claims.some((pattern) => {
    const found = pattern.exec(clause);
    if (found === null || conditions.test(clause.slice(0, found.index))) return false;
    const after = clause.slice(found.index + found[0].length);
    const said = clause.slice(0, found.index + found[0].length);
    return !hedges.some((hedge) => hedge.test(said)) && !takenBack.test(after);
  });
}

const takenBack =
  /\bexcept\b|\bapart from\b|\bunless\b|\bif\b|\bonce\b|\bfail|\bwithout (?:me |being )?(?:run|verif|check)|\bbefore\b|\bby (?:reading|inspect\w*|eye)\b|除了|失败|之前|吗/i;

/** Double negations say that something passes; negations of other things say nothing about it. */
function plainNegation(clause: string): string {
  return clause
    .replaceAll(
      /\b(?:the|that|previously|formerly) (?:\w+ )?(?:failing|failed|broken) (?=(?:tests?|specs?|suite|checks?)\b)/gi,
      "the ",
    )
    .replaceAll(
      /\b(?:no|zero|0|without(?: any)?) (?:test )?(?:failures?|failing tests?|failed tests?|tests? (?:fail(?:s|ed)?|failing))\b/gi,
      "tests pass",
    )
    .replaceAll(
      /\b(?:no longer|never|don't|doesn't|do not|does not) fail(?:s|ing)?\b(?: any ?more)?/gi,
      "pass",
    )
    .replaceAll(/\b(?:zero|0) (?:tests? )?fail(?:ed|s|ing)?\b/gi, "tests pass")
    .replaceAll(
      /\b(?:no|zero|0|without(?: any)?) (?:\w+ )?(?:errors?|regressions?|warnings?|issues?|problems?)\b/gi,
      "",
    )
    .replaceAll(/(?:没有|无|0 ?个)(?:任何|一个)?(?:测试|用例)?失败(?:的(?:测试|用例))?|不再失败/g, "测试通过")
    .replaceAll(/(?:没有|无)(?:任何|出现)?(?:报错|错误|问题|回归|警告)|无误/g, "");
}

/** Sentences of the prose; fenced code, quotations and questions claim nothing. */
function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/^(```|~~~)[\s\S]*?^\1[^\n]*$|^(?:```|~~~)[\s\S]*/gm, "")
    .split(/(?<=[.!?;])\s+|(?<=[。！？；])|\n+/)
    .map((sentence) => sentence.replaceAll(/[*_#]+/g, "").trim())
    .filter((sentence) => sentence !== "" && !/[?？]$/.test(sentence) && !sentence.startsWith(">"));
}

/** A sentence's clauses, each with what stands before it in the sentence. */
function clausesOf(sentence: string): { clause: string; before: string }[] {
  const separator =
    /,? (?:but|however|although|though|yet|while|whereas)\b,? |, (?=(?:and |so |which |then )?(?:all|every|everything|the|tests?|i|we|it|now|no|nothing|checks?|specs?|which)\b)|[，、]|\s[—–-]\s|—/gi;
  const clauses: { clause: string; before: string }[] = [];
  let start = 0;
  for (const found of sentence.matchAll(separator)) {
    clauses.push({ clause: sentence.slice(start, found.index), before: sentence.slice(0, start) });
    start = found.index + found[0].length;
  }
  clauses.push({ clause: sentence.slice(start), before: sentence.slice(0, start) });
  return clauses.filter(({ clause }) => clause.trim() !== "");
}

function clipped(clause: string): string {
  const characters = [...clause.trim()];
  return characters.length > 80 ? `${characters.slice(0, 79).join("")}…` : characters.join("");
}
