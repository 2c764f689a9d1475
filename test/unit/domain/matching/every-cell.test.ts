import { describe, expect, test } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import { amountOfMinor, formatAmount } from '../../../../src/domain/money/amount.ts';
import type { OurKind } from '../../../../src/domain/reconciling/rules.ts';
import type { LineType } from '../../../../src/domain/statements/lines.ts';
import { octoberTerms, ourRow, type RowParts, theirLine } from '../../../support/matching/groups.ts';

/*
 * Every status of a row, beside every set of lines, on every side of the end of the month: what the judge says, with its effect. Row and
 * lines are of 10 October, and all is due by the 31st, but:
 *
 *   1  in time
 *   2  the last line is of November
 *   3  all lines are of November
 *   4  the row is of November; a refund was requested in October, and is settled in November
 */

const ROWS: Readonly<Record<OurKind, RowParts>> = {
  collection: { amount: '100.00', fees: '2.00' },
  payout: { amount: '50.00', fees: '2.00' },
  refund: { amount: '10.00', fees: '1.00', reserved: '11.00' },
  batch: { amount: '80.00' },
  top_up: { amount: '80.00' },
};

const CELLS = `
collection | -
  success | missing_external -98.00 | missing_external -98.00 | missing_external -98.00 | agrees
  pending | agrees | agrees | agrees | agrees
  failed | agrees | agrees | agrees | agrees
  reversed | agrees | agrees | agrees | agrees

collection | collection 98.00
  success | agrees | timing -98.00 | timing -98.00 | timing 98.00
  pending | status_mismatch 98.00 | agrees | agrees | timing 98.00
  failed | status_mismatch 98.00 | agrees | agrees | timing 98.00
  reversed | status_mismatch 98.00 | agrees | agrees | timing 98.00

collection | collection 100.00; fee -2.00
  success | agrees | timing 2.00 | timing -98.00 | timing 98.00
  pending | status_mismatch 98.00 | status_mismatch 100.00 | agrees | timing 98.00
  failed | status_mismatch 98.00 | timing 100.00 | agrees | timing 98.00
  reversed | status_mismatch 98.00 | timing 100.00 | agrees | timing 98.00

collection | collection 97.00
  success | amount_mismatch -1.00 | timing -98.00 | timing -98.00 | timing 97.00
  pending | status_mismatch 97.00 | agrees | agrees | timing 97.00
  failed | status_mismatch 97.00 | agrees | agrees | timing 97.00
  reversed | status_mismatch 97.00 | agrees | agrees | timing 97.00

collection | collection 98.00; collection_reversal -98.00
  success | status_mismatch -98.00 | agrees | timing -98.00 | agrees
  pending | status_mismatch 0.00 | status_mismatch 98.00 | agrees | agrees
  failed | agrees | timing 98.00 | agrees | agrees
  reversed | agrees | timing 98.00 | agrees | agrees

collection | collection_reversal -98.00
  success | missing_external -98.00, status_mismatch -98.00 | timing -98.00 | timing -98.00 | timing -98.00
  pending | amount_mismatch -98.00 | agrees | agrees | timing -98.00
  failed | amount_mismatch -98.00 | agrees | agrees | timing -98.00
  reversed | amount_mismatch -98.00 | agrees | agrees | timing -98.00

collection | fee -2.00
  success | missing_external -100.00 | timing -98.00 | timing -98.00 | timing -2.00
  pending | status_mismatch -2.00 | agrees | agrees | timing -2.00
  failed | status_mismatch -2.00 | agrees | agrees | timing -2.00
  reversed | status_mismatch -2.00 | agrees | agrees | timing -2.00

collection | collection 98.00; collection 98.00
  success | duplicate_external 98.00 | agrees | timing -98.00 | timing 98.00, duplicate_external 98.00
  pending | status_mismatch 98.00, duplicate_external 98.00 | status_mismatch 98.00 | agrees | timing 98.00, duplicate_external 98.00
  failed | status_mismatch 98.00, duplicate_external 98.00 | timing 98.00 | agrees | timing 98.00, duplicate_external 98.00
  reversed | status_mismatch 98.00, duplicate_external 98.00 | timing 98.00 | agrees | timing 98.00, duplicate_external 98.00

payout | -
  success | missing_external 52.00 | missing_external 52.00 | missing_external 52.00 | agrees
  pending | agrees | agrees | agrees | agrees
  failed | agrees | agrees | agrees | agrees
  reversed | agrees | agrees | agrees | agrees

payout | payout -52.00
  success | agrees | timing 52.00 | timing 52.00 | timing -52.00
  pending | agrees | agrees | agrees | timing -52.00
  failed | status_mismatch -52.00 | agrees | agrees | timing -52.00
  reversed | status_mismatch -52.00 | agrees | agrees | timing -52.00

payout | payout -50.00; fee -2.00
  success | agrees | timing 2.00 | timing 52.00 | timing -52.00
  pending | agrees | timing 2.00 | agrees | timing -52.00
  failed | status_mismatch -52.00 | timing -50.00 | agrees | timing -52.00
  reversed | status_mismatch -52.00 | timing -50.00 | agrees | timing -52.00

payout | payout -53.00
  success | amount_mismatch -1.00 | timing 52.00 | timing 52.00 | timing -53.00
  pending | amount_mismatch -1.00 | agrees | agrees | timing -53.00
  failed | status_mismatch -53.00 | agrees | agrees | timing -53.00
  reversed | status_mismatch -53.00 | agrees | agrees | timing -53.00

payout | payout -52.00; payout_reversal 52.00
  success | status_mismatch 52.00 | agrees | timing 52.00 | agrees
  pending | status_mismatch 52.00 | agrees | agrees | agrees
  failed | agrees | timing -52.00 | agrees | agrees
  reversed | agrees | timing -52.00 | agrees | agrees

payout | payout -52.00; payout_reversal 50.00
  success | status_mismatch 50.00 | agrees | timing 52.00 | timing -2.00
  pending | status_mismatch 50.00 | agrees | agrees | timing -2.00
  failed | amount_mismatch -2.00 | timing -52.00 | agrees | timing -2.00
  reversed | amount_mismatch -2.00 | timing -52.00 | agrees | timing -2.00

payout | fee -2.00
  success | missing_external 50.00 | timing 52.00 | timing 52.00 | timing -2.00
  pending | status_mismatch -2.00 | agrees | agrees | timing -2.00
  failed | status_mismatch -2.00 | agrees | agrees | timing -2.00
  reversed | status_mismatch -2.00 | agrees | agrees | timing -2.00

payout | payout -52.00; payout -52.00
  success | duplicate_external -52.00 | agrees | timing 52.00 | timing -52.00, duplicate_external -52.00
  pending | duplicate_external -52.00 | agrees | agrees | timing -52.00, duplicate_external -52.00
  failed | status_mismatch -52.00, duplicate_external -52.00 | timing -52.00 | agrees | timing -52.00, duplicate_external -52.00
  reversed | status_mismatch -52.00, duplicate_external -52.00 | timing -52.00 | agrees | timing -52.00, duplicate_external -52.00

refund | -
  success | missing_external 11.00 | missing_external 11.00 | missing_external 11.00 | timing 11.00
  processing | timing 11.00 | timing 11.00 | timing 11.00 | timing 11.00
  rejected | agrees | agrees | agrees | timing 11.00

refund | reserve -11.00
  success | agrees | timing 11.00 | timing 11.00 | agrees
  processing | agrees | timing 11.00 | timing 11.00 | agrees
  rejected | status_mismatch -11.00 | agrees | agrees | agrees

refund | reserve -11.00; release 11.00
  success | missing_external 11.00 | agrees | timing 11.00 | timing 11.00
  processing | reserve_mismatch 11.00 | agrees | timing 11.00 | reserve_mismatch 11.00
  rejected | agrees | timing -11.00 | agrees | timing 11.00

refund | reserve -11.00; release 11.00; refund -11.00
  success | agrees | timing 11.00 | timing 11.00 | agrees
  processing | status_mismatch -11.00, reserve_mismatch 11.00 | reserve_mismatch 11.00 | timing 11.00 | status_mismatch -11.00, reserve_mismatch 11.00
  rejected | status_mismatch -11.00 | agrees | agrees | agrees

refund | refund -11.00
  success | agrees | timing 11.00 | timing 11.00 | timing -11.00
  processing | status_mismatch -11.00 | timing 11.00 | timing 11.00 | status_mismatch -11.00
  rejected | status_mismatch -11.00 | agrees | agrees | timing -11.00

refund | refund -12.00
  success | amount_mismatch -1.00 | timing 11.00 | timing 11.00 | timing -12.00
  processing | status_mismatch -12.00 | timing 11.00 | timing 11.00 | status_mismatch -12.00
  rejected | status_mismatch -12.00 | agrees | agrees | timing -12.00

refund | refund -11.00; refund_reversal 11.00
  success | status_mismatch 11.00 | agrees | timing 11.00 | timing 11.00
  processing | timing 11.00 | status_mismatch -11.00 | timing 11.00 | timing 11.00
  rejected | agrees | timing -11.00 | agrees | timing 11.00

refund | reserve -9.00
  success | reserve_mismatch 2.00 | timing 11.00 | timing 11.00 | reserve_mismatch 2.00
  processing | reserve_mismatch 2.00 | timing 11.00 | timing 11.00 | reserve_mismatch 2.00
  rejected | status_mismatch -9.00 | agrees | agrees | reserve_mismatch 2.00

batch | -
  success | missing_external 80.00 | missing_external 80.00 | missing_external 80.00 | agrees

batch | settlement -80.00
  success | agrees | timing 80.00 | timing 80.00 | timing -80.00

batch | settlement 80.00
  success | split_incomplete 160.00 | timing 80.00 | timing 80.00 | timing 80.00

batch | settlement -50.00; settlement -30.00
  success | agrees | timing 30.00 | timing 80.00 | timing -80.00

batch | settlement -79.00
  success | split_incomplete 1.00 | timing 80.00 | timing 80.00 | timing -79.00

batch | settlement -80.00; settlement -80.00
  success | duplicate_external -80.00 | agrees | timing 80.00 | timing -80.00, duplicate_external -80.00

top_up | -
  success | missing_external 80.00 | missing_external 80.00 | missing_external 80.00 | agrees

top_up | top_up -80.00
  success | agrees | timing 80.00 | timing 80.00 | timing -80.00

top_up | top_up 80.00
  success | amount_mismatch 160.00 | timing 80.00 | timing 80.00 | timing 80.00

top_up | top_up -79.00
  success | amount_mismatch 1.00 | timing 80.00 | timing 80.00 | timing -79.00
`;

const NOVEMBER = '2026-11-02';

function rowOf(kind: OurKind, status: string, column: number): OurRow {
  const later = kind === 'refund' ? { day: NOVEMBER, startDay: '2026-10-10' } : { day: NOVEMBER };
  return ourRow(kind, status, { ...ROWS[kind], ...(column === 4 && later) });
}

function linesOf(text: string, column: number): TheirLine[] {
  if (text === '-') return [];
  return text.split('; ').map((line, index, all) => {
    const [type, amount = ''] = line.split(' ');
    const isLater = column === 3 || (column === 2 && index === all.length - 1);
    const date = isLater ? NOVEMBER : '2026-10-10';
    return theirLine(type as LineType, amount, { row: index + 2, date });
  });
}

const SECTIONS = CELLS.trim().split('\n\n');

describe.each(SECTIONS.map((section) => [section.split('\n')[0] ?? '', section]))('%s', (heading, section) => {
  const [kind = '', lines = ''] = heading.split(' | ');
  const rows = section.split('\n').slice(1);
  test.each(rows.map((row) => row.trim().split(' | ')))('%s: %s | %s | %s | %s', (status, ...cells) => {
    const said = cells.map((_, index) => {
      const [row, all] = [rowOf(kind as OurKind, status, index + 1), linesOf(lines, index + 1)];
      const { verdicts } = judgeGroup(row, all, octoberTerms());
      return (
        verdicts.map(({ code, effect }) => `${code} ${formatAmount(amountOfMinor(effect))}`).join(', ') || 'agrees'
      );
    });
    expect(said).toEqual(cells);
  });
});
