import { z } from 'zod';
import { configSchema } from './schema.ts';

/**
 * Returns the JSON Schema of tallyhook.yaml for editors: a number or a switch may be `${NAME}`, a secret may be
 * `{file: path}`. A test keeps `templates/config/tallyhook.schema.json` equal to it.
 */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const name = path.at(-1);
      if (jsonSchema.type === 'integer' || jsonSchema.type === 'boolean') allow(jsonSchema, VARIABLE);
      else if (isSecret(name, path) && jsonSchema.type === 'string') allow(jsonSchema, SECRET_FILE);
    },
  }) as JsonSchema;
}

export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}

const VARIABLE = { type: 'string', pattern: '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$' };
const SECRET_SETTINGS = ['secretKey', 'token', 'secret', 'clientSecret', 'key', 'iv', 'password', 'ca'];
const SECRET_FILE = {
  type: 'object',
  properties: { file: { type: 'string' } },
  required: ['file'],
  additionalProperties: false,
};

function isSecret(name: PropertyKey | undefined, path: readonly PropertyKey[]): boolean {
  return SECRET_SETTINGS.includes(String(name)) || path.at(-2) === 'secrets';
}

function allow(schema: Record<string, unknown>, alternative: object): void {
  const { description, default: standard, anyOf, ...rule } = schema;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  schema.anyOf = [...(Array.isArray(anyOf) ? anyOf : [rule]), alternative];
  if (description !== undefined) schema.description = description;
  if (standard !== undefined) schema.default = standard;
}

/** Returns the names allowed at a path such as ['keys', 'test', 0], for "did you mean". */
export function settingsAt(path: readonly PropertyKey[]): string[] {
  let node: JsonSchema | undefined = theSchema();
  for (const step of path) node = typeof step === 'number' ? node?.items : node?.properties?.[String(step)];
  return Object.keys(node?.properties ?? {});
}

/** Returns every setting in dotted form, such as `receiver.port`. */
export function allSettings(node: JsonSchema = theSchema(), prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties === undefined ? [prefix + name] : allSettings(child, `${prefix}${name}.`),
  );
}

/** Returns the names of all sections and settings, without their paths. */
export function settingNames(): readonly string[] {
  names ??= [...new Set(namesIn(theSchema()))];
  return names;
}

let names: readonly string[] | undefined;
let made: JsonSchema | undefined;

/** Made once, when a message needs it. */
function theSchema(): JsonSchema {
  made ??= configJsonSchema();
  return made;
}

function namesIn(node: JsonSchema): string[] {
  const children = Object.entries(node.properties ?? {}).flatMap(([name, child]) => [name, ...namesIn(child)]);
  const alternatives = Array.isArray(node.anyOf) ? (node.anyOf as JsonSchema[]).flatMap(namesIn) : [];
  return [...children, ...alternatives, ...(node.items === undefined ? [] : namesIn(node.items))];
}
