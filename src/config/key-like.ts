// Whether text looks like a secret key, so that it is kept out of files. Pure; used for settings and profiles.

/** How the keys of known services begin. */
const beginnings =
  /^((sk|pk|rk|gsk|xai|csk|hf|r8|glpat|pplx|nvapi|tvly|dapi|ghp|gho|ghs|github_pat|xox[abp])[-_]|AIza|AKIA|ya29\.|eyJ)/;
/** No word has so many letters and digits without a break between them. */
const longRun = 20;

/** Whether any word of `text` begins like a key, or is one long run of letters and digits. May be wrong about a long hash. */
export function looksLikeKey(text: string): boolean {
  return text.split(/[\s"',;[\]{}]+/).some(isKeyLike);
}

function isKeyLike(word: string): boolean {
  if (beginnings.test(word) && word.length >= 12) return true;
  if (!/^[\w+=.-]+$/.test(word)) return false;
  const runs = word.split(/[^A-Za-z0-9]+/);
  return runs.some((run) => run.length >= longRun && /[A-Za-z]/.test(run) && /\d/.test(run));
}
