import { describe, expect, test } from 'vitest';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { workbookParts, zip } from '../../../support/statements/spreadsheet.ts';
import { withFile } from '../../../support/statements/statement.ts';

const proposed = (content: string | Uint8Array, name = 'export.csv') =>
  withFile(content, (path) => proposeProfile(path, { account: 'main', kind: 'bank' }), name);

describe('what a person must know of a file beyond its settings', () => {
  test('it has lines of several accounts: the account stays a guess, whatever was said', async () => {
    const rows = ['0123,2026-10-01,A,1.00', '0123,2026-10-02,B,2.00', '9876,2026-10-02,C,3.00'];
    const { notes, guesses, text } = await proposed(`Account,Date,Reference,Amount\n${rows.join('\n')}\n`);
    expect(notes).toEqual([expect.stringMatching(/^Column Account has 2 accounts \(0123, 9876\).*divide the file/)]);
    expect(text).toContain(`# ${notes[0]}\n`);
    expect(guesses).toContainEqual({
      path: 'account',
      value: 'main',
      why: expect.stringContaining('several accounts'),
    });
  });

  test.each([
    ['one account', 'Account', ['0123', '0123', '0123']],
    ['the account of another party', 'Account of payer', ['1', '1', '2']],
    ['another account on each line', 'Account', ['1', '2', '3']],
  ])('nothing of %s', async (_, column, accounts) => {
    const rows = accounts.map((account, index) => `${account},2026-10-0${index + 1},R-${index},1.00\n`);
    const { notes, guesses } = await proposed(`${column},Date,Reference,Amount\n${rows.join('')}`);
    expect([notes, guesses.filter(({ path }) => path === 'account')]).toEqual([[], []]);
  });

  test('a workbook has other sheets', async () => {
    const rows = [
      ['Date', 'Reference', 'Amount'],
      ['2026-10-01', 'A', '1.00'],
    ];
    const two = zip(workbookParts({ October: rows, 'Fees &amp; taxes': rows }));
    const { notes } = await proposed(two, 'export.xlsx');
    expect(notes).toEqual([
      'The workbook has 2 sheets, and this is the first, "October". The others: 2 "Fees & taxes". To read one of them, set file.sheet to its number.',
    ]);
    expect((await proposed(zip(workbookParts({ October: rows })), 'export.xlsx')).notes).toEqual([]);
  });
});

describe('what a proposal says of numbers', () => {
  const whyOf = async (content: string) => {
    const { guesses } = await proposed(content);
    return Object.fromEntries(guesses.map(({ path, why, value }) => [path, `${value}: ${why}`]));
  };

  test('three digits behind a comma are a group, and no decimals', async () => {
    const why = await whyOf(
      'Date,Reference,Out,In\n2026-10-01,A,"12,000",\n2026-10-02,B,,"150,000"\n2026-10-03,C,330,\n',
    );
    expect(why['number.decimal']).toMatch(/^\.: it reads 3 of 3/);
    expect(why['number.group']).toMatch(/^,:/);
    expect(why['number.unit']).toBe('major: no amount has decimals: minor if 1050 stands for 10.50');
  });

  test('decimals are named where there are some, and no typed number in a CSV file', async () => {
    expect((await whyOf('Date,Reference,Amount\n2026-10-01,A,5.00\n'))['number.unit']).toBe(
      'major: amounts have decimals',
    );
    expect((await whyOf('Date,Reference,Amount\n2026-10-01,A,\n'))['number.decimal']).toContain('no amount was found');
  });

  test('whole amounts are found by their groups, in a language of which no word is known', async () => {
    const why = await whyOf(
      '日付,入出金,残高,摘要\n2026年10月1日,"-12,000","1,988,000",デンキ\n2026年10月5日,"150,000","2,138,000",カード\n',
    );
    expect([why['amount.signed'], why['balance.running']]).toEqual([
      expect.stringMatching(/^入出金/),
      expect.stringMatching(/^残高/),
    ]);
  });
});
