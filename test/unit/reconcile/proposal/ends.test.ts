import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProfile } from '../../../../src/reconcile/profile/load.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { readWhole, withFile } from '../../../support/statements/statement.ts';

// Where the lines of a file begin and end: a line that a proposal leaves out is money lost.

async function proposalFor(content: string) {
  const proposal = await withFile(content, (path) => proposeProfile(path, { account: 'main' }), 'bank.csv');
  const text = proposal.text.replaceAll('confirm: ', '');
  return { profile: parse(text), read: await readWhole(content, readProfile(text, 'p.yaml')) };
}

describe('times of a day are proposed as they are written, and no line is taken for a footer', () => {
  test.each([
    ['hours of one digit and two', ['13/10/2026 10:05', '14/10/2026 11:15', '15/10/2026 9:05'], 'dd/MM/yyyy H:mm'],
    ['with seconds', ['13/10/2026 10:05:00', '15/10/2026 9:05:59'], 'dd/MM/yyyy H:mm:ss'],
    ['twelve hours', ['10/13/2026 10:05 PM', '10/14/2026 9:05 AM'], 'MM/dd/yyyy h:mm a'],
    ['twelve hours of two digits', ['10/13/2026 10:05 PM', '10/14/2026 09:05 AM'], 'MM/dd/yyyy hh:mm a'],
    ['behind a comma', ['13/10/2026, 10:05:00', '14/10/2026, 09:05:59'], 'dd/MM/yyyy, HH:mm:ss'],
    ['signs of years, months and days', ['2026年10月1日', '2026年10月12日'], 'yyyy年M月d日'],
  ])('%s', async (_, dates, form) => {
    const rows = dates.map((date, index) => `"${date}",R-${index},10.00\n`);
    const { profile, read } = await proposalFor(`Date,Reference,Amount\n${rows.join('')}`);
    expect(profile).toMatchObject({ dateFormat: form, file: { footer: '0' } });
    expect([read.lines.length, read.unparsed]).toEqual([dates.length, []]);
  });

  test('lines whose dates have no known form are no footer, so that an import names them', async () => {
    const { profile, read } = await proposalFor(
      'Date,Reference,Amount\n2026-10-01,R-1,10.00\n2026-10-02,R-2,10.00\n3 okt. 2026,R-3,10.00\nTotal,,30.00\n',
    );
    expect(profile.file.footer).toBe('1');
    expect(read.unparsed).toMatchObject([{ row: 4, value: '3 okt. 2026' }]);
  });
});

describe('rows that state a balance are no lines', () => {
  test('below the lines, with a date and an amount', async () => {
    const { profile, read } = await proposalFor(
      'Date;Libellé;Montant;D/C\n02/10/2026;Loyer;1.250,75;D\n05/10/2026;Remise;12.345,60;C\n\n01/10/2026;Solde initial;10.000,00;C\n31/10/2026;Nouveau solde au 31/10/2026;21.094,85;C\n',
    );
    expect(profile).toMatchObject({
      file: { footer: '2' },
      balance: { opening: { row: '-2', column: '3' }, closing: { row: '-1', column: '3' } },
    });
    expect(read).toMatchObject({ unparsed: [], totals: { lines: 2, controls: [] } });
    expect(read.totals.balances).toMatchObject([{ opening: 1_000_000n, closing: 2_109_485n, sum: 1_109_485n }]);
  });

  test.each([
    ',,Opening Balance,,,"10,000.00"\n',
    '01-OCT-2026,,Balance B/F,,,"10,000.00"\n',
    '01-OCT-2026,,BALANCE BROUGHT FORWARD,0.00,0.00,"10,000.00"\n',
  ])('right below the header: %s', async (row) => {
    const { profile, read } = await proposalFor(
      `Trans Date,Value Date,Description,Debit,Credit,Balance\n${row}02-OCT-2026,02-OCT-2026,Batch,0.00,"2,000.00","12,000.00"\n,,Closing Balance,,,"12,000.00"\n`,
    );
    expect(profile.balance.opening).toEqual({ row: '2', column: '6' });
    expect(read).toMatchObject({ unparsed: [], totals: { lines: 1, controls: [] } });
    expect(read.totals.balances).toMatchObject([{ opening: 1_000_000n, closing: 1_200_000n }]);
  });
});
