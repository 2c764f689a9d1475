import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Capture } from '../../../src/receive/capture.ts';
import { Refusals } from '../../../src/receive/refusals.ts';
import type { Refusal, RefusalCount } from '../../../src/store/inbox.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/wait.ts';

const refusal = (over: Partial<Refusal> = {}): Refusal => ({
  atMs: 0,
  path: '/webhooks/test',
  reason: 'missing_payload_signature',
  remoteAddress: '127.0.0.1',
  contentLength: 1,
  userAgent: null,
  ...over,
});

const STRANGER = { likeness: 'other', environments: ['test'] } as const;

test('a flood of refusals is counted whole and shown ten times a minute', () => {
  const refusals = new Refusals();
  const shown = [0, 59_999, 60_000].map(
    (atMs) => Array.from({ length: 1_000 }, () => refusals.add(refusal({ atMs }), STRANGER)).filter(Boolean).length,
  );
  expect(shown).toEqual([10, 0, 10]);
  const flushed: [readonly RefusalCount[], readonly Refusal[]][] = [];
  const sink = { countRefusals: (...all: [readonly RefusalCount[], readonly Refusal[]]) => flushed.push(all) };
  refusals.flush(sink);
  refusals.flush(sink); // nothing new, nothing written
  expect(flushed).toHaveLength(1);
  expect(flushed[0]?.[0]).toMatchObject([{ count: 3_000, firstAtMs: 0, lastAtMs: 60_000 }]);
  expect(flushed[0]?.[1]).toHaveLength(20);
  expect(refusals.totals()).toEqual(new Map([['missing_payload_signature', 3_000]]));
});

test('captured deliveries are private files, a hundred at most, and none is large', async () => {
  const folder = join(temporaryFolder(), 'captured');
  const errors: unknown[] = [];
  const capture = new Capture(folder, (error) => errors.push(error));
  const headers = { payloadsignature: 'abc', authorization: 'Bearer secret', 'content-length': '3' };
  const bodyIn = (slot: string) => readFileSync(join(folder, `${slot}.body`), 'utf8');
  const isThere = (name: string) => existsSync(join(folder, name)) && statSync(join(folder, name)).size > 0;
  for (let n = 0; n < 500; n++) capture.write(Buffer.from(`flood ${n}`), headers); // more than the disk follows
  await until(() => isThere('099.headers'), 'the first hundred are written');
  expect([bodyIn('000'), bodyIn('099'), readdirSync(folder).length]).toEqual(['flood 0', 'flood 99', 200]);
  capture.write(Buffer.alloc(256 * 1024 + 1), headers);
  capture.write(Buffer.from('later'), headers);
  await until(() => bodyIn('000') === 'later', 'the oldest gives its place');
  const text = 'payloadsignature: abc\ncontent-length: 3\n'; // every other header is left out
  await until(() => readFileSync(join(folder, '000.headers'), 'utf8') === text, 'its headers are there');
  expect(readdirSync(folder)).toHaveLength(200);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(errors).toEqual([]);
});
