import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyArgv } from "../../src/policy/command.ts";

/** "opaque+reads" for a line of words without quoting. */
function traits(line: string): string {
  return classifyArgv(line.split(" "))
    .map(({ trait }) => trait)
    .sort()
    .join("+");
}

function because(line: string, trait: string): string | undefined {
  return classifyArgv(line.split(" ")).find((found) => found.trait === trait)?.because;
}

describe("classes", () => {
  test.each([
    // reads
    ["ls -la src", "reads"],
    ["cat README.md", "reads"],
    ["grep -n foo src/a.ts", "reads"],
    ["rg -n foo --files", "reads"],
    ["head -n 5 a", "reads"],
    ["grep -n /api/users src/a.ts", "reads"],
    ["grep -e a -f words b", "reads"],
    ["head -20 a", "reads"],
    ["sort -t, -k2 -n a", "reads"],
    ["find . -name *.ts -type f", "reads"],
    ["sed -n 10,20p a", "reads"],
    ["jq -r .scripts.test package.json", "reads"],
    ["awk -F: {print$1} a", "reads"],
    ["tree -L 2 src", "reads"],
    ["date +%F", "reads"],
    ["command -v node", "reads"],
    ["diff -u a b", "reads"],
    ["cat -- -n", "reads"],
    ["cat a /dev/null", "reads"],
    // reads that obey the project's own settings
    ["npm ls --json", "reads+runs-project-code"],
    ["cargo tree", "reads+runs-project-code"],
    ["pip list", "reads+runs-project-code"],
    // reads of whole folders, which by the text alone may hold anything
    ["rg foo src", "opaque+reads"],
    ["rg foo", "opaque+reads"],
    ["grep -r foo", "opaque+reads"],
    // reads that are more than that
    ["cat .env", "opaque+reads"],
    ["cat src/.ENV", "opaque+reads"],
    ["head server.key", "opaque+reads"],
    ["cat a .git/config", "opaque+reads"],
    ["sort -o out a", "opaque+reads"],
    ["sort --comp=./x a", "opaque+reads"],
    ["uniq a out", "opaque+reads"],
    ["uniq a -c", "opaque+reads"],
    ["xxd a -p", "opaque+reads"],
    ["xxd -r a out", "opaque+reads"],
    ["grep -f .env a", "opaque+reads"],
    ["grep a b -e .env", "opaque+reads"],
    ["tree -o out", "opaque+reads"],
    ["tree -LR 2", "opaque+reads"],
    ["date -s x", "opaque+reads"],
    ["date 0101", "opaque+reads"],
    ["hostname evil", "opaque+reads"],
    ["jq -n env", "opaque"],
    ["sed -n 1p -i a", "opaque"],
    ["printf -v x y", "opaque"],
    ["test -f a", "opaque"],
    ["LS -la", "opaque+reads"],
    ["ls.exe", "opaque+reads"],
    ["ls-2", "opaque+reads"],
    ["cat /etc/passwd", "opaque+reads"],
    ["cat ../secret", "opaque+reads"],
    ["cat src/../../secret", "opaque+reads"],
    ["cat ~/.ssh/id_rsa", "opaque+reads"],
    ["grep --file=/etc/passwd a", "opaque+reads"],
    ["grep -rn KEY .", "opaque+reads"],
    ["rg --pre=./x a", "opaque+reads"],
    ["rg -uu KEY", "opaque+reads"],
    // writes
    ["mkdir -p a/b", "writes"],
    ["cp a b", "writes"],
    ["cp -r a b", "opaque+writes"],
    ["cp a .env", "opaque+writes"],
    ["cp -t b a", "opaque+writes"],
    ["cp --recursive a b", "opaque+writes"],
    ["ln -s /etc/passwd a", "opaque"],
    ["chmod +x a", "writes"],
    ["chmod 755 .git/hooks/x", "opaque+writes"],
    ["tee -a a", "writes"],
    ["cp a /usr/bin/ls", "opaque+writes"],
    ["mv a ../b", "opaque+writes"],
    // destructive
    ["rm -rf build", "destructive"],
    ["shred a", "destructive"],
    ["dd if=a of=b", "destructive"],
    ["RM.EXE a", "destructive"],
    // wrappers and shells
    ["bash -c ls", "opaque"],
    ["bash-5.2 x", "opaque"],
    ["pwsh x.ps1", "opaque"],
    ["env X=1 ls", "opaque"],
    ["sudo rm -rf x", "destructive+opaque"],
    ["timeout 5 /bin/rm x", "destructive+opaque"],
    ["xargs -a f ./x", "opaque"],
    ["find . -delete", "destructive+reads"],
    ["find . -exec rm {} +", "destructive+opaque+reads"],
    ["find . -exec cat {} ;", "opaque+reads"],
    ["find -L . -name a", "opaque+reads"],
    ["find /etc -name a", "opaque+reads"],
    ["find . -fprint out", "opaque+reads"],
    ["sudo git reset --hard", "destructive+git-write+opaque"],
    ["env -i curl x", "network+opaque"],
    ["command rm x", "destructive+opaque"],
    ["xargs git push", "git-write+network+opaque"],
    // other shells
    ["powershell.exe -c Remove-Item", "destructive+opaque"],
    ["cmd /c del a", "destructive+opaque"],
    ["Remove-Item a", "destructive+opaque"],
    ["Get-Content a", "opaque"],
    ["sed -n 1e f", "opaque"],
    ["awk BEGIN{system('x')}", "opaque"],
    // git
    ["git", "reads"],
    ["git status", "opaque"],
    ["git -c core.fsmonitor=x status", "opaque"],
    ["git -C x reset --hard", "destructive+git-write+opaque+runs-project-code"],
    ["git --git-dir=x log", "opaque"],
    ["git --no-pager diff", "opaque"],
    ["git branch --show-current", "runs-project-code"],
    ["git branch x", "git-write+runs-project-code"],
    ["git stash list", "runs-project-code"],
    ["git checkout src/a.ts", "destructive+git-write+runs-project-code"],
    ["git checkout main", "git-write+runs-project-code"],
    ["git rebase main", "destructive+git-write+runs-project-code"],
    ["git ls-remote --upload-pa=./x .", "network+runs-project-code"],
    ["git add .", "git-write+runs-project-code"],
    ["git commit -m x", "git-write+runs-project-code"],
    ["git push origin main", "git-write+network+runs-project-code"],
    ["git push --forc", "destructive+git-write+network+runs-project-code"],
    ["git push origin +main", "destructive+git-write+network+runs-project-code"],
    ["git reset --hard", "destructive+git-write+runs-project-code"],
    ["git reset --har HEAD~1", "destructive+git-write+runs-project-code"],
    ["git reset --soft HEAD~1", "git-write+runs-project-code"],
    ["git clean -fdx", "destructive+git-write+runs-project-code"],
    ["git checkout -- .", "destructive+git-write+runs-project-code"],
    ["git branch -D x", "destructive+git-write+runs-project-code"],
    ["git stash drop", "destructive+git-write+runs-project-code"],
    ["git-upload-pack .", "opaque"],
    // npm
    ["npm test", "runs-project-code"],
    ["npm test --script-shell=/bin/sh --node-options=", "runs-project-code"],
    ["npm run build -- --watch -C x", "runs-project-code"],
    ["npm test --script-shell=./sh", "opaque+runs-project-code"],
    ["npm run x -C ../other", "opaque+runs-project-code"],
    ["npm --prefi ../other run x", "opaque"],
    ["npm run x --prefi=../other", "opaque+runs-project-code"],
    ["npm test -w a", "opaque+runs-project-code"],
    ["npm test --node-options=--require=./x", "opaque+runs-project-code"],
    ["npm i -g x", "network+opaque+runs-project-code"],
    ["npm test --userconfig=x", "opaque+runs-project-code"],
    ["npm install left-pad", "network+runs-project-code"],
    ["npm ci", "network+runs-project-code"],
    ["npm config set x y", "opaque"],
    ["npx vitest run", "network+runs-project-code"],
    ["pnpm test --run", "runs-project-code"],
    ["pnpm -C ../x test", "opaque+runs-project-code"],
    ["pnpm run -C x test", "opaque+runs-project-code"],
    ["yarn lint --fix", "runs-project-code"],
    ["yarn --cwd ../x test", "opaque+runs-project-code"],
    ["yarn run --cwd run", "opaque+runs-project-code"],
    ["yarn add x", "network+runs-project-code"],
    ["yarn config set x y", "opaque"],
    ["bun --cwd ../x test", "opaque+runs-project-code"],
    ["bun --preload ./x.ts y.ts", "opaque+runs-project-code"],
    ["bun test --preload ./x.ts", "opaque+runs-project-code"],
    ["bun test --coverage", "runs-project-code"],
    ["bun run build --preload", "runs-project-code"],
    ["bun add x", "network+runs-project-code"],
    // others with verbs
    ["cargo test --config x.toml", "opaque+runs-project-code"],
    ["cargo test --manifest-path ../x/Cargo.toml", "opaque+runs-project-code"],
    ["cargo test -- --config", "runs-project-code"],
    ["go test -exec ./x ./...", "opaque+runs-project-code"],
    ["uv run --project ../x pytest", "opaque+runs-project-code"],
    ["deno run -A main.ts", "runs-project-code"],
    ["deno run --import-map=x main.ts", "opaque+runs-project-code"],
    ["deno run https://example.com/x.ts", "opaque+runs-project-code"],
    ["cargo test --all", "runs-project-code"],
    ["cargo +nightly test", "runs-project-code"],
    ["cargo add serde", "network+runs-project-code"],
    ["go test ./...", "runs-project-code"],
    ["go get x", "network+runs-project-code"],
    ["pip install x", "network+runs-project-code"],
    ["uv run pytest", "runs-project-code"],
    // interpreters
    ["node x.js", "runs-project-code"],
    ["node", "runs-project-code"],
    ["node --test --test-reporter tap", "runs-project-code"],
    ["node x.js -e 1", "runs-project-code"],
    ["node -e 1", "opaque+runs-project-code"],
    ["node -pe 1", "opaque+runs-project-code"],
    ["node --eval=1", "opaque+runs-project-code"],
    ["node --test-name-pattern foo -e 1", "opaque+runs-project-code"],
    ["node -r ./x.js y.js", "opaque+runs-project-code"],
    ["node --require=./x.js y.js", "opaque+runs-project-code"],
    ["node --import ./x.js y.js", "opaque+runs-project-code"],
    ["node -", "opaque+runs-project-code"],
    ["python3 x.py -c 1", "runs-project-code"],
    ["python3.11 -c 1", "opaque+runs-project-code"],
    ["python3 -Bc 1", "opaque+runs-project-code"],
    ["python3 -", "opaque+runs-project-code"],
    ["python3 -m pytest -q", "runs-project-code"],
    ["python3 -mpytest", "runs-project-code"],
    ["python3 -W ignore -c 1", "opaque+runs-project-code"],
    ["python3 -m pip install x", "network+runs-project-code"],
    ["python3 -m codebase.main", "runs-project-code"],
    ["python3 -m timeit 1", "opaque+runs-project-code"],
    ["python3 -u x.py", "runs-project-code"],
    ["ruby -e 1", "opaque+runs-project-code"],
    ["ruby -v -e 1", "opaque+runs-project-code"],
    ["ruby --version", "runs-project-code"],
    ["deno eval 1", "opaque+runs-project-code"],
    ["bun test", "runs-project-code"],
    // network
    ["curl https://example.com", "network"],
    ["scp a b:", "network"],
    ["ssh host ls", "network+opaque"],
    ["ssh host rm x", "destructive+network+opaque"],
    // everything else
    ["make test", "runs-project-code"],
    ["pytest -q", "runs-project-code"],
    ["some-tool --flag", "runs-project-code"],
    ["", "opaque"],
  ])("%s: %s", (line, expected) => {
    expect(traits(line)).toBe(expected);
  });

  test("a path never is only what its name says", () => {
    expect(traits("./ls")).toBe("reads+runs-project-code");
    expect(traits("node_modules/.bin/rm x")).toBe("destructive+runs-project-code");
    expect(traits("/bin/bash x.sh")).toBe("opaque+runs-project-code");
  });

  test("each trait names the word that shows it", () => {
    expect(because("git reset --hard", "destructive")).toBe("git --hard");
    expect(because("npm run x -C ../other", "opaque")).toBe("npm -C");
    expect(because("cat a /etc/passwd", "opaque")).toBe("/etc/passwd");
    expect(because("node src/x.js", "runs-project-code")).toBe("src/x.js");
    expect(because("sudo -u root rm x", "destructive")).toBe("rm");
    expect(because("my-tool", "runs-project-code")).toBe("my-tool");
  });
});

describe("for any words", () => {
  const names =
    "ls cat grep rg sort uniq xxd tree sed awk jq date command echo cp rm bash env sudo find git npm npx pnpm yarn cargo go pip node python3 ruby deno curl make ./x tool git-x".split(
      " ",
    );
  const options =
    "-n -o -r -R -L -k1 -name -exec -delete -v 1p . .a {print} -c -e -m -C -g -f -D -- --hard -p - --eval --prefix --prefix=x --version --test --test-reporter -W -rf . .. /x ~".split(
      " ",
    );
  const verbs =
    "test run status add clean reset install exec eval pytest pip branch push stash drop a.js rm --forc x=1".split(
      " ",
    );
  const word = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...options),
    fc.constantFrom(...verbs),
    fc.string(),
  );
  const argv = fc.array(word, { maxLength: 6 });

  test("never throws, never empty, each trait once", () => {
    fc.assert(
      fc.property(argv, (words) => {
        const found = classifyArgv(words).map(({ trait }) => trait);
        expect(found.length).toBeGreaterThan(0);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 1000 },
    );
  });

  test("a further word never takes away opaque or destructive", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), word, (words, more) => {
        const after = classifyArgv([...words, more]).map(({ trait }) => trait);
        for (const { trait } of classifyArgv(words)) {
          if (trait === "opaque" || trait === "destructive") expect(after).toContain(trait);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
