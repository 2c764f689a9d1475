import { afterAll, expect, test } from 'vitest';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { delivery, payout, refund, START_MS, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
db.keepAndApply(
  refund('R1', 'pending', { data: { transaction_reference: 'TX1' } }),
  payout('R1', 'success', { data: { account_number: '0123456789' } }, { environment: 'live' }),
  payout('P1', 'failed', { data: { account_number: '0123456789' } }),
  payout('P1', 'success', { updatedAt: '2026-11-20T09:10:00Z', data: { account_number: '9876543210' } }),
  delivery({ event: 'refund.success', data: { refund_reference: 'STRAY', domain: 'live', status: 'success' } }),
  delivery({ event: 'in\u001b[31mvoice', data: { reference: 'STRAY' } }),
);
await checked(db, 'R1', 'success', { nowMs: START_MS + 61_000, data: { amount: '50.00', currency: 'USD' } });
afterAll(() => db.remove());
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

test('the story in the zone of the configuration, every kind and environment of the reference', async () => {
  const { code, stdout, stderr } = await run('why', 'R1');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'refund R1 (test): 50.00 USD, of TX1',
    'Final: success, confirmed on 2026-11-20 11:01:01; it cannot change any more. ' +
      'The webhooks report pending. No further check is scheduled.',
    '',
    expect.stringMatching(
      /^2026-11-20 11:00:00 {2}Webhook refund\.pending received \(event 1\): pending, 50\.00 USD, dated/,
    ),
    '2026-11-20 11:00:00  Reported status: pending.',
    '2026-11-20 11:01:01  Status check: the service answered success, 50.00 USD.',
    '2026-11-20 11:01:01  Confirmed status: success.',
    '',
    'payout R1 (live): 100.00 NGN, to ••••••6789',
    expect.stringMatching(
      /^Open: the service has confirmed nothing; the webhooks report success\. No check can confirm it: set baseUrl, the address of the service, or TALLYHOOK_BASE_URL\.$/,
    ),
    '',
    expect.stringMatching(/^2026-11-20 11:00:00 {2}Webhook payout\.successful received \(event 2\)/),
    '2026-11-20 11:00:00  Reported status: success.',
    '',
    'Times are in Africa/Lagos.',
    '',
  ]);
});

test('--kind and --environment choose, --json is documented, and people are masked unless revealed', async () => {
  const { code, stdout } = await run('why', 'R1', '--kind', 'refund', '--json');
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    reference: 'R1',
    timeZone: 'Africa/Lagos',
    records: [
      {
        kind: 'refund',
        standing: 'final',
        confirmedSince: '2026-11-20T10:01:01.000Z',
        nextAt: null,
        story: [
          { at: '2026-11-20T10:00:00.000Z', source: 'webhook', facts: { eventId: 1, keyId: 'test-1', deliveries: 1 } },
          { source: 'status', facts: { field: 'reported', from: null, to: 'pending', gap: false } },
          { source: 'answer', facts: { counter: 1, status: 'success', amount: '50.00' } },
          { source: 'status', facts: { field: 'confirmed', to: 'success' } },
        ],
      },
    ],
  });
  expect(undocumentedFields(result, ['why', 'refunds, payouts, collections'])).toEqual([]);
  const live = JSON.parse((await run('why', 'R1', '--environment', 'live', '--json')).stdout);
  expect(live.records).toMatchObject([{ kind: 'payout', environment: 'live' }]);
  const masked = await run('why', 'P1');
  expect(masked.stdout).toContain('About accountNumber: ••••••6789 ≠ ••••••3210.');
  const revealed = await run('why', 'P1', '--reveal');
  expect(revealed.stdout).toContain('About accountNumber: 0123456789 ≠ 9876543210.');
});

test('a payment names its refunds, though they were not requested here and it is no record itself', async () => {
  const { code, stdout, stderr } = await run('why', 'TX1');
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'See the story of one: tallyhook why R1\n' });
  expect(stdout.split('\n')).toEqual([
    'Refunds of this payment',
    expect.stringMatching(/^ENV +REFERENCE +REPORTED +CONFIRMED +AMOUNT +FINDINGS$/),
    expect.stringMatching(/^test +R1 +pending +success +50\.00 +USD +0$/),
    '',
    'Times are in Africa/Lagos.',
    '',
  ]);
  const json = await run('why', 'TX1', '--json');
  expect(json.code).toBe(0);
  const result = JSON.parse(json.stdout);
  expect(result).toMatchObject({ records: [], requests: [], events: [], refunds: [{ reference: 'R1' }] });
  expect(undocumentedFields(result, ['why', 'refunds, payouts, collections'])).toEqual([]);
});

test('an unknown reference ends with 1; its events that made no record are shown', async () => {
  expect(await run('why', 'r1')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /No record, event, request or statement has the reference r1\.\nReferences are case-sensitive\. Ask the service: tallyhook refunds status r1; .*tallyhook backfill; .*tallyhook track KIND r1/,
    ),
  });
  const { code, stdout, stderr } = await run('why', 'STRAY');
  expect(code).toBe(1);
  expect(stdout).toMatch(/Event 5, refund\.success \(test\): quarantined, because it names another environment/);
  expect(stdout).toMatch(/Event 6, in\ufffd\[31mvoice \(test\): of no kind that makes a record/);
  expect(stderr).toMatch(/There is no record STRAY/);
  const json = await run('why', 'STRAY', '--json');
  expect(json.code).toBe(1);
  const result = JSON.parse(json.stdout);
  expect(result).toMatchObject({ records: [], requests: [], events: [{ quarantine: 'other_environment' }, { id: 6 }] });
  expect(undocumentedFields(result, ['why', 'events list'])).toEqual([]);
});
