import { DAY_MS } from '../../time/clock.ts';
import { sha256 } from '../events/json.ts';

/*
 * What is good once: a link with which a person sets the password, and the recovery codes for who has lost the phone. The books keep
 * digests alone, and take each one away when it is used.
 */

/** Bytes of a link, before it is text. */
export const LINK_BYTES = 32;
/** How long a link is good. */
export const LINK_MS = DAY_MS;
/** Recovery codes of a person, and the random bytes of one. */
export const RECOVERY_CODES = 10;
export const RECOVERY_BYTES = 10;

/** Letters and digits that are not taken for one another. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TYPED_AS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

export function linkText(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

export function linkDigest(link: string): string {
  return sha256(`link ${link}`);
}

/** Whether a link is still good. One that ends later than a new one would was made by a wrong clock. */
export function isGood({ endsAtMs }: { readonly endsAtMs: number }, nowMs: number): boolean {
  return nowMs < endsAtMs && endsAtMs <= nowMs + 2 * LINK_MS;
}

/** Four times four signs, such as `7K2M-9QXA-0BTN-R4VE`: 80 random bits. */
export function recoveryCode(random: Uint8Array): string {
  let bits = 0n;
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  const signs = Array.from({ length: 16 }, (_, at) => SIGNS[Number((bits >> BigInt(5 * (15 - at))) & 31n)]);
  return [0, 4, 8, 12].map((from) => signs.slice(from, from + 4).join('')).join('-');
}

/** The digest of a recovery code, however it was typed; null: it is none. */
export function recoveryDigest(typed: string): string | null {
  const signs = [...typed.toUpperCase().replace(/[\s-]/g, '')].map((sign) => TYPED_AS[sign] ?? sign);
  if (signs.length !== 16 || signs.some((sign) => !SIGNS.includes(sign))) return null;
  return sha256(`recovery ${signs.join('')}`);
}
