import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from '../domain/secrets/secret.ts';
import { weakness } from '../domain/secrets/secret-strength.ts';
import { isTimeZone } from '../time/timestamp.ts';

// The kinds of settings that several sections use, each with its rule and its default.

export const MEBIBYTE = 1024 * 1024;

/** A section that is left out gives each of its settings the default. */
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

/** true or false, which `${NAME}` gives as text. */
export function onOff(standard: boolean, description: string) {
  const value = z.preprocess(onOffFromText, z.boolean(ON_OFF_RULE));
  return value.default(standard).meta({ description, default: standard });
}

/** true, false, or null for another setting's value. */
export function onOffOrNull(description: string) {
  const value = z.preprocess(onOffFromText, z.boolean(ON_OFF_RULE).nullable());
  return value.default(null).meta({ description, default: null });
}

const ON_OFF_RULE = 'must be true or false';

function onOffFromText(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

export function oneOf<const Value extends string>(values: readonly Value[], standard: Value, description: string) {
  const choice = z.enum(values, `must be one of ${values.join(', ')}`);
  return choice.default(standard as z.output<typeof choice>).describe(description);
}

/** A secret of at least `least` characters that is not easily guessed, or null. */
export function secretText(least: number, description: string) {
  const rule = `must be text of at least ${least} characters`;
  return z
    .string(rule)
    .min(least, rule)
    .superRefine(reporting((secret) => (secret.length < least ? null : weakness(secret, least))))
    .transform((secret) => new Secret(secret))
    .nullable()
    .default(null)
    .describe(description);
}

export function timeZone() {
  const rule = 'must be an IANA time zone such as Africa/Lagos';
  return z.string(rule).refine(isTimeZone, rule);
}

/** A folder, relative to that of the file, or null. */
export function folder(description: string) {
  const rule = 'must be the path of a folder';
  return z.string(rule).min(1, rule).nullable().default(null).describe(description);
}

/** A file, relative to the folder of that file, or null. */
export function file(description: string) {
  const rule = 'must be the path of a file';
  return z.string(rule).min(1, rule).nullable().default(null).describe(description);
}

/** The proxies in front of a listener. */
export function proxies() {
  return z
    .union([z.literal(false), z.array(z.string(PROXY_RULE).refine(isProxyAddress, PROXY_RULE))], PROXY_RULE)
    .default(false)
    .describe('Addresses or networks of the proxies whose X-Forwarded-For is trusted, or false.');
}

const PROXY_RULE = 'must be false or a list of proxy addresses such as [10.0.0.0/8, loopback]';

/** An address, a network in CIDR notation, or one of the three names that stand for private networks. */
function isProxyAddress(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
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
