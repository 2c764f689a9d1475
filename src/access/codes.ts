import { Secret, TOTP } from 'otpauth';

/* Codes of six digits that a phone shows, a new one every 30 seconds (RFC 6238). Which codes were given is known by the books. */

const PERIOD_MS = 30_000;
/** Codes before and after the present one that are taken: clocks of phones differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const SECRET = /^[A-Z2-7]{32}$/;

/** A new secret as a person types it: 32 letters and digits. */
export function newSecret(random: (bytes: number) => Uint8Array): string {
  const bytes = random(SECRET_BYTES);
  return new Secret({
    buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  }).base32;
}

/** The bytes of a secret; null: the text is none. */
export function secretBytes(text: string): Uint8Array | null {
  const plain = text.replace(/\s/g, '').toUpperCase();
  return SECRET.test(plain) ? new Uint8Array(Secret.fromBase32(plain).buffer) : null;
}

/** What a phone takes, as a link or a picture: `otpauth://totp/…`. */
export function secretUri(secret: string, name: string): string {
  return new TOTP({ issuer: 'Tallyhook', label: name, secret: Secret.fromBase32(secret) }).toString();
}

/** Which 30 seconds the code is of; null: it is not one of the secret, now. */
export function codeStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const plain = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(plain)) return null;
  const buffer = new Uint8Array(secret).buffer as ArrayBuffer;
  const delta = new TOTP({ secret: new Secret({ buffer }) }).validate({
    token: plain,
    timestamp: nowMs,
    window: WINDOW,
  });
  return delta === null ? null : Math.floor(nowMs / PERIOD_MS) + delta;
}
