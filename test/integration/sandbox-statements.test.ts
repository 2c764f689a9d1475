import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../src/package-root.ts';
import {
  DIALECT_NAMES,
  type DialectName,
  FILE_FAULTS,
  type FileChaos,
  type Sandbox,
  STATEMENT_KINDS,
  type StatementFile,
  type StatementKind,
} from '../../src/sandbox/index.ts';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ACTIVE_ON_TERMINAL, OnTerminal } from '../support/on-terminal.ts';
import { type ReadFile, type ReadLine, readByProfile } from '../support/read-by-profile.ts';
import { statementMonth } from '../support/statement-month.ts';

const DAYS = { from: '2026-03-01', to: '2026-03-12' } as const;
const TEXT_DIALECTS = DIALECT_NAMES.filter((name) => name !== 'spreadsheet');
const folder = temporaryFolder();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await statementMonth();
  expect(sandbox.books().problems).toEqual([]);
});
afterAll(() => sandbox.close());

const bytesOf = ({ content }: StatementFile) => Buffer.from(content, 'base64');
const statement = (kind: StatementKind, dialect: DialectName, more: object = {}) =>
  sandbox.statement({ kind, dialect, ...DAYS, currency: 'NGN', ...more });
const read = async (kind: StatementKind, dialect: DialectName, more: object = {}): Promise<ReadFile> => {
  const file = await statement(kind, dialect, more);
  return readByProfile(bytesOf(file), file.profile);
};
const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  return BigInt(whole + fraction.padEnd(8, '0')) * (text.startsWith('-') ? -1n : 1n);
};
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** Throws unless the file adds up to itself, by what its profile declares. */
function checkTotals(file: ReadFile): void {
  const moved = sum(file.lines.map(({ amount }) => amount));
  expect(file.rows ?? file.lines.length).toBe(file.lines.length);
  expect(file.sum ?? moved).toBe(moved);
  let balance = file.opening ?? (file.lines[0] ? (file.lines[0].balance ?? 0n) - file.lines[0].amount : 0n);
  for (const line of file.lines) {
    balance += line.amount;
    expect(line.balance ?? balance).toBe(balance);
    if (line.gross !== null) expect(line.gross - (line.fee ?? 0n) - (line.tax ?? 0n)).toBe(line.amount);
  }
  expect(file.closing ?? balance).toBe(balance);
}

describe('every dialect, read by its own profile', () => {
  const cases = TEXT_DIALECTS.flatMap((dialect) => STATEMENT_KINDS.map((kind) => [dialect, kind] as const));
  it.each(cases)('%s %s: has the lines of the books, and adds up', async (dialect, kind) => {
    const file = await read(kind, dialect);
    checkTotals(file);
    const shown = (lines: readonly ReadLine[]) => lines.map(({ row: _, balance: __, ...line }) => line);
    expect(shown(file.lines)).toEqual(shown((await read(kind, 'plain')).lines));
    expect([file.from ?? DAYS.from, file.to ?? DAYS.to]).toEqual([DAYS.from, DAYS.to]);
  });

  it('the wallet file is what the entries moved, one line for each', async () => {
    const { lines } = await read('wallet', 'plain');
    const entries = sandbox.books().entries.filter(({ scope, currency }) => scope === 'm1/test' && currency === 'NGN');
    const inside = (name: string) => name === 'available' || name === 'pending';
    const moved = entries.filter(({ from, to }) => inside(from) !== inside(to));
    const byKind = (all: readonly { type: string; reference: string; amount: bigint }[]) => {
      const sums = new Map<string, bigint>();
      for (const { type, reference, amount } of all)
        sums.set(`${type} ${reference}`, (sums.get(`${type} ${reference}`) ?? 0n) + amount);
      return Object.fromEntries(sums);
    };
    const signed = moved.map((entry) => ({ ...entry, amount: units(entry.amount) * (inside(entry.to) ? 1n : -1n) }));
    expect(byKind(lines)).toEqual(byKind(signed));
    expect(lines.filter(({ type }) => type === 'payout_reversal').map(({ amount }) => amount)).toEqual([
      units('810.75'),
    ]);
  });

  it('the nets of each batch add up to the one credit at the bank that names it', async () => {
    const [settled, bank] = [await read('settlement', 'plain'), await read('bank', 'plain')];
    const credits = bank.lines.filter(({ type }) => type === 'settlement');
    expect(credits.length).toBe(2);
    for (const credit of credits) {
      const members = settled.lines.filter(({ group }) => group === credit.reference);
      expect(members.length).toBeGreaterThan(1);
      expect(sum(members.map(({ amount }) => amount))).toBe(credit.amount);
      expect(members.map(({ date }) => date)).toEqual(members.map(() => credit.date));
    }
    expect(settled.lines.length).toBe(
      sandbox.batches().flatMap(({ currency, members }) => (currency === 'NGN' ? members : [])).length,
    );
  });
});

describe('the bytes', () => {
  const files = TEXT_DIALECTS.flatMap((dialect) => STATEMENT_KINDS.map((kind) => `${kind}-ngn.${dialect}.csv`));
  it.each(files)('%s is as it was', async (name) => {
    const [kind, dialect] = name.replace('-ngn', '').split('.') as [StatementKind, DialectName];
    const path = packageFile(`test/fixtures/statements/${name}`);
    const bytes = bytesOf(await statement(kind, dialect));
    if (process.env.WRITE_STATEMENT_FIXTURES === '1') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
    expect(existsSync(path)).toBe(true);
    expect(bytes.equals(readFileSync(path))).toBe(true);
  });

  it('of a spreadsheet: typed days and amounts, ids as text, and no time of writing', async () => {
    const first = bytesOf(await statement('settlement', 'spreadsheet'));
    expect(first.equals(bytesOf(await statement('settlement', 'spreadsheet')))).toBe(true);
    const parts = unzipped(first);
    expect(new Set(parts.map(({ time }) => time))).toEqual(new Set([0x00210000]));
    const sheet = parts.find(({ name }) => name.endsWith('sheet1.xml'))?.text ?? '';
    const strings = parts.find(({ name }) => name.endsWith('sharedStrings.xml'))?.text ?? '';
    expect(strings).toContain('STL_');
    // 46084 is 3 March 2026 in a spreadsheet
    expect(sheet).toMatch(/<c r="A6"[^>]*><v>46084<\/v><\/c>/);
    expect(sheet).toContain('<v>123456.78</v>');
    expect(sheet).toMatch(/<c r="F\d+"[^>]*t="s"/);
  });

  it('are the same for the same books, and the zone moves the days', async () => {
    await using again = await statementMonth();
    for (const dialect of DIALECT_NAMES) {
      const request = { kind: 'wallet', dialect, ...DAYS, currency: 'NGN' } as const;
      expect((await again.statement(request)).content).toBe((await sandbox.statement(request)).content);
    }
    const days = (file: ReadFile) => file.lines.filter(({ type }) => type === 'settlement').map(({ date }) => date);
    expect(days(await read('bank', 'plain'))).toEqual(['2026-03-03', '2026-03-07']);
    expect(days(await read('bank', 'plain', { zone: 'America/New_York' }))).toEqual(['2026-03-02', '2026-03-06']);
  });
});

describe('planted faults', () => {
  const key = ({ type, reference, group, amount, gross, fee, date }: ReadLine) =>
    [type, reference, group, gross ?? amount, fee ?? '', date].join(' ');
  const without = (lines: readonly string[], taken: readonly string[]) => {
    const left = [...lines];
    for (const one of taken) if (left.includes(one)) left.splice(left.indexOf(one), 1);
    return left;
  };

  it.each([
    ['wallet', { lost: 2, doubled: 1, split: 1, altered: 1, fee: 1, late: 2 }],
    ['settlement', { lost: 1, doubled: 1, split: 1, altered: 1, fee: 1, late: 1 }],
    ['bank', { lost: 1, altered: 1, late: 1 }],
  ] satisfies [StatementKind, FileChaos][])('in a %s file are those it names, and no others', async (kind, chaos) => {
    const books = await read(kind, 'plain');
    const file = await statement(kind, 'plain', { chaos, seed: 5 });
    const faulty = readByProfile(bytesOf(file), file.profile);
    checkTotals(faulty);
    const dates = faulty.lines.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted());
    const counts = FILE_FAULTS.map((fault) => [fault, file.planted.filter(({ kind: of }) => of === fault).length]);
    expect(counts).toEqual(FILE_FAULTS.map((fault) => [fault, (chaos as FileChaos)[fault] ?? 0]));

    // every row that a fault names holds its value, and what else differs from the books is nothing
    const rowsOf = new Map(faulty.lines.map((line) => [line.row, line]));
    const named = file.planted.flatMap(({ rows }) => rows);
    expect(new Set(named).size).toBe(named.length);
    for (const { field, rows, file: values, type, reference, group } of file.planted) {
      expect(rows.length).toBe(values.length);
      for (const [position, row] of rows.entries()) {
        const line = rowsOf.get(row);
        expect(line).toMatchObject({ type, reference, group });
        const fee = kind === 'settlement' ? line?.fee : -(line?.amount ?? 0n);
        const value = { amount: line?.amount, gross: line?.gross, fee, date: line?.date }[field];
        expect(value).toEqual(field === 'date' ? values[position] : units(values[position] ?? ''));
      }
    }
    const untouched = faulty.lines.filter(({ row }) => !named.includes(row)).map(key);
    const struck = without(books.lines.map(key), untouched);
    expect(without(untouched, books.lines.map(key))).toEqual([]);
    expect(struck.length).toBe(file.planted.length);
    for (const { reference, type, field, books: value } of file.planted) {
      const hit = books.lines.find(
        (line) =>
          struck.includes(key(line)) &&
          line.reference === reference &&
          line.type === type &&
          (field !== 'date' || line.date === value),
      );
      expect(hit).toBeDefined();
      if (field === 'amount') expect(hit?.amount).toBe(units(value));
      if (field === 'gross') expect(hit?.gross).toBe(units(value));
    }
  });

  it('leave the whole of a split line, double one exactly, and stand in other lines under another seed', async () => {
    const chaos = { split: 1, doubled: 1 };
    const { planted } = await statement('wallet', 'minor', { chaos, seed: 5 });
    const split = planted.find(({ kind }) => kind === 'split');
    expect(sum((split?.file ?? []).map(units))).toBe(units(split?.books ?? '1'));
    const doubled = planted.find(({ kind }) => kind === 'doubled');
    expect(doubled?.file).toEqual([doubled?.books, doubled?.books]);
    expect((await statement('wallet', 'minor', { chaos, seed: 5 })).planted).toEqual(planted);
    const others = await Promise.all([6, 7, 8, 9].map((seed) => statement('wallet', 'minor', { chaos, seed })));
    expect(others.some((other) => JSON.stringify(other.planted) !== JSON.stringify(planted))).toBe(true);
  });

  it.each(DIALECT_NAMES)('a line in another dialect cannot be read in %s, and the others can', async (dialect) => {
    const file = await statement('wallet', dialect, { chaos: { dialect: 1 }, seed: 5 });
    const [fault] = file.planted;
    const [row = 0] = fault?.rows ?? [];
    expect(fault).toMatchObject({ kind: 'dialect', field: 'date', file: [expect.stringMatching(/^[\d.-]{10}$/)] });
    if (dialect === 'spreadsheet') {
      const parts = unzipped(bytesOf(file));
      expect(parts.find(({ name }) => name.endsWith('sharedStrings.xml'))?.text).toContain(`>${fault?.file[0]}<`);
      expect(parts.find(({ name }) => name.endsWith('sheet1.xml'))?.text).toMatch(
        new RegExp(`<c r="A${row}"[^>]*t="s"`),
      );
      return;
    }
    expect(() => readByProfile(bytesOf(file), file.profile)).toThrow(`date ${fault?.file[0]}`);
    const others = readByProfile(bytesOf(file), file.profile, [row]);
    const whole = await read('wallet', dialect);
    expect(whole.lines.filter((line) => line.row !== row)).toEqual(others.lines);
    expect([others.closing, others.rows, others.sum]).toEqual([whole.closing, whole.rows, whole.sum]);
  });

  it('are refused when there are too few lines for them', async () => {
    await expect(statement('bank', 'plain', { chaos: { fee: 1 } })).rejects.toThrow('0 lines of this statement can be');
    await expect(statement('wallet', 'plain', { chaos: { lost: 500 } })).rejects.toThrow(
      '500 lines were to be lost, and 27',
    );
    await expect(statement('wallet', 'plain', { chaos: { stolen: 1 } })).rejects.toThrow(
      'chaos.stolen: is not known here',
    );
  });
});

describe('what is refused', () => {
  it.each([
    [{ from: '2026-03-12', to: '2026-03-01' }, 'is after the last day'],
    [{ from: '2026-02-30' }, '"2026-02-30" is not a day'],
    [{ zone: 'Mars/Olympus' }, 'is not a time zone'],
    [{ currency: undefined }, 'days are in: NGN, KES, GHS, USD'],
    [{ currency: undefined, from: '2026-03-10' }, 'days are in: none'],
    [{ wallet: 'W9' }, 'No wallet W9'],
    [{ kind: 'bank', wallet: 'W9' }, 'A bank statement is not of a wallet'],
    [{ dialect: 'klingon' }, 'dialect'],
  ])('%j: %s', async (more, message) => {
    await expect(statement('wallet', 'plain', more)).rejects.toThrow(message);
  });

  it('days whose entries were dropped; later days still have their true opening balance', async () => {
    const request = { kind: 'wallet', dialect: 'plain', currency: 'NGN' } as const;
    await using short = await statementMonth({ settings: { entryLogLimit: 12 } });
    await expect(short.statement({ ...request, ...DAYS })).rejects.toThrow('are no longer in the books');
    const later = { ...request, from: '2026-03-06', to: '2026-03-12' };
    expect(await short.statement(later)).toEqual(await sandbox.statement(later));
  });

  it('parts of a minor unit, in the dialect that has none', async () => {
    await using exact = await statementMonth({ settings: { feeRounding: 'exact' } });
    const request = { kind: 'wallet', ...DAYS, currency: 'NGN' } as const;
    await expect(exact.statement({ ...request, dialect: 'minor' })).rejects.toThrow('no whole number of minor units');
    const file = await exact.statement({ ...request, dialect: 'parentheses' });
    checkTotals(readByProfile(bytesOf(file), file.profile));
  });
});

describe('tallyhook sandbox statements', () => {
  const run = (...args: string[]) =>
    command(['sandbox', 'statements', ...args, '--url', sandbox.url, '--token', sandbox.controlToken], {
      cwd: folder,
    });
  const days = ['--from', DAYS.from, '--to', DAYS.to];

  it('writes the file, its profile and the planted faults; without --out the file goes to stdout', async () => {
    const chaos = ['--chaos', 'lost=1,fee=1', '--seed', '9'];
    const args = ['wallet', ...days, '--currency', 'NGN', '--dialect', 'windows', ...chaos];
    const named = ['--out', 'w.csv', '--profile', 'w.yaml', '--planted', 'p.json'];
    const ended = await run(...args, ...named);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(
      /^w\.csv {2}m1-wallet-ngn \(test\), 2026-03-01 to 2026-03-12: 26 lines; opening 0\.00, closing [\d.]+ NGN; 2 planted faults\n$/,
    );
    const wanted = await statement('wallet', 'windows', { chaos: { lost: 1, fee: 1 }, seed: 9 });
    const written = (name: string) => readFileSync(`${folder}/${name}`);
    expect(written('w.csv').equals(bytesOf(wanted))).toBe(true);
    expect(parse(written('w.yaml').toString())).toEqual(wanted.profile);
    expect(JSON.parse(written('p.json').toString())).toEqual(wanted.planted);
    const plain = await run('bank', ...days, '--currency', 'USD');
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toBe(bytesOf(await statement('bank', 'plain', { currency: 'USD' })).toString());
  });

  it('shows the text of a file on a terminal, and no spreadsheet', { tags: ['script'] }, async () => {
    const where = ['--url', sandbox.url, '--token', sandbox.controlToken];
    const args = ['sandbox', 'statements', 'bank', ...days, '--currency', 'USD', ...where];
    const text = new OnTerminal([...args, '--dialect', 'unicode'], { cwd: folder, stdout: 'terminal' });
    expect((await text.ended()).code).toBe(0);
    expect(text.shown).toContain('03/04/2026');
    expect(text.shown).toContain('Règlement');
    expect(text.shown.replaceAll('\t', '')).not.toMatch(ACTIVE_ON_TERMINAL);
    const sheet = new OnTerminal([...args, '--dialect', 'spreadsheet'], { cwd: folder, stdout: 'terminal' });
    expect((await sheet.ended()).code).toBe(2);
    expect(sheet.shown).toContain('Name a file with --out');
  });

  it('with --json tells what it wrote', async () => {
    const ended = await run('settlement', ...days, '--currency', 'NGN', '--out', 's.csv', '--json');
    const { content, ...facts } = await statement('settlement', 'plain');
    expect(JSON.parse(ended.stdout)).toEqual({ file: 's.csv', bytes: Buffer.from(content, 'base64').length, ...facts });
    expect(facts).toMatchObject({ lines: 7, opening: null, closing: null });
  });

  it.each(['--out', '--profile', '--planted'])(
    'replaces no file that %s names, unless with --force',
    async (option) => {
      const mine = `${folder}/mine${option}`;
      writeFileSync(mine, '# mine\n');
      const args = ['bank', ...days, '--currency', 'USD', option, mine];
      const refused = await run(...args);
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([
        2,
        '',
        `tallyhook: ${mine} exists already.\nGive another name, or replace it with --force.\n`,
      ]);
      expect(readFileSync(mine, 'utf8')).toBe('# mine\n');
      expect(await run(...args, '--force')).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(mine, 'utf8')).not.toContain('# mine');
    },
  );

  it.each([
    [['bank', '--from', '2026-03-09', '--to', '2026-03-01'], 2, /after the last day/],
    [
      ['bank', ...days, '--chaos', 'stolen=1'],
      2,
      /--chaos has "stolen=1": .*fee, late, split, altered, doubled, lost, dialect/,
    ],
    [['bank', ...days, '--dialect', 'klingon'], 2, /plain/],
    [['bank', ...days, '--json'], 2, /--out/],
    [['cash', ...days], 2, /wallet/],
    [['bank', ...days, '--currency', 'NGN', '--out', 'no/such/b.csv'], 2, /Cannot write no\/such\/b\.csv/],
  ])('%j ends with %i', async (args, code, message) => {
    const ended = await run(...args);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(message);
  });

  it('ends with 1 and one sentence when entries were dropped', async () => {
    await using short = await statementMonth({ settings: { entryLogLimit: 12 } });
    const where = ['--url', short.url, '--token', short.controlToken];
    const ended = await command(['sandbox', 'statements', 'wallet', ...days, ...where], { cwd: folder });
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('Entries of the days from 2026-03-01 to 2026-03-12 are no longer in the books');
  });
});

describe('docs/sandbox-statements.md', () => {
  const page = readFileSync(packageFile('docs/sandbox-statements.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => parse(text));
  const rows = page.split('\n## Words\n')[1]?.matchAll(/^\| `(\w+)` \| (.*) \|$/gm) ?? [];
  const words = [...rows].map(([, type = '', cells = '']) => [
    type,
    ...cells.split(' | ').map((cell) => cell.slice(1, -1)),
  ]);
  const COLUMN: Record<DialectName, number> = {
    ...{ plain: 1, 'debit-credit': 2, parentheses: 2, spreadsheet: 2 },
    ...{ minor: 3, 'no-header': 3, windows: 4, unicode: 4 },
  };

  it.each([
    ...DIALECT_NAMES.map((dialect) => ['wallet', dialect] as const),
    ['settlement', 'plain'] as const,
    ['bank', 'debit-credit'] as const,
  ])('has the profile of a %s file in %s', async (kind, dialect) => {
    const { types, ...profile } = (await statement(kind, dialect)).profile;
    expect(blocks.find(({ name }) => name === profile.name)).toEqual(profile);
    expect(Object.fromEntries(words.map((row) => [row[COLUMN[dialect]], row[0]]))).toEqual(types);
  });

  it('has no block and no dialect beside them', () => {
    expect(blocks).toHaveLength(DIALECT_NAMES.length + 2);
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([...DIALECT_NAMES, 'Settlement and bank', 'Words']);
  });
});

/** The files of a ZIP archive by its central directory. */
function unzipped(bytes: Buffer): { name: string; time: number; text: string }[] {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let entry = bytes.readUInt32LE(end + 16);
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const [nameLength, size, local] = [entry + 28, entry + 20, entry + 42].map((at, position) =>
      position === 0 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at),
    ) as [number, number, number];
    const name = bytes.toString('utf8', entry + 46, entry + 46 + nameLength);
    const time = bytes.readUInt32LE(entry + 12);
    expect(bytes.readUInt32LE(local + 10)).toBe(time);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    entry += 46 + nameLength + bytes.readUInt16LE(entry + 30) + bytes.readUInt16LE(entry + 32);
    return { name, time, text: inflateRawSync(bytes.subarray(start, start + size)).toString() };
  });
}
