import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type NumberForm, numberReader } from '../../../../src/reconcile/file/number.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { withFile } from '../../../support/statements/statement.ts';

const PLAIN: NumberForm = { decimal: '.', group: ',', unit: 'major', negative: 'minus' };

describe('a number with a currency sign, CR and DR, or groups of two digits', () => {
  test.each<[string, Partial<NumberForm>, readonly (readonly [string, bigint])[]]>([
    [
      'a sign before it, within its minus or not',
      { currencySign: '$' },
      [
        ['$1,234.50', 123_450n],
        ['-$5.00', -500n],
        ['$-5.00', -500n],
        ['$ 5.00', 500n],
        ['5.00', 500n],
      ],
    ],
    [
      'within parentheses or around them',
      { currencySign: '$', negative: 'parentheses' },
      [
        ['($15.00)', -1_500n],
        ['$(15.00)', -1_500n],
        ['$15.00', 1_500n],
      ],
    ],
    [
      'a sign or a code behind it',
      { decimal: ',', group: '.', currencySign: 'EUR' },
      [
        ['10.000,00 EUR', 1_000_000n],
        ['-5,00EUR', -500n],
      ],
    ],
    [
      'DR and CR',
      { negative: 'dr' },
      [
        ['1,000.00Cr', 100_000n],
        ['2.00 DR', -200n],
        ['2.00 Dr.', -200n],
        ['0.00', 0n],
      ],
    ],
    [
      'groups of two digits',
      { grouping: 'indian' },
      [
        ['1,23,456.78', 12_345_678n],
        ['-12,34,56,789.00', -12_345_678_900n],
        ['12,345.00', 1_234_500n],
        ['999', 99_900n],
      ],
    ],
  ])('%s', (_, form, cells) => {
    const read = numberReader({ ...PLAIN, ...form });
    expect(cells.map(([text]) => [text, read(text)])).toEqual(cells);
  });

  test.each<[string, Partial<NumberForm>, RegExp]>([
    ['$5.00', {}, /say it in number\.currencySign/],
    ['€5.00', { currencySign: '$' }, /no letters or currency signs/],
    ['$5.00$', { currencySign: '$' }, /no letters or currency signs/],
    ['-$-5.00', { currencySign: '$' }, /is no amount/],
    ['5.00 DR', {}, /set number\.negative to dr/],
    ['-5.00', { negative: 'dr' }, /has its sign as minus/],
    ['1,23,456.78', {}, /set number\.grouping to indian/],
    ['123,456.78', { grouping: 'indian' }, /is no amount/],
    ['1,2,345.00', { grouping: 'indian' }, /is no amount/],
  ])('%s is refused under %j', (text, form, reason) => {
    expect(numberReader({ ...PLAIN, ...form })(text)).toMatch(reason);
  });
});

describe('proposals of such numbers', () => {
  test.each([
    ['Amount', '"$1,234.50"\n"($234.50)"', { negative: 'parentheses', currencySign: '$', group: ',' }],
    ['Amount', '"1,000.00Cr"\n2.00Dr', { negative: 'dr', group: ',' }],
    ['Amount', '"1,23,456.78"\n"12,34,567.00"', { grouping: 'indian', group: ',' }],
    ['Amount', '"10.000,00 €"\n"5,00 €"', { decimal: ',', group: '.', currencySign: '€' }],
    ['amount_kobo', '10000\n50', { unit: 'minor' }],
  ])('%s: %j', async (header, cells, number) => {
    const rows = cells.split('\n').map((cell, index) => `2026-10-0${index + 1},R-${index},${cell}\n`);
    const content = `Date,Reference,${header}\n${rows.join('')}`;
    const { text } = await withFile(content, (path) => proposeProfile(path), 'export.csv');
    const profile = parse(text.replaceAll('confirm: ', ''));
    expect(profile).toMatchObject({ amount: { signed: header }, number });
  });
});
