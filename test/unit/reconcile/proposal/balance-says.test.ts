import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProfile } from '../../../../src/reconcile/profile/load.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { readWhole, withFile } from '../../../support/statements/statement.ts';

// A running balance shows which of two columns is money out, and what a minus in it means.

async function proposalFor(lines: readonly string[], head = 'Date,Reference,Debit,Credit,Balance') {
  const content = `${[head, ...lines].join('\n')}\n`;
  const { text, guesses } = await withFile(content, (path) => proposeProfile(path, { account: 'main' }), 'bank.csv');
  const confirmed = text.replaceAll('confirm: ', '');
  const { lines: read, unparsed, totals } = await readWhole(content, readProfile(confirmed, 'p.yaml'));
  const why = Object.fromEntries(guesses.map((guess) => [guess.path, guess.why]));
  const amounts = read.map(({ amount }) => amount);
  return { amount: parse(confirmed).amount.debitCredit, why, amounts, unparsed, controls: totals.controls };
}

const DEBITS = ['2026-10-03,A,,15.00,65.00', '2026-10-04,B,-7.50,,57.50', '2026-10-05,C,-50.00,,7.50'];
const REVERSAL = ['2026-10-03,A,50.00,,50.00', '2026-10-04,B,,10.00,60.00', '2026-10-05,A,-50.00,,110.00'];
const ONLY_REVERSAL = ['2026-10-03,A,,10.00,60.00', '2026-10-05,A,-50.00,,110.00', '2026-10-06,B,,1.00,111.00'];

describe('a minus in a column of money out', () => {
  test.each([
    ['is that of a debit', DEBITS, 'debit', [1_500n, -750n, -5_000n]],
    ['is that of a debit, the newest line first', DEBITS.toReversed(), 'debit', [-5_000n, -750n, 1_500n]],
    ['is a debit taken back', REVERSAL, 'reversal', [-5_000n, 1_000n, 5_000n]],
    ['is a debit taken back, also where no other debit is', ONLY_REVERSAL, 'reversal', [1_000n, 5_000n, 100n]],
  ])('%s', async (_, lines, negative, amounts) => {
    const proposal = await proposalFor(lines);
    expect(proposal).toMatchObject({ amount: { debit: 'Debit', credit: 'Credit', negative }, unparsed: [], amounts });
    expect(proposal.why['amount.debitCredit.negative']).toContain('as the running balance says');
    expect(proposal.controls).toEqual([]);
  });

  test('is asked for where no balance tells, and nothing is said where there is none', async () => {
    const without = (lines: readonly string[]) => lines.map((line) => line.replace(/,[^,]*$/, ''));
    const head = 'Date,Reference,Debit,Credit';
    const debits = await proposalFor(without(DEBITS), head);
    expect([debits.amount.negative, debits.amounts]).toEqual(['debit', [1_500n, -750n, -5_000n]]);
    expect(debits.why['amount.debitCredit.negative']).toContain(
      'debit: each amount out has a minus; reversal: it takes',
    );
    expect((await proposalFor(without(REVERSAL), head)).amount.negative).toBe('reversal');
    expect((await proposalFor(['2026-10-03,A,,15.00'], head)).amount.negative).toBeUndefined();
  });
});

test('columns whose headers are the other side of the account change places', async () => {
  const lines = ['2026-10-05,A,234.50,,1234.50', '2026-10-06,B,,34.50,1200.00', '2026-10-12,C,2000.00,,3200.00'];
  const { amount, why, amounts, controls } = await proposalFor(lines);
  expect(amount).toEqual({ debit: 'Credit', credit: 'Debit' });
  expect(why['amount.debitCredit.debit']).toBe('money out, as the running balance says: "34.50"');
  expect([amounts, controls]).toEqual([[23_450n, -3_450n, 200_000n], []]);
});

test('one line shows nothing: the header holds', async () => {
  expect((await proposalFor(['2026-10-05,A,234.50,,1234.50'])).amount).toEqual({ debit: 'Debit', credit: 'Credit' });
});
