import { createHash } from 'node:crypto';
import { requestBytes } from './raw-http.ts';
import { signed } from './signer.ts';

/**
 * Returns the bytes of a signed delivery with one bit flipped in its body, payloadSignature or merchantSignature; seed and
 * index choose it. The signatures' bits are those of their bytes: in the hexadecimal text one bit only changes the letter
 * case, which is the same signature.
 */
export function flippedDelivery(path: string, text: string, seed: number | string, index: number): Buffer {
  const { payloadSignature, merchantSignature } = signed(text);
  const body = Buffer.from(text);
  const parts = [body, Buffer.from(payloadSignature, 'hex'), Buffer.from(merchantSignature, 'hex')];
  const bits = 8 * parts.reduce((sum, part) => sum + part.length, 0);
  let bit = createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE() % bits;
  for (const part of parts) {
    if (bit < 8 * part.length) {
      part[bit >> 3] = (part[bit >> 3] as number) ^ (1 << (bit & 7));
      break;
    }
    bit -= 8 * part.length;
  }
  const [, payload = '', merchant = ''] = parts.map((part) => part.toString('hex'));
  const headers = Object.entries({ payloadSignature: payload, merchantSignature: merchant });
  return requestBytes({ path, headers, body });
}
