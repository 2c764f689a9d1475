import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STANDARD_REASONS } from '../../../../src/domain/exceptions/reasons.ts';
import { plainText, safeText } from '../../../../src/reconcile/sheet/cells.ts';
import { SHEET_FORMATS } from '../../../../src/reconcile/sheet/columns.ts';
import { refuseTooMany, sheetFile } from '../../../../src/reconcile/sheet/export.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import {
  exceptionsWithHostileCells,
  HOSTILE_TEXTS,
  sheetException,
  TODAY,
} from '../../../support/sheets/exceptions.ts';
import { judged } from '../../../support/sheets/judged.ts';

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '-', '＠', '"', ' ', '\t', '\r', '\n', '\0', ';', '|', 'x') }),
);

test('a text that was made safe comes back as it was, and begins no formula', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const cell = safeText(text);
      expect(plainText(cell)).toBe(text);
      expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n\0]/);
    }),
    { numRuns: randomRuns(2_000) },
  );
});

test.each(SHEET_FORMATS)('%s: what was exported and imported without a change changes nothing', async (format) => {
  await fc.assert(
    fc.asyncProperty(exceptionsWithHostileCells, async (exceptions) => {
      const bytes = await sheetFile({ exceptions, today: TODAY, reasons: STANDARD_REASONS }, format);
      const { unchanged, changed, refused } = await judged(bytes, exceptions);
      expect({ unchanged, changed, refused }).toEqual({ unchanged: exceptions.length, changed: [], refused: [] });
    }),
    { numRuns: randomRuns(format === 'xlsx' ? 60 : 200) },
  );
});

/** XML holds none of these, and spreadsheet programs take back no escape of them. */
const DROPPED = /[\u007f-\u0084\u0086-\u009f\p{Cs}\p{Noncharacter_Code_Point}\uFFFD]/gu;

const kept = (text: string | null, format: string) =>
  (format === 'csv' ? text?.toWellFormed() : text?.replace(DROPPED, ''))?.trim() || undefined;

test.each(SHEET_FORMATS)('%s: a comment of any text arrives as it was written', async (format) => {
  const comments = HOSTILE_TEXTS.filter((text) => text.trim() !== '-');
  const now = comments.map((_, index) => sheetException({ id: `x-${String(index).padStart(24, '0')}` }));
  const written = now.map((one, index) => ({ ...one, comment: comments[index] ?? null }));
  const bytes = await sheetFile({ exceptions: written, today: TODAY, reasons: STANDARD_REASONS }, format);
  const { changed, refused } = await judged(bytes, now);
  const arrived = new Map(changed.map(({ id, act }) => [id, act.comment]));
  for (const { id, comment } of written) {
    // A number that a spreadsheet may have shortened is not taken for what the person meant.
    if (comment === '1.23E+15') expect(refused.find((one) => one.id === id)?.reason).toBe('unreadable');
    else expect(arrived.get(id)).toBe(kept(comment, format));
  }
});

test.each(SHEET_FORMATS)('%s: the same exceptions give the same bytes at another time', async (format) => {
  const content = { exceptions: [sheetException()], today: TODAY, reasons: STANDARD_REASONS };
  const first = await sheetFile(content, format);
  // A ZIP tells times in steps of two seconds: the clock of this process stands, so the header is looked at.
  expect(await sheetFile(content, format)).toEqual(first);
  if (format === 'xlsx') expect(first.readUInt32LE(10)).toBe(0x00210000);
});

test('more exceptions than a workbook holds are refused by their number alone, with what to do; CSV takes them', () => {
  refuseTooMany(99_999, 'xlsx');
  refuseTooMany(1_000_000, 'csv');
  expect(() => refuseTooMany(100_000, 'xlsx')).toThrow(
    expect.objectContaining({
      message: 'A spreadsheet of 2000020 cells is too large: 2000000 are the most.',
      hint: 'Export CSV (--format csv), or fewer with a filter such as --period, --code or --min-value.',
    }),
  );
});
