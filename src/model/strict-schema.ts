// A tool's JSON Schema as `strict` wants it: every field required, nothing else allowed. Pure; used by openai-request.ts.

type Schema = Readonly<Record<string, unknown>>;

/** Bounds that strict servers refuse. Our own check of the arguments holds them either way. */
const refused: ReadonlySet<string> = new Set(["minLength", "maxLength", "uniqueItems", "default", "format"]);

/**
 * The schema with every field required, those that were not also null, and without the bounds that strict servers do not know.
 * Undefined for one that cannot be strict: it allows fields that it does not name.
 */
export function strictSchema(schema: Schema): Schema | undefined {
  return isClosed(schema) ? strict(schema) : undefined;
}

function isClosed(schema: Schema): boolean {
  const open =
    schema["oneOf"] !== undefined ||
    schema["allOf"] !== undefined ||
    (schema["type"] === "object" && schema["additionalProperties"] !== false);
  return !open && parts(schema).every(isClosed);
}

function strict(schema: Schema): Schema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => !refused.has(name)));
  const { items, anyOf } = schema;
  const properties = asSchema(schema["properties"]);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return {
    ...kept,
    ...(isSchema(items) ? { items: strict(items) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isSchema).map(strict) } : {}),
    ...(schema["type"] === "object"
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => {
              const inner = strict(asSchema(part));
              return [name, required.includes(name) ? inner : { anyOf: [inner, { type: "null" }] }];
            }),
          ),
          required: Object.keys(properties),
        }
      : {}),
  };
}

function parts({ properties, items, anyOf }: Schema): Schema[] {
  return [...Object.values(asSchema(properties)), items, ...(Array.isArray(anyOf) ? anyOf : [])].filter(
    isSchema,
  );
}

function asSchema(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
