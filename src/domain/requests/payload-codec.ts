import { createCipheriv, createDecipheriv } from 'node:crypto';
import { TallyhookError } from '../error.ts';
import { Secret } from '../secrets/secret.ts';

/**
 * Encrypts and decrypts the payloads of a merchant with S2S payload encryption (interface 5.4, rule 4.4.8). The document
 * does not show the scheme: implement your own, or use the observed one below. As documented, requests of S2S collections
 * and refunds are encrypted; requests of payouts are not.
 */
export interface PayloadCodec {
  /** Returns the string that is sent as `{ data: … }` for the inner payload as JSON text. */
  encode(plain: string): string;
  /** Returns the inner payload's bytes for the string of `{ data: … }`; null when it was not made with this key. */
  decode(payload: string): Uint8Array | null;
}

export interface AesKey {
  /** 32 bytes as 64 hexadecimal digits. */
  readonly keyHex: string | Secret;
  /** 16 bytes as 32 hexadecimal digits. */
  readonly ivHex: string | Secret;
}

/**
 * AES-256-CBC with a static key and IV; writes hexadecimal, reads hexadecimal or base64. *Observed, unconfirmed*
 * (decision 86); off by default. A static IV hides little: use it only where the service requires it.
 *
 * @throws TallyhookError (configuration) for a key or IV of the wrong length
 */
export function aesCbcCodec(aesKey: AesKey): PayloadCodec {
  // Plain JavaScript may leave it out: then both are refused as empty.
  const { keyHex, ivHex } = Object(aesKey) as AesKey;
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
  const text = given instanceof Secret ? given.reveal() : typeof given === 'string' ? given : '';
  if (/^[0-9a-fA-F]*$/.test(text) && text.length === length * 2) return Buffer.from(text, 'hex');
  throw new TallyhookError(`The ${what} of the payload encryption has ${text.length} characters.`, {
    kind: 'configuration',
    hint: `It must be ${length} bytes, written as ${length * 2} hexadecimal digits.`,
  });
}
