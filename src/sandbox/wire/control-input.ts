import leven from 'leven';
import { z } from 'zod';
import { type FieldErrors, refuse, refuseFields } from './refusal.ts';

/** The input of a control, checked against its schema. Throws 422 naming every wrong field and the rule it breaks. */
export function readControl<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(asObject(input), { reportInput: true });
  if (result.success) return result.data;
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    for (const { name, rule } of faultsOf(schema, issue)) errors[name] = [...(errors[name] ?? []), `${name}: ${rule}`];
  }
  throw refuseFields(errors);
}

/** Each wrong field of an issue, with the rest of the sentence. */
function faultsOf(schema: z.ZodType, issue: z.core.$ZodIssue): { name: string; rule: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(schema, issue.path);
    return issue.keys.map((key) => ({
      name: [...issue.path, key].join('.'),
      rule: `is not known here${meaning(key, known)}`,
    }));
  }
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const rule = issue.message.replace(/^Invalid input: /, '');
  return [{ name: issue.path.join('.'), rule: rule + meaning(issue.input, words) }];
}

/** The end of a sentence about a wrong word: `: did you mean success?`, or a full stop. */
function meaning(given: unknown, known: readonly string[]): string {
  if (typeof given !== 'string') return '.';
  const wanted = given.toLowerCase();
  const near = known
    .map((name) => ({ name, distance: name.toLowerCase().startsWith(wanted) ? 1 : leven(name.toLowerCase(), wanted) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3) && distance < wanted.length)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0] === undefined ? '.' : `: did you mean ${near[0].name}?`;
}

const WRAPPERS = [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodReadonly];

/** The names that an object of the schema has at `path`; none where the schema does not tell. */
function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const part of [...path, null]) {
    while (WRAPPERS.some((Wrapper) => at instanceof Wrapper)) at = (at as z.ZodOptional).unwrap();
    if (part === null) break;
    at = at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[String(part)] : undefined;
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The body of a control as an object; throws 422 for any other value. */
export function asObject(input: unknown): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw refuse(422, 'The body must be a JSON object.');
}

/** The fields whose value is not undefined: in code an undefined field counts as omitted and must not hide a default. */
export function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
