import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from '../../../../src/reconcile/file/lines.ts';
import { StatementFileError } from '../../../../src/reconcile/file/problem.ts';
import { randomRuns } from '../../../support/random-runs.ts';
import { profileOf, readWhole } from '../../../support/statements/statement.ts';

interface Written {
  readonly day: number;
  readonly reference: string;
  readonly text: string;
  /** Minor units. */
  readonly amount: bigint;
}

const written = fc.record({
  day: fc.integer({ min: 0, max: 20_000 }),
  reference: fc.stringMatching(/^[A-Za-z_-]{1,12}[0-9]{0,8}$/),
  text: fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\0\ufeff]/g, '').trim()),
  // Beyond 2^53 a float has no minor units left.
  amount: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
});

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom('utf-8', 'utf-16le'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  decimal: fc.constantFrom('.', ','),
  group: fc.constantFrom(null, ' ', "'"),
  negative: fc.constantFrom('minus', 'parentheses', 'trailing'),
  unit: fc.constantFrom('major', 'minor'),
  dateFormat: fc.constantFrom('yyyy-MM-dd', 'dd/MM/yyyy', 'MM/dd/yyyy', 'd MMM yyyy', 'yyyyMMdd'),
  form: fc.constantFrom('signed', 'debitCredit', 'unsigned'),
});
type Dialect = typeof dialect extends fc.Arbitrary<infer Value> ? Value : never;

const isoOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dateText(day: number, format: string): string {
  const [year = '', month = '', date = ''] = isoOf(day).split('-');
  const parts: Record<string, string> = {
    yyyy: year,
    MMM: MONTHS[Number(month) - 1] ?? '',
    MM: month,
    dd: date,
    d: String(Number(date)),
  };
  return format.replace(/yyyy|MMM|MM|dd|d/g, (token) => parts[token] ?? '');
}

function amountText(minor: bigint, { decimal, group, negative, unit }: Dialect): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(unit === 'minor' ? 1 : 3, '0');
  const whole = unit === 'minor' ? digits : digits.slice(0, -2);
  const grouped = group === null ? whole : whole.replace(/\B(?=(\d{3})+$)/g, group);
  const text = unit === 'minor' ? grouped : `${grouped}${decimal}${digits.slice(-2)}`;
  if (minor >= 0n) return text;
  return negative === 'minus' ? `-${text}` : negative === 'parentheses' ? `(${text})` : `${text}-`;
}

function fileOf(lines: readonly Written[], how: Dialect): Buffer {
  const amounts = (minor: bigint) => {
    const size = minor < 0n ? -minor : minor;
    if (how.form === 'signed') return [amountText(minor, how)];
    if (how.form === 'unsigned') return [amountText(size, how), minor < 0n ? 'D' : 'C'];
    return minor < 0n ? [amountText(size, how), ''] : ['', amountText(size, how)];
  };
  const heads = how.form === 'signed' ? ['Amount'] : how.form === 'unsigned' ? ['Amount', 'Side'] : ['Out', 'In'];
  const rows = [
    ['Date', 'Reference', 'Text', ...heads],
    ...lines.map(({ day, reference, text, amount }) => [
      dateText(day, how.dateFormat),
      reference,
      text,
      ...amounts(amount),
    ]),
  ];
  const text = stringify(rows, { delimiter: how.delimiter, record_delimiter: how.end, quoted_match: /[\r\n"]/ });
  return Buffer.from(text, how.encoding === 'utf-8' ? 'utf8' : 'utf16le');
}

function profileFor(how: Dialect) {
  const forms = {
    signed: { signed: 'Amount' },
    unsigned: { unsigned: 'Amount', sign: { column: 'Side', debit: ['D'], credit: ['C'] } },
    debitCredit: { debitCredit: { debit: 'Out', credit: 'In' } },
  };
  const { delimiter, encoding, decimal, group, negative, unit, dateFormat, form } = how;
  return profileOf({
    file: { delimiter, encoding },
    columns: { date: 'Date', reference: 'Reference', text: 'Text' },
    dateFormat,
    number: { decimal, group, negative, unit },
    amount: forms[form as keyof typeof forms],
  });
}

const said = ({ day, reference, text, amount }: Written) => [isoOf(day), reference, text === '' ? null : text, amount];

test('any lines written in any dialect are read back exactly', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 20 }), dialect, async (lines, how) => {
      const content = fileOf(lines, how);
      const read = await readWhole(content, profileFor(how));
      expect(read.unparsed).toEqual([]);
      expect(read.lines.map(({ date, reference, text, amount }) => [date, reference, text, amount])).toEqual(
        lines.map(said),
      );
      expect(read.totals.balances.map(({ sum }) => sum)).toEqual(
        lines.length === 0 ? [] : [lines.reduce((sum, { amount }) => sum + amount, 0n)],
      );
      expect(read.file.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    }),
    { numRuns: randomRuns(60) },
  );
});

test('a file split in two gives the same lines: together they are the same multiset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 15 }), fc.nat(), dialect, async (some, at, how) => {
      // Doubled, so that equal lines occur.
      const lines = [...some, ...some.slice(0, 3)];
      const cut = at % lines.length;
      const profile = profileFor(how);
      const prints = async (part: readonly Written[]) => (await readWhole(fileOf(part, how), profile)).lines;
      const whole = await prints(lines);
      const parts = [...(await prints(lines.slice(0, cut))), ...(await prints(lines.slice(cut)))];
      expect(parts.map(({ fingerprint }) => fingerprint)).toEqual(whole.map(({ fingerprint }) => fingerprint));
      const counted = new Map<string, number>();
      for (const { fingerprint, occurrence } of whole) {
        counted.set(fingerprint, (counted.get(fingerprint) ?? 0) + 1);
        expect(occurrence).toBe(counted.get(fingerprint));
      }
    }),
    { numRuns: randomRuns(25) },
  );
});

test('how the rows arrive makes no difference', () => {
  const rows = [
    ['Date', 'Reference', 'Amount'],
    ...Array.from({ length: 9 }, (_, index) => ['2026-10-01', `A${index % 4}`, `${index % 4}.10`]),
    ['Total', '', '13.20'],
  ];
  const profile = profileOf({ file: { footer: 1 }, controls: { sum: { row: -1, column: 'Amount' } } });
  const readIn = (size: number) => {
    const reader = new LineReader(profile, 'x.csv');
    for (let from = 0; from < rows.length; from += size)
      reader.take({ firstRow: from + 1, rows: rows.slice(from, from + size) });
    const totals = reader.finish();
    return { ...reader.ready(), totals };
  };
  const whole = readIn(rows.length);
  expect(whole.lines).toHaveLength(9);
  for (const size of [1, 2, 3, 5]) expect(readIn(size)).toEqual(whole);
});

test('random bytes never crash: lines, named rows, or an error of the file', async () => {
  const header = fc.constantFrom('', 'Date,Reference,Amount\n');
  await fc.assert(
    fc.asyncProperty(
      header,
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('csv', 'xlsx'),
      async (head, bytes, format) => {
        const start = format === 'csv' ? head : head === '' ? '' : 'PK\x03\x04';
        const content = Buffer.concat([Buffer.from(start, 'latin1'), bytes]);
        const read = await readWhole(content, profileOf({ file: { format } })).catch((error: unknown) => error);
        if (read instanceof Error) expect(read).toBeInstanceOf(StatementFileError);
      },
    ),
    { numRuns: randomRuns(150) },
  );
});
