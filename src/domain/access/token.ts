import { sha256 } from '../events/json.ts';

/*
 * What a person proves a name by on the command line: the name and 256 random bits, such as `Ada.9kQ…`. The books keep its digest alone.
 */

const SECRET = /^[\w-]{43}$/;

/** `secret`: 32 random bytes. */
export function tokenText(name: string, secret: Uint8Array): string {
  return `${encodeURIComponent(name)}.${Buffer.from(secret).toString('base64url')}`;
}

/** The name that a token is of; null: it is none. */
export function tokenName(token: string): string | null {
  const dot = token.lastIndexOf('.');
  if (dot < 1 || !SECRET.test(token.slice(dot + 1))) return null;
  try {
    return decodeURIComponent(token.slice(0, dot));
  } catch {
    return null; // a % that encodes nothing
  }
}

/** What the books keep of it: it reveals nothing, because the bits are random. */
export function tokenDigest(token: string): string {
  return sha256(token);
}
