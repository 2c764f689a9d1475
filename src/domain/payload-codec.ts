import { createCipheriv, createDecipheriv } from 'node:crypto';
import { TallyhookError } from './error.ts';
import { Secret } from './secret.ts';

/**
 * How a merchant with S2S payload encryption writes and reads payloads (interface 5.4, rule 4.4.8). The scheme is not
 * shown, so it is an interface: bring your own, or try the observed one below. Requests of S2S collections and refunds are
 * encrypted, which the document names; those of payouts are not.
 */
export interface PayloadCodec {
  /** The whole inner payload as JSON text → the string that is sent as `{ data: … }`. */
  encode(plain: string): string;
  /** The string of `{ data: … }` → the inner payload's bytes; null when it was not made with this key. */
  decode(payload: string): Uint8Array | null;
}

export interface AesKey {
  /** 32 bytes as 64 hexadecimal digits. */
  readonly keyHex: string | Secret;
  /** 16 bytes as 32 hexadecimal digits. */
  readonly ivHex: string | Secret;
}

/**
 * AES-256-CBC with a static key and IV; hexadecimal out, hexadecimal or base64 in. *Observed, unconfirmed* (decision 86)
 * and off unless it is given to the client. A static IV hides little: use it only where the service demands it.
 *
 * @throws TallyhookError (configuration) for a key or IV of the wrong length
 */
export function aesCbcCodec({ keyHex, ivHex }: AesKey): PayloadCodec {
  const key = hexBytes('key', keyHex, 32);
  const iv = hexBytes('IV', ivHex, 16);
  return {
    encode(plain) {
      const cipher = createCipheriv('aes-256-cbc', key, iv);
      return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('hex');
    },
    decode(payload) {
      const decipher = createDecipheriv('aes-256-cbc', key, iv);
      try {
        const bytes = Buffer.from(payload, /^[0-9a-fA-F]+$/.test(payload) ? 'hex' : 'base64');
        return Buffer.concat([decipher.update(bytes), decipher.final()]);
      } catch {
        return null; // another key, or altered bytes: the padding does not fit
      }
    },
  };
}

function hexBytes(what: string, given: string | Secret, length: number): Buffer {
  const text = given instanceof Secret ? given.reveal() : given;
  if (/^[0-9a-fA-F]*$/.test(text) && text.length === length * 2) return Buffer.from(text, 'hex');
  throw new TallyhookError(`The ${what} of the payload encryption has ${text.length} characters.`, {
    kind: 'configuration',
    hint: `It must be ${length} bytes, written as ${length * 2} hexadecimal digits.`,
  });
}
