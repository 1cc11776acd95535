// /model within a session: a switch keeps the conversation or changes nothing, set-up talks through the composer, and what
// leaves the machine is said.
import { describe, expect, it } from "vitest";
import type { Choice } from "../../src/tui/choice.ts";
import type { Dialogue } from "../../src/tui/dialogue.ts";
import { AppError } from "../../src/util/errors.ts";
import { span } from "../../src/view/row.ts";
import {
  type AgentSession,
  type AgentSessionOptions,
  keys,
  type Session,
  testSession,
} from "../helpers/session.ts";
import { scene } from "./scene.ts";

interface Opened extends AgentSession {
  /** Profiles that were opened, in order. */
  opened: string[];
}

async function session(options: Partial<AgentSessionOptions>): Promise<Opened> {
  const opened: string[] = [];
  const t = await testSession({
    steps: [{ text: "first" }, { text: "second" }],
    ...options,
    onOpen: (choice: Choice) => {
      options.onOpen?.(choice);
      opened.push(choice.profile);
    },
  });
  return { ...t, opened };
}

const firstUserTexts = (t: AgentSession): string[] =>
  (t.model.requests.at(-1)?.messages ?? []).flatMap((m) => (m.role === "user" ? [m.text] : []));

describe("/model", () => {
  it("lists the profiles and says how to switch", async () => {
    const t = await session({});
    t.enter("/model");
    await t.terminal.shows("in use");
    await t.terminal.shows("/model setup sets one up");
  });

  it("goes on with another one in the same conversation", async () => {
    const t = await session({});
    t.enter("one");
    await t.taskEnd();
    t.enter("/model other");
    await t.terminal.until(() => t.opened.includes("other"), "the other profile");
    t.enter("two");
    await t.taskEnd();
    expect(firstUserTexts(t)).toEqual(["one", "two"]);
  });

  it("with the one in use changes nothing", async () => {
    const t = await session({});
    t.enter("/model scripted");
    await t.terminal.shows("scripted is already in use.");
    expect(t.opened).toEqual(["scripted"]);
  });

  it("with one that is not ready warns, and all stays as it was", async () => {
    const t = await session({
      onOpen: ({ profile }) => {
        if (profile === "openai")
          throw new AppError("E_PROFILE", 'profile "openai" is not ready: it has no API key', {
            hint: "export OPENAI_API_KEY=your key",
          });
      },
    });
    t.enter("one");
    await t.taskEnd();
    t.enter("/model openai");
    await t.terminal.shows("export OPENAI_API_KEY=your key");
    await t.terminal.shows("Nothing was changed: scripted goes on.");
    t.enter("/model");
    await t.terminal.shows("scripted  in use");
    t.enter("two");
    await t.taskEnd();
    expect(firstUserTexts(t)).toEqual(["one", "two"]);
  });
});

describe("what leaves the machine", () => {
  const notices = (session: Session): string[] =>
    session.terminal.everything().filter((row) => row.startsWith("Leaves this machine"));

  it("is said at the start and at each switch to another host, and only then", async () => {
    const hosts = { scripted: "api.one.example", two: "api.two.example" };
    const session = await scene({ columns: 120, rows: 60, hosts }, async () => ({}));
    const command = async (line: string, count: number): Promise<void> => {
      session.enter(line);
      await session.terminal.until(
        () =>
          session.terminal.everything().filter((row) => row.startsWith("MiniCode 0.0.0")).length === count,
        `the opening after ${line}`,
      );
    };
    await command("/mode read", 2);
    expect(notices(session)).toEqual([
      "Leaves this machine for api.one.example: what you write, what the model reads in /home/you/project, and the output of",
    ]);
    await command("/model two", 3);
    await command("/model local", 4);
    await command("/model two", 5);
    expect(notices(session).map((row) => row.split(" ")[4])).toEqual([
      "api.one.example:",
      "api.two.example:",
      "api.two.example:",
    ]);
  });
});

describe("/model setup", () => {
  const asks =
    (questions: readonly string[], id: string | null, answers: (string | null)[]) =>
    async (dialogue: Dialogue): Promise<string | null> => {
      for (const question of questions) {
        dialogue.say([[span(question)]]);
        answers.push(await dialogue.ask());
      }
      return dialogue.signal.aborted ? null : id;
    };

  it("takes the composer's lines as answers, sends none of them, and goes on with the new profile", async () => {
    const answers: (string | null)[] = [];
    const t = await session({ setUp: asks(["Which?", "Where?"], "new", answers) });
    t.enter("/model setup");
    await t.terminal.shows("Which?");
    t.enter("/opt/model.gguf");
    await t.terminal.shows("Where?");
    t.enter("");
    await t.terminal.until(() => t.opened.includes("new"), "the new profile");
    expect(answers).toEqual(["/opt/model.gguf", ""]);
    t.enter("one");
    await t.taskEnd();
    expect(firstUserTexts(t)).toEqual(["one"]);
  });

  it.each([keys.escape, keys.ctrlC])("is left by %j, and all stays as it was", async (key) => {
    const answers: (string | null)[] = [];
    const t = await session({ setUp: asks(["Which?", "Where?"], "new", answers) });
    t.enter("/model setup");
    await t.terminal.shows("Which?");
    t.terminal.sendInput(key);
    await t.terminal.until(() => t.terminal.text().endsWith("ready"), "the end of set-up");
    expect(answers).toEqual([null, null]);
    expect(t.opened).toEqual(["scripted"]);
    t.enter("one");
    await t.taskEnd();
  });

  it("that goes wrong says so, and all stays as it was", async () => {
    const t = await session({
      setUp: async () => {
        throw new AppError("E_PROFILE", "cannot write the profile");
      },
    });
    t.enter("/model setup");
    await t.terminal.shows("cannot write the profile");
    t.enter("one");
    await t.taskEnd();
    expect(t.opened).toEqual(["scripted"]);
  });

  it("keeps a line in the composer that came while no question waited", async () => {
    let goOn = (): void => {};
    const t = await session({
      setUp: async (dialogue) => {
        dialogue.say([[span("Asking the server")]]);
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        dialogue.say([[span("Which?")]]);
        await dialogue.ask();
        return null;
      },
    });
    t.enter("/model setup");
    await t.terminal.shows("Asking the server");
    t.enter("too early");
    goOn();
    await t.terminal.shows("Which?");
    expect(t.terminal.text().split("Which?")[1]).toContain("too early");
  });
});
