import { z } from 'zod';
import { COLLECTION_VERSIONS } from '../../domain/requests/request.ts';
import { Secret } from '../../domain/secrets/secret.ts';
import { MEBIBYTE, oneOf, section, wholeNumber } from '../settings.ts';

/** How the service at `baseUrl` is called. */
export const service = section({
  timeoutMs: wholeNumber(100, 600_000, 15_000, 'One request to the service, from first byte sent to last byte read.'),
  idleTimeoutMs: wholeNumber(100, 600_000, 5_000, 'Longest pause within a response of the service.'),
  retries: wholeNumber(0, 10, 2, 'Further attempts of a GET, or of a POST with an idempotency key.'),
  maxRetryAfterMs: wholeNumber(0, 3_600_000, 30_000, 'A longer Retry-After is not waited for, but reported.'),
  responseLimitBytes: wholeNumber(1024, 256 * MEBIBYTE, 4 * MEBIBYTE, 'Larger responses of the service are refused.'),
  collectionPath: pathTemplate('/api/v1/transaction/verify/{reference}', 'Path that verifies a collection, or null.'),
  payoutPath: pathTemplate('/api/v1/payout/{reference}', 'Path that returns the status of a payout, or null.'),
  collectionVersion: oneOf(COLLECTION_VERSIONS, 'v1', 'Paths of new collections; legacy only if you began with it.'),
  payoutAmount: oneOf(['number', 'string'], 'number', 'How the amount of a payout is written.'),
  encryption: z
    .strictObject(
      { key: hexSecret(32, 'Key of the payload encryption'), iv: hexSecret(16, 'IV of the payload encryption') },
      'must be null or a map with key and iv',
    )
    .nullable()
    .default(null)
    .describe('AES-256-CBC payload encryption (observed, unconfirmed), only for a merchant who has it enabled.'),
});

/** A path with `{reference}` in it, or null where the service has no such endpoint. */
function pathTemplate(standard: string, description: string) {
  const rule = 'must be null or a path such as /api/v1/payout/{reference}';
  return z
    .string(rule)
    .regex(/^\/[^\s?#{}]*\{reference\}[^\s?#{}]*$/, rule)
    .nullable()
    .default(standard)
    .describe(description);
}

function hexSecret(bytes: number, description: string) {
  const rule = `must be ${bytes} bytes, written as ${bytes * 2} hexadecimal digits`;
  return z
    .string(rule)
    .regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`), rule)
    .transform((hex) => new Secret(hex))
    .describe(`${description}; better \${NAME} or {file: path} than the digits themselves.`);
}
