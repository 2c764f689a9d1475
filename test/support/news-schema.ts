import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { newsSchema, type Schema } from '../../src/forward/news-schema.ts';

// Holds bodies against the schema as published, but without members that it does not name: a member that is sent and not named
// would be undocumented.

const strict = closed(newsSchema());
const validators = new Map<string, ValidateFunction>();

/** What the schema, or one part of it, finds wrong with a body; empty: nothing. */
export function newsProblems(news: unknown, part?: string): string[] {
  const validate = validatorOf(part ?? '');
  if (validate(news)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Compiled once: that takes longer than a thousand bodies. */
function validatorOf(part: string): ValidateFunction {
  const schema = part === '' ? strict : { $ref: `#/$defs/${part}`, $defs: strict.$defs };
  const compiled =
    validators.get(part) ?? new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  validators.set(part, compiled);
  return compiled;
}

/** The schema in which every object has only the named members. */
function closed(schema: Schema): Schema {
  const parts = Object.entries(schema).map(([name, part]) => [name, closedPart(part)]);
  const isObject = schema.type === 'object';
  return { ...Object.fromEntries(parts), ...(isObject && { additionalProperties: false }) };
}

function closedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closedPart);
  return typeof part === 'object' && part !== null ? closed(part as Schema) : part;
}
