import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tiedGroups } from '../../../../src/reconcile/judge/ties.ts';
import { type KeyedRow, Scratch } from '../../../../src/store/scratch/scratch.ts';
import { ourRow, type RowParts, theirLine } from '../../../support/matching/groups.ts';
import { type LineKeys, putLine, putRow, taken } from '../../../support/matching/scratch.ts';

/* Which line a pass takes for which row of ours. */

const LEG = 0;

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  scratch.setSides(
    [],
    [{ leg: LEG, environment: 'test', currency: 'NGN', kinds: ['payout', 'refund'], isLedger: false, days: [] }],
    null,
  );
});
afterEach(() => scratch.close());

const payout = (reference: string, parts: RowParts = {}, keys: Partial<KeyedRow> = {}) =>
  putRow(scratch, { ...ourRow('payout', 'completed', { amount: '100.00', ...parts }), reference }, keys);
const refund = (reference: string, transactionReference: string, parts: RowParts = {}) =>
  putRow(
    scratch,
    { ...ourRow('refund', 'success', { amount: '50.00', ...parts }), reference },
    { transactionReference },
  );

let row = 2;
const line = (
  type: 'payout' | 'refund' | 'fee',
  amount: string,
  { reference = null, ...keys }: LineKeys & { reference?: string | null } = {},
) => {
  const made = { ...theirLine(type, amount, { row: row++ }), reference };
  return putLine(scratch, made, { leg: LEG, kind: type === 'fee' ? null : type, ...keys });
};

function pass(...names: readonly ('reference' | 'session_id' | 'group' | 'transaction')[]): string[] {
  scratch.passes.prepare();
  for (const name of names) {
    if (name === 'transaction') scratch.passes.byTransaction(LEG);
    else scratch.passes.byKey(LEG, name);
    if (name === 'session_id') scratch.passes.bySession(LEG);
  }
  scratch.passes.charges(LEG);
  return taken(scratch);
}

describe('each line is taken once, by the first pass that can', () => {
  it('by its reference before its session', () => {
    const one = payout('A', {}, { sessionId: 'S1' });
    const other = payout('B', {}, { sessionId: 'S2' });
    const named = line('payout', '-100.00', { reference: 'A', sessionId: 'S2' });
    const bare = line('payout', '-100.00', { sessionId: 'S2' });
    expect(pass('reference', 'session_id')).toEqual([`${named} ${one} reference`, `${bare} ${other} session_id`]);
  });

  it.each([
    ['the session of both', { sessionId: 'S1' }, 'A', 'S1'],
    ['their reference is our session', { reference: 'S1' }, 'A', 'S1'],
    ['their session is our reference', { sessionId: 'A' }, 'A', 'S1'],
  ])('a session is %s', (_, keys, reference, sessionId) => {
    const ours = payout(reference, {}, { sessionId });
    const theirs = line('payout', '-100.00', keys);
    expect(pass('session_id')).toEqual([`${theirs} ${ours} session_id`]);
  });

  it('every line with the reference goes with it, charges too, whatever they amount to', () => {
    const ours = payout('A');
    const lines = [
      line('payout', '-7.00', { reference: 'A' }),
      line('payout', '-100.00', { reference: 'A' }),
      line('fee', '-2.00', { reference: 'A' }),
    ];
    expect(pass('reference')).toEqual(lines.map((one) => `${one} ${ours} reference`));
  });

  it('charges follow the lines with their reference, also where these name the row by another key', () => {
    const ours = payout('A', {}, { sessionId: 'S1' });
    const main = line('payout', '-100.00', { reference: 'X', sessionId: 'S1' });
    const fee = line('fee', '-2.00', { reference: 'X' });
    expect(pass('reference', 'session_id')).toEqual([`${main} ${ours} session_id`, `${fee} ${ours} reference`]);
  });

  it('charges without a reference follow the lines of their session to one row, else they stand in no leg', () => {
    const one = payout('A', {}, { sessionId: 'S1' });
    const [two, three] = [payout('B'), payout('C')];
    const lines = [
      line('payout', '-100.00', { reference: 'A', sessionId: 'S1' }),
      line('payout', '-100.00', { reference: 'B', sessionId: 'S2' }),
      line('payout', '-100.00', { reference: 'C', sessionId: 'S2' }),
    ];
    const fees = ['S1', 'S1', 'S2', 'S3'].map((sessionId) => line('fee', '-1.00', { sessionId }));
    const rows = [one, two, three].map((row, index) => `${lines[index]} ${row} reference`);
    expect(pass('reference', 'session_id')).toEqual([
      ...rows,
      `${fees[0]} ${one} session_id`,
      `${fees[1]} ${one} session_id`,
    ]);
    const inNoLeg = scratch.database
      .prepare<[], number>('SELECT id FROM theirs WHERE leg IS NULL ORDER BY id')
      .pluck()
      .all();
    expect(inNoLeg).toEqual([fees[2], fees[3]]);
  });

  it('not a row of another kind, nor of another environment', () => {
    refund('A', 'T1');
    line('payout', '-100.00', { reference: 'A' });
    expect(pass('reference')).toEqual([]);
  });

  it('one refund of a transaction with its amount, before its charges or with them', () => {
    const [first, second] = [refund('R1', 'T1', { fees: '1.00' }), refund('R2', 'T1', { amount: '70.00' })];
    const net = line('refund', '-51.00', { transactionReference: 'T1' });
    const gross = line('refund', '-70.00', { transactionReference: 'T1' });
    line('refund', '-99.00', { transactionReference: 'T1' });
    expect(pass('transaction')).toEqual([
      `${net} ${first} transaction_reference_and_amount`,
      `${gross} ${second} transaction_reference_and_amount`,
    ]);
  });
});

describe('a key of several rows', () => {
  it('is the one with the amount, when a session has others', () => {
    payout('A', { amount: '7.00' }, { sessionId: 'S' });
    const ours = payout('B', { fees: '2.00' }, { sessionId: 'S' });
    const theirs = line('payout', '-102.00', { sessionId: 'S' });
    expect(pass('session_id')).toEqual([`${theirs} ${ours} session_id`]);
    expect(scratch.passes.ties(LEG, 'session_id')).toEqual([]);
  });

  it('is left to ties, in the order of days, when several have it', () => {
    const late = payout('A', { day: '2026-10-12' }, { sessionId: 'S' });
    const early = payout('B', {}, { sessionId: 'S' });
    const theirs = line('payout', '-100.00', { sessionId: 'S' });
    expect(pass('session_id')).toEqual([]);
    expect(tiedGroups(scratch.passes.ties(LEG, 'session_id'))).toEqual([{ lines: [theirs], ours: [early, late] }]);
  });

  it('ties several lines to one refund, and two refunds to one line, each apart', () => {
    const [one, two, three] = [refund('R1', 'T1'), refund('R2', 'T2'), refund('R3', 'T2')];
    const lines = [1, 2].map(() => line('refund', '-50.00', { transactionReference: 'T1' }));
    const other = line('refund', '-50.00', { transactionReference: 'T2' });
    expect(pass('transaction')).toEqual([]);
    expect(tiedGroups(scratch.passes.ties(LEG, 'transaction_reference_and_amount'))).toEqual([
      { lines, ours: [one] },
      { lines: [other], ours: [two, three] },
    ]);
  });

  it('does not tie lines of one amount that no row has', () => {
    const [one, two] = [refund('R1', 'T1', { fees: '1.00' }), refund('R2', 'T1', { fees: '2.00' })];
    const lines = ['-51.00', '-52.00'].map((amount) => line('refund', amount, { transactionReference: 'T1' }));
    expect(pass('transaction')).toEqual([
      `${lines[0]} ${one} transaction_reference_and_amount`,
      `${lines[1]} ${two} transaction_reference_and_amount`,
    ]);
  });
});

describe('what persons said', () => {
  it('comes first, the last word before any other', () => {
    const [one, two] = [payout('A'), payout('B')];
    const theirs = line('payout', '-100.00', { reference: 'A' });
    scratch.passes.decide([
      { line: theirs, ours: one, isTogether: true },
      { line: theirs, ours: two, isTogether: true },
    ]);
    expect(pass('reference')).toEqual([`${theirs} ${two} person`]);
  });

  it.each(['reference', 'session_id', 'transaction'] as const)(
    'never together is left out of the pass %s, and of its ties',
    (name) => {
      const keys = { sessionId: 'S', transactionReference: 'T' };
      const ours = payout('A', {}, keys);
      const theirs = line('payout', '-100.00', { reference: name === 'reference' ? 'A' : null, ...keys });
      scratch.passes.decide([{ line: theirs, ours, isTogether: false }]);
      expect(pass(name)).toEqual([]);
      for (const tied of ['session_id', 'transaction_reference_and_amount'] as const) {
        expect(scratch.passes.ties(LEG, tied)).toEqual([]);
      }
    },
  );

  it('of two candidates, the other one is left', () => {
    const [one, two] = [payout('A', {}, { sessionId: 'S' }), payout('B', {}, { sessionId: 'S' })];
    const theirs = line('payout', '-100.00', { sessionId: 'S' });
    scratch.passes.decide([{ line: theirs, ours: one, isTogether: false }]);
    expect(pass('session_id')).toEqual([`${theirs} ${two} session_id`]);
  });

  it('of a line that stands in no leg changes nothing', () => {
    const ours = payout('A');
    const theirs = line('payout', '-100.00', { reference: 'A', leg: null });
    scratch.passes.decide([{ line: theirs, ours, isTogether: true }]);
    expect(pass('reference')).toEqual([]);
    expect(scratch.rows.line(theirs)).toMatchObject({ leg: null, amount: -10_000n });
  });
});

describe('a pass says of each line that names a row why it did not take it', () => {
  const TRANSACTION = 'transaction_reference_and_amount';
  it.each([
    ['reference', 'other_kind', () => line('refund', '-100.00', { reference: 'A' })],
    ['reference', 'other_kind', () => line('fee', '-1.00', { reference: 'A' })],
    ['reference', null, () => line('payout', '-7.00', { reference: 'A' })],
    ['session_id', null, () => line('payout', '-7.00', { reference: 'S' })],
    [TRANSACTION, 'amount_differs', () => line('payout', '-7.00', { transactionReference: 'T' })],
    [TRANSACTION, null, () => line('payout', '-100.00', { transactionReference: 'T' })],
  ] as const)('%s: %s', (name, obstacle, put) => {
    const ours = payout('A', {}, { sessionId: 'S', transactionReference: 'T' });
    const theirs = put();
    line('payout', '-100.00', { reference: 'X' });
    expect(scratch.passes.named(name)).toEqual([{ line: theirs, ours, obstacle }]);
  });

  it('apart: a person said so, whatever else would keep them', () => {
    const ours = payout('A', {}, { currency: 'USD', transactionReference: 'T' });
    const theirs = line('payout', '-7.00', { transactionReference: 'T' });
    expect(scratch.passes.named(TRANSACTION)).toEqual([{ line: theirs, ours, obstacle: 'other_currency' }]);
    scratch.passes.decide([{ line: theirs, ours, isTogether: false }]);
    expect(scratch.passes.named(TRANSACTION)).toEqual([{ line: theirs, ours, obstacle: 'apart' }]);
  });
});

it('five hundred lines and rows of one key are one tie', () => {
  const [lines, ours] = [1, 2].map(() => [] as number[]) as [number[], number[]];
  scratch.database.transaction(() => {
    for (let index = 0; index < 500; index++) {
      ours.push(payout(`P${index}`, {}, { sessionId: 'S', transactionReference: 'T' }));
      lines.push(line('payout', '-100.00', { sessionId: 'S', transactionReference: 'T' }));
    }
  })();
  expect(pass('session_id', 'transaction')).toEqual([]);
  for (const tied of ['session_id', 'transaction_reference_and_amount'] as const) {
    const [group, ...more] = tiedGroups(scratch.passes.ties(LEG, tied));
    expect([group?.lines.length, group?.ours.length, more]).toEqual([500, 500, []]);
  }
});
