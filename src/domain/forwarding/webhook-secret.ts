/** A secret of Standard Webhooks: this prefix, and 24 to 64 bytes in base64. */
const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** Returns the rule that the text of a webhook secret breaks, or null. The text itself is never part of the rule. */
export function webhookSecretProblem(text: string): string | null {
  if (!text.startsWith(PREFIX)) return `must begin with ${PREFIX}; make one: echo whsec_$(openssl rand -base64 32)`;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, ''))
    return `must be base64 after ${PREFIX}`;
  if (bytes.length < LEAST_BYTES)
    return `must have at least ${LEAST_BYTES} bytes after ${PREFIX}; it has ${bytes.length}`;
  return bytes.length > MOST_BYTES
    ? `must have at most ${MOST_BYTES} bytes after ${PREFIX}; it has ${bytes.length}`
    : null;
}

/** Returns the bytes of a valid webhook secret, the key of the signature. */
export function webhookSecretBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(PREFIX.length), 'base64');
}
