import { expect, test } from 'vitest';
import { REFUSAL_REASONS, refusalStatus } from '../../../src/receive/refusals.ts';
import { SIGNATURE_FAILURES } from '../../../src/receive/signature.ts';

// The statuses are those of docs/data-model.md, in the section on refusals.

test('every reason has its status: 401 for each failure of a signature, its own for each other', () => {
  const others = REFUSAL_REASONS.filter((reason) => !SIGNATURE_FAILURES.some((failure) => failure === reason));
  expect(Object.fromEntries(others.map((reason) => [reason, refusalStatus(reason)]))).toEqual({
    not_http: 400,
    unknown_path: 404,
    method: 405,
    request_timeout: 408,
    body_too_large: 413,
    content_encoding: 415,
    headers_too_large: 431,
    bodies_limit: 503,
  });
  expect(new Set(SIGNATURE_FAILURES.map(refusalStatus))).toEqual(new Set([401]));
});
