import { z } from 'zod';
import { Secret } from '../domain/secret.ts';
import { cronProblem } from '../time/cron.ts';
import { isTimeZone } from '../time/timestamp.ts';

// The kinds of settings that schema.ts is made of, each with its rule and its default.

/** A section may be left out: then each of its settings has its default. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.strictObject(shape, 'must be a map of settings');
  return object.prefault({} as z.input<typeof object>);
}

/** Whole numbers may come as text, because `${NAME}` gives text. */
export function wholeNumber(least: number, most: number, standard: number, description: string) {
  const rule = `must be a whole number from ${least} to ${most}`;
  const number = z.int(rule).min(least, rule).max(most, rule);
  return z.preprocess(numberFromText, number).default(standard).meta({ description, default: standard });
}

export function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

/** A list of growing whole numbers. */
export function waits(standard: readonly number[], description: string) {
  const rule = 'must be a list of 1 to 20 growing whole numbers from 1 to 100000';
  const grows = (list: readonly number[]) => list.every((wait, index) => index === 0 || wait > (list[index - 1] ?? 0));
  return z
    .array(z.int(rule).min(1, rule).max(100_000, rule), rule)
    .min(1, rule)
    .max(20, rule)
    .refine(grows, rule)
    .default([...standard])
    .describe(description);
}

/** true or false, which `${NAME}` gives as text. */
export function onOff(standard: boolean, description: string) {
  const fromText = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);
  return z
    .preprocess(fromText, z.boolean('must be true or false'))
    .default(standard)
    .meta({ description, default: standard });
}

/** A path with `{reference}` in it, or null where the service has no such endpoint. */
export function pathTemplate(standard: string, description: string) {
  const rule = 'must be null or a path such as /api/v1/payout/{reference}';
  return z
    .string(rule)
    .regex(/^\/[^\s?#{}]*\{reference\}[^\s?#{}]*$/, rule)
    .nullable()
    .default(standard)
    .describe(description);
}

export function hexSecret(bytes: number, description: string) {
  const rule = `must be ${bytes} bytes, written as ${bytes * 2} hexadecimal digits`;
  return z
    .string(rule)
    .regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`), rule)
    .transform((hex) => new Secret(hex))
    .describe(`${description}; better \${NAME} or {file: path} than the digits themselves.`);
}

export function timeZone() {
  const rule = 'must be an IANA time zone such as Africa/Lagos';
  return z.string(rule).refine(isTimeZone, rule);
}

/** A cron expression, or null for never. */
export function cron() {
  return z
    .string('must be null or a cron expression such as 30 2 * * *')
    .superRefine(reporting(cronProblem))
    .nullable();
}

/** A folder, relative to that of the file, or null. */
export function folder(description: string) {
  const rule = 'must be the path of a folder';
  return z.string(rule).min(1, rule).nullable().default(null).describe(description);
}

export function text(standard: string, description: string) {
  return z.string('must be text').min(1, 'must not be empty').default(standard).describe(description);
}

export function reporting(problemOf: (value: string) => string | null) {
  return (value: string, context: z.RefinementCtx<string>) => {
    const problem = problemOf(value);
    if (problem !== null) context.addIssue(problem);
  };
}
