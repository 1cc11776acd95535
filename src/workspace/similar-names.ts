// Guesses which existing name was meant when a file is not there. Used by the path gate's "no such file".

const most = 3;

/** Up to three of `names` that look like `wanted`, best first: the same but for case or extension, or few letters apart. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, score: likeness(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** 0 to 1: the share of letter pairs that both have (Dice), 0.9 at least for the same stem or the same letters in another order. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = new Map<string, number>();
  for (const pair of pairsOf(a)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of pairsOf(b)) {
    const left = pairs.get(pair) ?? 0;
    if (left > 0) shared++;
    pairs.set(pair, left - 1);
  }
  const dice = (2 * shared) / (a.length + b.length + 2);
  return stemOf(a) === stemOf(b) || lettersOf(a) === lettersOf(b) ? Math.max(0.9, dice) : dice;
}

function pairsOf(text: string): string[] {
  const framed = `^${text}$`;
  return Array.from({ length: framed.length - 1 }, (_, i) => framed.slice(i, i + 2));
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

function lettersOf(name: string): string {
  return [...name].sort().join("");
}
