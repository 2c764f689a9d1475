import { Secret } from '../domain/secrets/secret.ts';

/*
 * A configuration on its way to another thread or process. A Secret cannot be posted there, so each travels as `{ secret: text }` and
 * becomes a Secret again.
 */

/** A value whose secrets are `{ secret: text }`. */
export type Plain<Value> = Value extends Secret
  ? { readonly secret: string }
  : Value extends object
    ? { readonly [Name in keyof Value]: Plain<Value[Name]> }
    : Value;

export function plain<Value>(value: Value): Plain<Value> {
  return mapped(value, (one) => (one instanceof Secret ? { secret: one.reveal() } : undefined)) as Plain<Value>;
}

export function withSecrets<Value>(value: Plain<Value>): Value {
  return mapped(value, (one) => {
    const [name, ...others] = Object.keys(one);
    const text = (one as { secret?: unknown }).secret;
    return name === 'secret' && others.length === 0 && typeof text === 'string' ? new Secret(text) : undefined;
  }) as Value;
}

function mapped(value: unknown, replace: (one: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((one) => mapped(one, replace));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, replace)]));
}
