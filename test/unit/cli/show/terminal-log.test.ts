import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { terminalLog } from '../../../../cli/show/terminal-log.ts';
import { REFUSAL_REASONS } from '../../../../src/receive/refusals.ts';
import { DeliveryLog } from '../../../../src/serve/delivery-log.ts';

/** What the receiver answers, as the tests of `limits` and `refused-by-node` see it; every other reason: 401. */
const STATUS: Readonly<Record<string, number>> = {
  ...{
    not_http: 400,
    unknown_path: 404,
    method: 405,
    request_timeout: 408,
    body_too_large: 413,
    content_encoding: 415,
  },
  ...{ headers_too_large: 431, bodies_limit: 503 },
};

test.each(REFUSAL_REASONS)('a request refused for %s has the status of its answer, and advice of its own', (reason) => {
  let shown = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      shown += chunk;
      done();
    },
  }) as NodeJS.WriteStream;
  const log = pino({}, terminalLog(stderr, 'UTC'));
  const deliveries = new DeliveryLog({ log, decode: undefined, level: 'info' });
  const path = '/webhooks/test';
  const from = { remoteAddress: '192.0.2.1', contentLength: null, userAgent: null };
  deliveries.refused({ atMs: 0, path, reason, ...from }, { isShown: true, likeness: 'other' });
  expect(shown).toContain(`${STATUS[reason] ?? 401} refused   ${path}: ${reason}, from 192.0.2.1`);
  const isOfSignature = STATUS[reason] === undefined && !['no_keys', 'body_is_public_key'].includes(reason);
  expect(shown.includes('tallyhook verify')).toBe(isOfSignature);
});
