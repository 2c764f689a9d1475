import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Merchant } from '../business/records.ts';

/** S2S payload encryption as observed (decision 86): AES-256-CBC with a static key and IV; hexadecimal out, hexadecimal or base64 in. */
type Encryption = NonNullable<Merchant['encryption']>;

export function encryptPayload({ keyHex, ivHex }: Encryption, plain: string): string {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(keyHex, 'hex'), Buffer.from(ivHex, 'hex'));
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('hex');
}

/** The plain text, or null when the payload was not made with this key. */
export function decryptPayload({ keyHex, ivHex }: Encryption, payload: string): string | null {
  const bytes = Buffer.from(payload, /^[0-9a-f]+$/i.test(payload) ? 'hex' : 'base64');
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(keyHex, 'hex'), Buffer.from(ivHex, 'hex'));
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8');
  } catch {
    return null; // wrong key, wrong length or altered bytes: the padding does not fit
  }
}
