import { afterAll, expect, test } from 'vitest';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { TEST_KEY_ENV } from '../support/signer.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';

// The program reads the real clock, so ages are relative to it.
const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();
const at = (hoursAgo: number) => ({ receivedAtMs: NOW_MS - hoursAgo * HOUR_MS });

const db = new TestDatabase();
afterAll(() => db.remove());
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

db.keepAndApply(
  refund('R-OLD', 'pending', {}, at(75)),
  refund('R-OLDER', 'failed', {}, at(75)),
  payout('P-UNPROVEN', 'success', { data: { account_number: '0123456789' } }, at(75)),
);
const answered = { nowMs: NOW_MS - 75 * HOUR_MS + 1_000 };
await checked(db, 'R-OLD', null, { ...answered, outcome: 'no_answer', detail: 'nothing for 15 s' });
await checked(db, 'P-UNPROVEN', null, { ...answered, kind: 'payout', outcome: 'unproven' });

test('stuck: records that wait too long, why, and records that are not stuck; ends with 3', async () => {
  const { code, stdout, stderr } = await run('stuck');
  expect(code).toBe(3);
  expect(stdout).toMatch(/refund R-OLD +3 d 3 h +pending +- +not settled +no_answer: nothing for 15 s/);
  expect(stdout).toMatch(/refund R-OLDER +3 d 3 h +failed +- +never checked +- /);
  expect(stdout).toMatch(/Not confirmed, and not counted as stuck: 1 payout of test; their endpoint is unproven/);
  expect(stderr).toMatch(/never checked: Make sure that a sweep runs/);
  const listed = await run('stuck', '--json', '--limit', '1');
  expect(listed.code).toBe(3);
  const result = JSON.parse(listed.stdout);
  expect(result).toMatchObject({
    items: [{ reference: 'R-OLD', because: 'not_settled', check: { outcome: 'no_answer' } }],
    shown: 1,
    total: 2,
    more: true,
    unconfirmed: [{ kind: 'payout', environment: 'test', because: 'unproven', records: 1 }],
  });
  expect(undocumentedFields(result, ['stuck', 'refunds, payouts, collections'])).toEqual([]);
});

test('stuck: nothing to show ends with 0, wrong usage with 2', async () => {
  expect(await run('stuck', '--older', '4d')).toMatchObject({ code: 0, stderr: 'Nothing is stuck.\n' });
  expect(await run('stuck', '--kind', 'payout')).toMatchObject({ code: 0 });
  expect(await run('stuck', '--older', 'yesterday')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--older is "yesterday": it must be a length of time/),
  });
  expect(await run('stuck', '--after', '7')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--after needs --kind/),
  });
});

test('health: a channel that is well, one that is silent, one that only sweeps settle', async () => {
  const other = new TestDatabase();
  const options = { cwd: other.folder, env: { ...TEST_KEY_ENV, TALLYHOOK_DATABASE: other.path } };
  const health = (...args: string[]) => command(['health', ...args], options);
  for (let n = 0; n < 30; n++) {
    const { receivedAtMs } = at(30 - n);
    const updatedAt = new Date(receivedAtMs - 1_500).toISOString();
    other.keepAndApply(refund(`R${n}`, 'success', { updatedAt }, { receivedAtMs }));
  }
  const well = await health();
  expect(well).toMatchObject({ code: 0, stderr: '' });
  expect(well.stdout).toMatch(
    /^test +refund +30 of 30 +30 +0 \(0 %\) +0 +1\.5 s +1\.5 s .* 1 h( \d+ min)? +1 h +well$/m,
  );
  for (let n = 0; n < 30; n++) {
    const { receivedAtMs } = at(60 - n);
    other.keepAndApply(payout(`P${n}`, 'pending', {}, { environment: 'live', receivedAtMs }));
    await checked(other, `P${n}`, 'success', { kind: 'payout', nowMs: receivedAtMs + 1 });
  }
  const ill = await health('--since', '3d');
  expect(ill.code).toBe(3);
  expect(ill.stdout).toMatch(/^live +payout +30 of 30 +0 +30 \(100 %\) +30 .* silent, webhooks lost or late$/m);
  expect(ill.stderr).toMatch(/live payouts: nothing received for 1 d 7 h; the usual gap is 1 h/);
  expect(ill.stderr).toMatch(
    /live payouts: 100 % of results came from status checks: webhooks are being lost or late; 30 have no webhook so far/,
  );
  const listed = await health('--environment', 'live', '--sweep-share', '100', '--json');
  expect(listed.code).toBe(3);
  const result = JSON.parse(listed.stdout);
  expect(result).toMatchObject({ sweepShareAllowed: 1, channels: [{ kind: 'payout', problems: ['silent'] }] });
  expect(undocumentedFields(result, ['health'])).toEqual([]);
  expect((await health('--environment', 'test')).code).toBe(0);
  other.remove();
});
