import { expect, test } from 'vitest';
import { at, told } from '../support/month/told.ts';
import { WalletMonth } from '../support/wallet-month.ts';

/* What a key takes without deciding it, and what a person decides of it: figures by hand, each command as the report gives it. */

const sale = (reference: string, day: number) =>
  told('collection', reference, {
    ...{ amount: '100.00', requested_amount: '100.00', fees: '0.00' },
    ...{ created_at: at(day), paid_at: at(day), updated_at: at(day) },
  });
const payout = (reference: string, day: number, account: string, sessionid: string) =>
  told('payout', reference, {
    ...{ amount: '200.00', fee: '0.00', stamp_duty: '0.00', created_at: at(day), updated_at: at(day) },
    ...{ bank_code: '990001', account_number: account, sessionid },
  });

const said = (items: readonly { code: string; reference: string | null; effect: string }[]) =>
  items.map(({ code, reference, effect }) => `${code} ${reference} ${effect}`).toSorted();

test('a copy and the lines of an ambiguous record are taken by their key, and are not confirmed', async () => {
  const month = await WalletMonth.of(
    [sale('C1', 2), sale('C2', 3)],
    [
      '2026-10-02,C1,,Collection,100.00,0.00',
      '2026-10-05,C1,,Collection,100.00,0.00',
      '2026-10-03,C2,,Collection,60.00,0.00',
      '2026-10-04,C2,,Collection,41.00,0.00',
    ],
  );
  const report = await month.reconcile();
  expect(said(report.breaks)).toEqual(['ambiguous C2 1.00', 'duplicate_external C1 100.00']);
  expect(report.matched).toEqual({ 'records-wallet': 1 });
  // Of two that should be matched one is.
  const rate = { leg: 'records-wallet', currency: 'NGN', matched: 1, unmatched: 1, rate: '50.00' };
  expect(await month.shop.json('reconcile', '--from', '2026-10-01', '--to', '2026-10-31')).toMatchObject({
    matchRate: [rate],
    whole: [],
  });
  const screen = (...more: string[]) =>
    month.shop.run('reconcile', ...more, '--from', '2026-10-01', '--to', '2026-10-31');
  expect((await screen()).stdout).toMatch(/LEG.* MATCHED +UNMATCHED +PER CENT .*\n *records-wallet .* 1 +1 +50\.00 /);
  const ofLeg = (await screen('records-ledger')).stdout;
  expect(ofLeg).not.toContain('records-wallet');
  expect(ofLeg).toContain('Of everything, and not of what was asked for alone: webhooks against the service, totals');
  const claimed = await month.shop.json('matches', 'list', '--state', 'claimed', '--oldest-first');
  expect(
    claimed.items.map(({ reference, line }: { reference: string; line: { row: number } }) => [reference, line.row]),
  ).toEqual([
    ['C1', 4],
    ['C2', 5],
    ['C2', 6],
  ]);
  const confirmed = await month.shop.json('matches', 'list', '--state', 'confirmed');
  expect(confirmed.items).toMatchObject([{ reference: 'C1', line: { row: 3 }, pass: 'reference' }]);
  expect((await month.shop.run('matches', 'list', '--state', 'claimed')).stdout).toContain(
    'taken by its key; not confirmed',
  );
  expect((await month.shop.run('why', 'C2')).stdout.replace(/\s+/g, ' ')).toMatch(
    /was taken for it by its key in run \d+, and is not confirmed/,
  );

  // The two lines are the payment in two parts, 1.00 too much: a person says so of each, by the commands that the report gives.
  const [ambiguous] = report.breaks.filter(({ code }) => code === 'ambiguous');
  expect(ambiguous?.nextStep).toBe(
    'Look at its candidates, then say which one it is, such as: tallyhook matches confirm --line STATEMENT:ROW --reference C2',
  );
  expect(await month.carryOut(ambiguous)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /: row 5 of statement 1 belongs to collection C2 \(records-wallet\)\. The next reconcile uses it\.\n$/,
    ),
  });
  const second = claimed.items[2] as { id: number };
  expect(await month.shop.run('matches', 'confirm', String(second.id))).toMatchObject({ code: 0 });
  const after = await month.reconcile();
  expect(said(after.breaks)).toEqual(['amount_mismatch C2 1.00', 'duplicate_external C1 100.00']);
  expect(after.matched).toEqual({ 'records-wallet': 2 });
  expect((await month.shop.json('matches', 'list', '--reference', 'C2')).items).toMatchObject([
    { pass: 'person', state: 'confirmed' },
    { pass: 'person', state: 'confirmed' },
  ]);
});

test('of two lines of other amounts, the one that a person names differs, and the other is one too many', async () => {
  const month = await WalletMonth.of(
    [sale('C1', 2)],
    ['2026-10-02,C1,,Collection,107.00,0.00', '2026-10-02,C1,,Collection,87.00,0.00'],
  );
  const { breaks } = await month.reconcile();
  expect(said(breaks)).toEqual(['ambiguous C1 94.00']);
  expect(breaks[0]?.candidates).toEqual(['1:3 2026-10-02 107.00 NGN', '1:4 2026-10-02 87.00 NGN']);
  expect(breaks[0]?.reason).toBe('it may belong to any of 2026-10-02 107.00 NGN, 2026-10-02 87.00 NGN');
  for (const list of ['breaks', 'exceptions']) {
    expect((await month.shop.run(list, 'show', `${breaks[0]?.id}`)).stdout.replace(/\s+/g, ' ')).toContain(
      'such as: tallyhook matches confirm --line 1:3 --reference C1',
    );
  }
  expect(await month.shop.run('matches', 'confirm', '--line', '1:4', '--reference', 'C1')).toMatchObject({ code: 0 });
  const after = await month.reconcile();
  expect(said(after.breaks)).toEqual(['amount_mismatch C1 -13.00', 'duplicate_external C1 107.00']);
});

test('lines and payouts of one session: what a person says of one leaves the other pair alone', async () => {
  const month = await WalletMonth.of(
    [payout('P1', 6, '5000000001', 'S1'), payout('P2', 6, '5000000002', 'S1')],
    ['2026-10-06,,S1,Payout,-200.00,0.00', '2026-10-07,,S1,Payout,-200.00,0.00'],
  );
  const { breaks } = await month.reconcile();
  expect(breaks.map(({ code, effect, candidates }) => [code, effect, candidates])).toEqual([
    ['ambiguous', '200.00', ['P1', 'P2']],
    ['ambiguous', '-200.00', ['P1', 'P2']],
  ]);
  expect(await month.carryOut(breaks[0])).toMatchObject({ code: 0 });
  const after = await month.reconcile();
  expect([after.breaks, after.suggested, after.matched]).toEqual([[], [], { 'records-wallet': 2 }]);
});

test('lines that name nothing: each is said by its place, and nothing is left', async () => {
  const month = await WalletMonth.of(
    [payout('P1', 6, '5000000001', 'S1'), payout('P2', 6, '5000000002', 'S2')],
    ['2026-10-06,,,Payout,-200.00,0.00', '2026-10-06,,,Payout,-200.00,0.00'],
  );
  const { breaks } = await month.reconcile();
  expect(breaks.map(({ code, candidates }) => [code, candidates])).toEqual([
    ['ambiguous', ['P1', 'P2']],
    ['ambiguous', ['P1', 'P2']],
  ]);
  expect(await month.carryOut(breaks[0])).toMatchObject({ code: 0 });
  const other = breaks[1]?.line;
  const place = `${other?.statement}:${other?.row}`;
  const given = await month.shop.json('matches', 'confirm', '--line', place, '--reference', 'P2', '--as', 'ada');
  expect(given).toMatchObject({ id: null, reference: 'P2', line: other, decision: { verdict: 'together', by: 'ada' } });
  const after = await month.reconcile();
  expect([after.breaks, after.suggested, after.matched]).toEqual([[], [], { 'records-wallet': 2 }]);
  // And taken back again: apart for good.
  expect(await month.shop.run('matches', 'undo', '--line', place, '--reference', 'P2')).toMatchObject({ code: 0 });
  const undone = (await month.reconcile()).breaks;
  expect(undone.find(({ reference }) => reference === null)?.reason).toBe(
    'the statement shows 200.00, and a person said that it does not belong to P2',
  );
  expect(said(undone)).toEqual(['missing_external P2 200.00', 'missing_internal null -200.00']);
});

test('a line, a record or a word that cannot be is refused with what to do', async () => {
  const month = await WalletMonth.of(
    [sale('C1', 2)],
    ['2026-10-02,C1,,Collection,100.00,0.00', '2026-10-03,,,Adjustment,5.00,0.00'],
  );
  const confirm = (...args: readonly string[]) => month.shop.run('matches', 'confirm', ...args);
  expect(await confirm('--line', '1:99', '--reference', 'C1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Statement 1 has no line in row 99.'),
  });
  expect(await confirm('--line', '1:3', '--reference', 'C9')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no collection C9 in test.'),
  });
  expect(await confirm('--line', '1:4', '--reference', 'C1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A line of the type adjustment belongs to no row of ours.'),
  });
  expect(await confirm('--line', '1-3', '--reference', 'C1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('such as 3:17'),
  });
  expect(await confirm('--line', '1:3')).toMatchObject({ code: 2 });
  expect(await confirm()).toMatchObject({ code: 2, stderr: expect.stringContaining('--line STATEMENT:ROW') });
  expect(await confirm('--line', '1:3', '--reference', 'C1')).toMatchObject({ code: 0 });
  expect(await confirm('--line', '1:3', '--reference', 'C1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('That was said already'),
  });
});

test('a line is suggested only where confirming it leaves no effect: in the direction of the record, after its charges, of money that moved', async () => {
  const times = { created_at: at(5), paid_at: at(5), updated_at: at(5) };
  const of = (kind: 'collection' | 'payout' | 'refund', reference: string, data: Record<string, unknown>) =>
    told(kind, reference, { ...times, ...data });
  const back = (reference: string, amount: string, fee: string, data: Record<string, unknown>) =>
    of('refund', reference, { refund_reference: reference, transaction_reference: 'T', amount, fee, ...data });
  const month = await WalletMonth.of(
    [
      sale('A', 5),
      of('collection', 'B', { amount: '77.00', requested_amount: '77.00', fees: '0.00' }),
      of('collection', 'C', { amount: '90.00', requested_amount: '90.00', fees: '2.00' }),
      of('collection', 'D', { amount: '60.00', requested_amount: '60.00', fees: '2.00' }),
      of('payout', 'P', { amount: '70.00', fee: '5.00', stamp_duty: '0.00' }),
      of('payout', 'FAILED', { status: 'failed', amount: '44.00', fee: '0.00', stamp_duty: '0.00' }),
      back('R', '30.00', '1.00', { total_reserved: '31.00', requested_at: at(5), completed_at: at(5) }),
      back('OPEN', '15.00', '0.00', { status: 'processing', total_reserved: '15.00', requested_at: at(5) }),
      of('collection', 'FREE', { amount: '50.00', requested_amount: '50.00', fees: '2.00' }),
      of('collection', 'TWICE', { amount: '13.00', requested_amount: '13.00', fees: '0.00' }),
    ],
    [
      ...['2026-10-05,,,Collection,100.00,', '2026-10-06,,,Collection,-100.00,', '2026-10-05,,,Collection,-77.00,'],
      ...['2026-10-05,,,Collection,90.00,', '2026-10-05,,,Collection,58.00,2.00', '2026-10-05,,,Payout,-70.00,'],
      ...['2026-10-05,,,Payout,-44.00,', '2026-10-05,,,Refund,30.00,', '2026-10-05,,,Refund,15.00,'],
      ...['2026-10-06,,,Collection,13.00,', '2026-10-06,,,Collection,13.00,', '2026-10-05,FREE,,Collection,50.00,'],
    ],
  );
  const { breaks, timing, suggested } = await month.reconcile();
  expect(said(suggested)).toEqual(['suggested A 0.00', 'suggested D 0.00']);
  expect(said(timing)).toEqual(['timing OPEN 15.00']);
  const open = breaks.filter(({ code }) => code === 'ambiguous');
  expect(said(breaks.filter(({ code }) => !['ambiguous', 'stuck'].includes(code)))).toEqual(
    [
      ...['missing_external B -77.00', 'missing_internal null -77.00', 'missing_internal null -100.00'],
      ...['missing_external C -88.00', 'missing_internal null 90.00', 'missing_external P 75.00'],
      ...['missing_internal null -70.00', 'missing_internal null -44.00', 'missing_external R 31.00'],
      ...['amount_mismatch FREE 2.00', 'missing_internal null 30.00', 'missing_internal null 15.00'],
    ].toSorted(),
  );
  expect(open.map(({ effect, reason }) => [effect, reason])).toEqual([
    ['0.00', 'it may belong to TWICE, and nothing tells whether it does'],
    ['13.00', 'it may belong to TWICE, and nothing tells whether it does'],
  ]);
  expect(breaks.find(({ reference }) => reference === 'FREE')?.reason).toBe(
    'amount 50.00 after charges, our records say 48.00',
  );
  // Confirmed, they leave nothing.
  for (const { id } of await month.shop.matches({ states: ['suggested'] })) await month.shop.decide(id);
  const after = await month.reconcile();
  expect([after.suggested, said(after.breaks)]).toEqual([[], said(breaks)]);
});
