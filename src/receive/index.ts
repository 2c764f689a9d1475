/*
 * Signatures alone, `tallyhook/signature`: a handler that keeps deliveries itself loads a few files and no package.
 *
 *   const verified = verifySignatures(rawBody, request.headers, keyPairs);
 */
export { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
export { type ErrorKind, TallyhookError } from '../domain/error.ts';
export { Secret } from '../domain/secrets/secret.ts';
export {
  type HeaderSource,
  SIGNATURE_FAILURES,
  SignatureError,
  type SignatureFailure,
  signWebhook,
  type Verification,
  verifySignatures,
  type WebhookSignatures,
} from './signature.ts';
