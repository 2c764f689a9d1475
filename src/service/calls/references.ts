import { randomBytes } from 'node:crypto';
import { RequestRefusedError, UnaskableReferenceError } from '../errors/usage-errors.ts';

const NEW_REFERENCE = /^[A-Za-z0-9_.-]{16,64}$/;
const LONGEST_REFERENCE = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern refuses control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Returns a new reference, `pay-4f1d…`: the given prefix and 128 random bits in hexadecimal. */
export function newReference(prefix = 'ref'): string {
  const reference = `${prefix}-${randomBytes(16).toString('hex')}`;
  requireNewReference(reference);
  return reference;
}

/**
 * Refuses a reference of a new payment that is short enough to collide or has characters other than letters, digits and
 * `_.-` (decision 88). References of existing records may have any form.
 *
 * @throws RequestRefusedError
 */
export function requireNewReference(reference: string): void {
  if (typeof reference === 'string' && NEW_REFERENCE.test(reference)) return;
  throw new RequestRefusedError('reference', `is ${JSON.stringify(String(reference).slice(0, 80))}`, {
    hint: 'A new reference has 16 to 64 letters, digits, dots, dashes or underscores: newReference() makes one.',
  });
}

/**
 * Returns the path of a template such as `/api/v1/payout/{reference}` with the reference in it.
 *
 * @throws UnaskableReferenceError for a reference that would change the path, or that no URL can hold (decision 47)
 */
export function pathWith(template: string, reference: string): string {
  const fitsPath =
    typeof reference === 'string' &&
    reference.length > 0 &&
    reference.length <= LONGEST_REFERENCE &&
    reference !== '.' &&
    reference !== '..' &&
    reference.isWellFormed() &&
    !CONTROL.test(reference);
  if (!fitsPath) throw new UnaskableReferenceError(String(reference));
  return template.replace('{reference}', () => encodeURIComponent(reference));
}
