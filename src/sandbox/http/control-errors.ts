import type { z } from 'zod';
import { type FieldErrors, type Refusal, refuse, refuseFields } from '../refusal.ts';

/** Reads the input of a control. Throws 422 with every field at fault and the rule it breaks. */
export function readControl<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(asObject(input));
  if (result.success) return result.data;
  throw refuseIssues(result.error);
}

/** The body of a control as an object; throws 422 for anything else. */
export function asObject(input: unknown): object {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw refuse(422, 'The body must be a JSON object.');
}

/** 422 that names each field with its rule, in `errors` as in the message. */
export function refuseIssues(error: z.ZodError): Refusal {
  const errors: FieldErrors = {};
  for (const issue of error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : null;
    const names = unknown?.map((key) => [...issue.path, key].join('.')) ?? [issue.path.join('.')];
    for (const name of names) {
      const rule = unknown ? 'is not a field of this control' : issue.message.replace(/^Invalid input: /, '');
      errors[name] = [...(errors[name] ?? []), `${name}: ${rule}.`];
    }
  }
  return refuseFields(errors);
}
