import { hash } from 'node:crypto';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { type Delivery, MERCHANT_SIGNATURES } from '../../inbox.ts';

/*
 * An entry of the log: a group of deliveries as bytes. A byte with the number of the format, four bytes (little-endian) with the
 * length of the head, the head (JSON: one array per delivery), and the bodies back to back.
 */

const FORMAT = 1;
const HEAD_AT = 5;

type Head = readonly (readonly [
  Delivery['environment'],
  keyId: string,
  Delivery['merchantSignature'],
  sentAt: string | null,
  receivedAtMs: number,
  bodyBytes: number,
])[];

/** A group of deliveries, packed by the thread that received them and moved to the thread that appends. */
export interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly deliveries: number;
  /** When the first of them was received. */
  readonly receivedAtMs: number;
}

export function packEntry(deliveries: readonly [Delivery, ...Delivery[]]): Entry {
  const head: Head = deliveries.map(({ environment, keyId, merchantSignature, sentAt, receivedAtMs, body }) => {
    return [environment, keyId, merchantSignature, sentAt, receivedAtMs, body.byteLength];
  });
  const text = Buffer.from(JSON.stringify(head));
  const bodyBytes = deliveries.reduce((sum, { body }) => sum + body.byteLength, 0);
  const bytes = new Uint8Array(HEAD_AT + text.byteLength + bodyBytes);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FORMAT);
  view.setUint32(1, text.byteLength, true);
  bytes.set(text, HEAD_AT);
  let end = HEAD_AT + text.byteLength;
  for (const { body } of deliveries) {
    bytes.set(body, end);
    end += body.byteLength;
  }
  return { bytes, deliveries: deliveries.length, receivedAtMs: deliveries[0].receivedAtMs };
}

export function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

/**
 * Returns the deliveries of an entry; their bodies are views of `bytes`.
 *
 * @throws Error with the reason when the bytes are none of this format, or not those of the digest
 */
export function unpackEntry(bytes: Uint8Array, digest: Uint8Array): Delivery[] {
  if (!digestOf(bytes).equals(digest)) throw new Error('its bytes do not match their digest');
  return unpackDeliveries(bytes);
}

/** As `unpackEntry`, of bytes that were compared with a digest before. */
export function unpackDeliveries(bytes: Uint8Array): Delivery[] {
  if (bytes[0] !== FORMAT) throw new Error(`its format is ${bytes[0]}; this program reads ${FORMAT}`);
  const headBytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(1, true);
  const head: Head = JSON.parse(Buffer.from(bytes.subarray(HEAD_AT, HEAD_AT + headBytes)).toString());
  let end = HEAD_AT + headBytes;
  const deliveries = head.map(([environment, keyId, merchantSignature, sentAt, receivedAtMs, bodyBytes]) => {
    if (!ENVIRONMENTS.includes(environment) || !MERCHANT_SIGNATURES.includes(merchantSignature))
      throw new Error('its head names no environment or no signature');
    const body = bytes.subarray(end, end + bodyBytes);
    end += bodyBytes;
    return { environment, keyId, merchantSignature, body, sentAt, receivedAtMs };
  });
  if (end !== bytes.byteLength) throw new Error('its bodies are not as long as its head says');
  return deliveries;
}
