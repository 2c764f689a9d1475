import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LINE_TYPES } from '../../../../src/domain/statements/lines.ts';
import { bankTypeOf } from '../../../../src/reconcile/proposal/bank-types.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { profileOf, readWhole, withFile } from '../../../support/statements/statement.ts';

// An account of a bank knows settlements of the service, top-ups of its wallet, and what is none of the service's.

const typesOf = async (content: string, kind: 'bank' | 'wallet' = 'bank') => {
  const { text } = await withFile(content, (path) => proposeProfile(path, { account: 'main', kind }), 'export.csv');
  expect(
    text.split('\n').filter((line) => /^ {2}.*(settlement|other|top_up|fee)/.test(line) && !line.includes('confirm')),
  ).toEqual([]);
  return parse(text.replaceAll('confirm: ', '')).types;
};

describe('words of a bank are proposed as what its legs know', () => {
  test('by the word and by what its lines moved', async () => {
    const lines = [
      'Direct Credit,9.00',
      'Payment,5.00',
      'Deposit,5.00',
      'Supplier payment,-3.00',
      'Direct Debit,-2.00',
    ];
    const more = ['Top-up,-4.00', 'Charges,-1.00', 'Refund,-1.00', 'Transfer,-1.00'];
    const rows = [...lines, ...more].map((line) => `2026-10-02,R,${line}\n`).join('');
    expect(await typesOf(`Date,Reference,Type,Amount\n${rows}`)).toEqual({
      'Direct Credit': 'settlement',
      Payment: 'settlement',
      Deposit: 'settlement',
      'Supplier payment': 'other',
      'Direct Debit': 'other',
      'Top-up': 'top_up',
      Charges: 'fee',
      Refund: 'other',
      Transfer: 'transfer',
    });
  });

  test('and a narration is no type: it has numbers, or is another one on each line', async () => {
    const numbers = ['TRF BATCH 20261002', 'TRF BATCH 20261003'];
    const many = ['Fee', 'Card fee', 'Top-up fee', 'Transfer', 'Payment', 'Refund'];
    for (const texts of [numbers, many]) {
      const rows = texts.map((text) => `2026-10-02,${text},9.00\n`).join('');
      expect(await typesOf(`Date,Details,Amount\n${rows}`)).toEqual({ '+': 'settlement', '-': 'other' });
    }
  });

  test('never as another type', () => {
    const types = LINE_TYPES.flatMap((type) => ([-1, 0, 1] as const).map((direction) => bankTypeOf(type, direction)));
    expect([...new Set(types)].toSorted()).toEqual(['duty', 'fee', 'other', 'settlement', 'tax', 'top_up', 'transfer']);
  });

  test('without a word, by the direction; other kinds have no such guess', async () => {
    const content = 'Date,Reference,Details,Amount\n2026-10-02,R-1,Batch 1,9.00\n2026-10-03,R-2,Rent,-5.00\n';
    expect(await typesOf(content)).toEqual({ '+': 'settlement', '-': 'other' });
    expect(await typesOf(content, 'wallet')).toBeUndefined();
  });
});

describe('types by the direction', () => {
  const FILE = 'Date,Reference,Amount,Payer\n2026-10-01,A,1,Example Ltd\n2026-10-01,B,2,Ada\n2026-10-01,C,-3,\n';
  const read = async (settings: object) => (await readWhole(FILE, profileOf(settings))).lines.map(({ type }) => type);

  test('of every line, or of those whose word has none', async () => {
    const types = { '+': 'settlement', '-': 'other' };
    expect(await read({ types })).toEqual(['settlement', 'settlement', 'other']);
    const columns = { date: 'Date', reference: 'Reference', type: 'Payer' };
    const named = { 'Example Ltd': 'settlement', '+': 'transfer', '-': 'other' };
    expect(await read({ columns, types: named })).toEqual(['settlement', 'transfer', 'other']);
    expect(await read({ columns, types: { 'Example Ltd': 'settlement' } })).toEqual(['settlement', null, null]);
  });
});
