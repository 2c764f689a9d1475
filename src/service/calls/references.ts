import { randomBytes } from 'node:crypto';
import { RequestRefusedError, UnaskableReferenceError } from '../errors/usage-errors.ts';
import { kindOf, optionalTexts } from './arguments.ts';

const NEW_REFERENCE = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,255}$/;
const LONGEST_REFERENCE = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern refuses control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Returns a new reference, `pay-4f1d…`: the given prefix and 128 random bits in hexadecimal. */
export function newReference(prefix = 'ref'): string {
  optionalTexts({ prefix });
  const reference = `${prefix}-${randomBytes(16).toString('hex')}`;
  requireNewReference(reference);
  return reference;
}

/**
 * Refuses a reference of a new payment unless it is 1 to 255 letters, digits, `_`, `.` and `-` (decision 88); `.` and `..`
 * cannot be put into a path. References of existing records may have any form.
 *
 * @throws RequestRefusedError
 */
export function requireNewReference(reference: string): void {
  if (typeof reference === 'string' && NEW_REFERENCE.test(reference)) return;
  const seen = typeof reference === 'string' ? JSON.stringify(reference.slice(0, 80)) : kindOf(reference);
  const rule = 'must be a text of 1 to 255 letters, digits, dots, dashes or underscores';
  throw new RequestRefusedError('reference', `is ${seen}, and ${rule}`, {
    hint: 'newReference() makes one. Of your own numbers 16 characters or more are recommended: short ones are easily used twice.',
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
  if (!fitsPath) throw new UnaskableReferenceError(reference);
  return template.replace('{reference}', () => encodeURIComponent(reference));
}
