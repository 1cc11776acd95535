// The JSON Schemas that editors read are those of the code. After a change: npx vitest run test/config/schemas.test.ts -u
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { packageRoot } from "../../src/config/package-root.ts";
import { profileSchema } from "../../src/config/profile-schema.ts";
import { settingsSchema } from "../../src/config/settings.ts";

test.each([
  ["settings", settingsSchema],
  ["profile", profileSchema],
])("%s.schema.json", async (name, schema) => {
  const file = join(packageRoot(), "schemas", `${name}.schema.json`);
  await expect(formatted(z.toJSONSchema(schema, { io: "input" }))).toMatchFileSnapshot(file);
});

/** As Biome formats it: a list on one line where it fits. */
function formatted(json: unknown): string {
  const lists = /\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/g;
  const text = JSON.stringify(json, null, 2);
  const lines = text.replace(lists, (list: string, items: string, at: number) => {
    const line = `[${items.replace(/\n\s+/g, " ")}]`;
    return at - text.lastIndexOf("\n", at) + line.length <= 110 ? line : list;
  });
  return `${lines}\n`;
}
