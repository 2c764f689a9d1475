import type { z } from 'zod';
import { type FieldErrors, refuse, refuseFields } from './refusal.ts';

/** The input of a control, checked against its schema. Throws 422 naming every wrong field and the rule it breaks. */
export function readControl<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(asObject(input));
  if (result.success) return result.data;
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : null;
    const names = unknown?.map((key) => [...issue.path, key].join('.')) ?? [issue.path.join('.')];
    for (const name of names) {
      const rule = unknown ? 'is not known here' : issue.message.replace(/^Invalid input: /, '');
      errors[name] = [...(errors[name] ?? []), `${name}: ${rule}.`];
    }
  }
  throw refuseFields(errors);
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
