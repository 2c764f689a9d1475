import { beforeAll, describe, expect, test } from 'vitest';
import { STANDARD_REASONS } from '../../src/domain/exceptions/reasons.ts';
import { SHEET_COLUMNS, SHEET_FORMATS } from '../../src/reconcile/sheet/columns.ts';
import { sheetFile } from '../../src/reconcile/sheet/export.ts';
import { HOSTILE_TEXTS, sheetException, TODAY } from '../support/sheets/exceptions.ts';
import { judged } from '../support/sheets/judged.ts';
import { type CalcCell, cellsInLibreOffice, savedByLibreOffice } from '../support/sheets/libreoffice.ts';

// A spreadsheet program opens what we write, and we read what it saves.

/** In minor units; beyond 15 digits a spreadsheet rounds. */
const THEIRS = 123_456_789_012n;
const exceptions = HOSTILE_TEXTS.map((text, index) =>
  sheetException({
    id: `x-${String(index).padStart(24, '0')}`,
    ...{ reason: text, reference: text, nextStep: text, comment: text.trim(), assignee: text.trim() },
    ...{ ours: '0.01', theirs: '1234567890.12', variance: '1234567890.11', effect: '-0.01', followUp: '2026-12-01' },
  }),
);
const count = BigInt(exceptions.length);
const decimal = (minor: bigint) => Number(minor) / 100;

describe.each(SHEET_FORMATS)('%s', { tags: ['libreoffice'] }, (format) => {
  let bytes: Buffer;
  let rows: CalcCell[][];
  const column = (name: (typeof SHEET_COLUMNS)[number]) => SHEET_COLUMNS.indexOf(name);
  beforeAll(async () => {
    bytes = await sheetFile({ exceptions, today: TODAY, reasons: STANDARD_REASONS }, format);
    rows = cellsInLibreOffice(bytes, format);
  }, 300_000);

  test('no cell is a formula', () => {
    expect(rows.flat().filter(({ isFormula }) => isFormula)).toEqual([]);
    expect(rows.length).toBeGreaterThan(exceptions.length);
  });

  test('every id is the text that it was', () => {
    const ids = rows.slice(1, exceptions.length + 1).map((row) => row[column('id')]);
    expect(ids).toEqual(exceptions.map(({ id }) => ({ type: 'string', value: id, isFormula: false })));
  });

  test('amounts and days are typed, and add up to the control totals', () => {
    const body = rows.slice(1, exceptions.length + 1);
    const total = rows[exceptions.length + 1] ?? [];
    expect(total[column('id')]?.value).toBe('total');
    expect(Number(total[column('what')]?.value)).toBe(exceptions.length);
    for (const [name, minor] of [
      ['ours', 1n],
      ['theirs', THEIRS],
      ['effect', -1n],
    ] as const) {
      const cells = body.map((row) => row[column(name)]);
      expect(new Set(cells.map((cell) => `${cell?.type} ${Number(cell?.value)}`))).toEqual(
        new Set([`float ${decimal(minor)}`]),
      );
      expect(Number(total[column(name)]?.value)).toBe(decimal(minor * count));
    }
    expect(new Set(body.map((row) => row[column('date')]?.type))).toEqual(new Set(['date']));
  });

  test.each(SHEET_FORMATS)('saved as %s, it changes nothing when it is imported', async (to) => {
    const { rows: read, changed, refused, unchanged } = await judged(savedByLibreOffice(bytes, format, to), exceptions);
    expect([read, changed]).toEqual([exceptions.length, []]);
    if (format === 'xlsx') expect([unchanged, refused]).toEqual([exceptions.length, []]);
    // A CSV file has no text: digits become a number there, which is refused by row, with what to do.
    const digits = refused.filter(({ row }) => !/^\d[\d.E+]*$/.test(HOSTILE_TEXTS[row - 2] ?? ''));
    expect(digits).toEqual([]);
    expect(refused.length).toBeLessThan(5);
  });
});
