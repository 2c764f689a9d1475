import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseAmount } from '../../src/domain/money/amount.ts';
import { openTracking } from '../../src/index.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { FixedClock } from '../support/fixed-clock.ts';
import { temporaryFolder } from '../support/folder.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';

const db = new TestDatabase();
db.keepAndApply(payout('P1', 'success'), refund('R1', 'success', {}, { environment: 'live' }));
afterAll(() => db.remove());
const keysOf = (environment: 'TEST' | 'LIVE') => ({
  [`TALLYHOOK_${environment}_PUBLIC_KEY`]: `pk_${environment.toLowerCase()}_of_tracking_1`,
  [`TALLYHOOK_${environment}_SECRET_KEY`]: `sk_${environment.toLowerCase()}_of_tracking_1`,
});
const runWith = (keys: Record<string, string>, ...args: string[]) =>
  command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path, ...keys } });
const run = (...args: string[]) => runWith(keysOf('TEST'), ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(db.folder, name), content);
  return name;
};
const tracked = () => db.database.prepare<[], number>('SELECT count(*) FROM tracked').pluck().get();

test('one reference: tracked, tracked again, replaced, listed, forgotten', async () => {
  const args = ['track', 'payout', 'P1', '--amount', '100', '--currency', 'ngn', '--due', '2026-11-30'];
  expect(await run(...args)).toEqual({
    code: 0,
    stdout: 'payout P1 (test) tracked: 100.00 NGN by 2026-11-30; met\n',
    stderr: '',
  });
  const again = await json(...args);
  expect(again).toMatchObject({ tracked: 1, same: 1, expectations: [{ effect: 'same', state: 'met', findings: [] }] });
  expect(undocumentedFields(again, ['track'])).toEqual([]);
  expect(await run('track', 'payout', 'P1', '--amount', '90.00', '--currency', 'NGN')).toMatchObject({
    code: 3,
    stdout: [
      'payout P1 (test) replaced: 90.00 NGN; unmet',
      'before: 100.00 NGN by 2026-11-30',
      'amount_unexpected: 90.00 NGN expected, 100.00 NGN came\n',
    ].join('\n'),
  });
  const listed = await json('track', 'list', '--open');
  expect(listed).toMatchObject({
    items: [{ reference: 'P1', amount: '90.00', reported: 'success', state: 'unmet' }],
    total: 1,
  });
  expect(undocumentedFields(listed, ['track'])).toEqual([]);
  expect(await run('track', 'list')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/payout P1 +90\.00 NGN +unmet +success \(reported\) +90\.00 NGN expected/),
  });
  expect(await run('findings', '--code', 'amount_unexpected')).toMatchObject({ code: 3 });
  const forgotten = await json('track', 'forget', 'P1');
  expect(forgotten).toMatchObject([{ reference: 'P1', recordRemoved: false }]);
  expect(undocumentedFields(forgotten, ['track'])).toEqual([]);
  expect(await run('findings')).toMatchObject({ code: 0 });
  expect(await run('track', 'forget', 'P1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not tracked/),
  });
});

test('a file: all rows or none; the message has the line and value of each mistake', async () => {
  const before = tracked();
  const bad = file(
    'bad.csv',
    [
      'reference,amount,currency,due',
      'F1,"1,500.50",NGN,2026-11-30',
      ' F2,10,NGN,',
      '',
      'F3,5,,',
      'F4,5,NGN,7d',
      'F5,5',
      'F6,0,NGN,',
      'F7,1.005,NGN,',
      'F8,1,naira,',
      'F9,1,NGN,',
      'F9,1,NGN,',
      ',1,NGN,',
    ].join('\r\n'),
  );
  const refused = await run('track', 'refund', bad);
  expect(refused.code).toBe(2);
  expect(refused.stderr.split('\n')).toEqual([
    'tallyhook: bad.csv: 10 rows are wrong, and nothing was done:',
    '  line 2: amount "1,500.50" is not an amount (syntax).',
    '  line 3: reference " F2" has white space around it.',
    '  line 5: currency is missing: an amount has one.',
    '  line 6: due "7d" is not a date or time.',
    '  line 7: it has 2 values for 4 columns.',
    '  line 8: amount "0" is not above zero.',
    '  line 9: amount "1.005" is not an amount (precision).',
    '  line 10: currency "naira" is not a currency code such as USD.',
    '  line 12: "F9" is on line 11 already.',
    '  line 13: reference is missing.',
    expect.stringContaining('1500.50'),
    '',
  ]);
  expect(tracked()).toBe(before);

  const good = file('good.csv', '\ufeffdue,Reference\r\n2026-11-30,"R,1"\r\n,R1\r\n');
  expect(await run('track', 'refund', good, '--environment', 'live')).toMatchObject({
    code: 0,
    stdout: '2 refunds tracked in live: 2 new, 0 changed, 0 unchanged\n',
  });
  expect(await json('track', 'refund', good, '--environment', 'live')).toMatchObject({ same: 2, expectations: [] });
  expect((await json('track', 'list', '--kind', 'refund', '--oldest-first')).items).toMatchObject([
    { kind: 'refund', environment: 'live', reference: 'R,1', expectedBy: '2026-11-30T22:59:59.999Z', state: 'unmet' },
    { reference: 'R1', amount: null, state: 'met' },
  ]);
});

test.each([
  ['a misspelt column', 'reference,ammount\nX,1\n', /line 1: "ammount" is an unknown column\. Did you mean amount\?/],
  [
    'semicolons',
    'reference;amount\nX;1\n',
    /line 1: "reference;amount" is an unknown column\. Is ; the delimiter\? It must be a comma\./,
  ],
  ['a column twice', 'reference,reference\nX,X\n', /"reference" occurs twice/],
  ['no reference', 'amount,currency\n1,NGN\n', /the column reference is missing/],
  ['a quote that stays open', 'reference\nA\n"X\n', /line 3: it is no CSV \(CSV_QUOTE_NOT_CLOSED\)/],
  ['a row without end', `reference\n${'x'.repeat(100_000)}`, /CSV_MAX_RECORD_SIZE/],
  ['bytes that are no UTF-8', Buffer.from('reference\nKöln\n', 'latin1'), /is not UTF-8/],
  ['nothing', '', /has no rows/],
  ['a header alone', 'reference\n', /has no rows/],
])('a file with %s is refused', async (_case, content, message) => {
  const before = tracked();
  const { code, stderr } = await run('track', 'payout', file('odd.csv', content));
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(tracked()).toBe(before);
});

test('mistakes on the command line end with 2', async () => {
  for (const [message, ...args] of [
    [/^tallyhook: Cannot read missing\.csv: it does not exist\.\n/, 'payout', 'missing.csv'],
    [/--amount does not apply to a file/, 'payout', 'good.csv', '--amount', '1'],
    [/currency is missing/, 'payout', 'P9', '--amount', '1'],
    [/due "soon" is not a date or time/, 'payout', 'P9', '--due', 'soon'],
    [/Which|What to track/],
  ] as const) {
    expect(await run('track', ...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  }
});

test('the library: tracks before any delivery was received', async () => {
  const path = join(temporaryFolder(), 'own.db');
  const clock = new FixedClock(Date.parse('2026-11-20T10:00:00Z'));
  const tracking = await openTracking({ path, clock });
  const payout = { kind: 'payout', environment: 'live', reference: 'P1', amount: '1500.50', currency: 'NGN' } as const;
  expect(await tracking.track(payout, { ...payout, reference: 'P2', due: new Date('2026-11-19') })).toMatchObject([
    { effect: 'new', state: 'unmet', amount: parseAmount('1500.5') },
    { effect: 'new', state: 'overdue', findings: [{ code: 'never_seen' }] },
  ]);
  for (const [wrong, field] of [
    [{ ...payout, amount: '1.001' }, 'amount'],
    [{ ...payout, reference: '' }, 'reference'],
    [{ ...payout, currency: null }, 'currency'],
    [{ ...payout, due: new Date('never') }, 'due'],
  ] as const) {
    await expect(tracking.track({ ...payout, reference: 'P3' }, wrong)).rejects.toMatchObject({
      name: 'ExpectationError',
      field,
    });
  }
  expect(await tracking.forget({ reference: 'P3' })).toEqual([]);
  expect(await tracking.forget({ reference: 'P1' })).toMatchObject([{ environment: 'live', recordRemoved: true }]);
  await tracking.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('without --environment it is the only one with keys; a wrong one would be a false finding', async () => {
  const rows = file('live.csv', 'reference\nL1\nL2\n');
  expect(await runWith(keysOf('LIVE'), 'track', 'payout', rows)).toMatchObject({
    code: 0,
    stdout: '2 payouts tracked in live: 2 new, 0 changed, 0 unchanged\n',
  });
  expect(await runWith(keysOf('LIVE'), 'track', 'payout', 'L3')).toMatchObject({
    stdout: 'payout L3 (live) tracked: any amount; unmet\n',
  });
  const before = tracked();
  for (const [keys, seen] of [
    [{ ...keysOf('TEST'), ...keysOf('LIVE') }, 'Test and live both have keys.'],
    [{}, 'No environment has keys.'],
  ] as const) {
    expect(await runWith(keys, 'track', 'payout', rows)).toEqual({
      code: 2,
      stdout: '',
      stderr: `tallyhook: Which environment? ${seen}\nAdd --environment test or --environment live.\n`,
    });
  }
  expect(tracked()).toBe(before);
});

test('a file is forgotten as it was tracked', async () => {
  const before = tracked();
  const rows = file('wrong.csv', 'reference,amount,currency\nW1,10.00,NGN\nW2,20.00,NGN\n');
  await run('track', 'payout', rows);
  expect(tracked()).toBe(Number(before) + 2);
  const more = file('more.csv', 'reference\nW1\nW2\nW3\n');
  expect(await run('track', 'forget', more, '--environment', 'live')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tallyhook: None of the 3 references of more\.csv is tracked\.\n/),
  });
  expect(await run('track', 'forget', more)).toEqual({
    code: 0,
    stdout: '2 expectations forgotten: 2 in test\n',
    stderr: '1 of 3 references were not tracked.\n',
  });
  expect(tracked()).toBe(before);
});
