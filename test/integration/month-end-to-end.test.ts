import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hledgerBalances, hledgerCheck } from '../support/journal/hledger.ts';
import { BANK, WALLETS } from '../support/month/accounts.ts';
import * as fields from '../support/month/faults/fields.ts';
import type { FilePlan } from '../support/month/files.ts';
import { fill } from '../support/month/fill.ts';
import { Finance, type Row } from '../support/month/finance.ts';
import type { Report } from '../support/month/judge.ts';
import { makeLateMonth } from '../support/month/late.ts';
import { minorOf, moneyText, sumOf } from '../support/month/money.ts';
import { proofOf } from '../support/month/proof.ts';
import { toldOf } from '../support/month/tell.ts';

/*
 * October from its first lost webhook to the locked books, by the commands that two persons run. What they must see is computed
 * from the generator's own books, and from nothing that the product says.
 */

const month = makeLateMonth({ seed: 1_117, clean: 16, more: Object.values(fields) });
const PROVEN = [WALLETS.NGN, WALLETS.USD, WALLETS.GHS, BANK];
const OPENING = 5_000_000_000n;
const DAYS = ['--from', '2026-10-01', '--to', '2026-10-31', '--environment', 'test'];
const SET = ['2026-10', '--set', 'test'];
/** Above 0.01 a claim waits for a second person. */
const CONFIGURATION = `exceptions:
  reasons:
    small_difference: { resolution: accept }
    service_error: { resolution: claim, account: claims, needs: [reference, follow_up], approveAbove: { NGN: "0.01", USD: "0.01", GHS: "0.01" } }
`;

const closing = new Map(
  PROVEN.map((account) => [account.name, proofOf(month.book, account, OPENING).rows.get('closing')?.theirs]),
);
const lateOf = (name: string) =>
  sumOf(month.late.lines.filter(({ account }) => account.name === name).map(({ amount }) => amount));
/** October exported once more by those whose files were not whole: each file with the lines that it lacked. */
const corrected = month.files
  .filter(({ account }) => month.late.lines.some((line) => line.account === account))
  .map((file): FilePlan => {
    const own = month.late.lines.filter(({ account }) => account === file.account);
    const moved = (until: (day: string) => boolean) =>
      sumOf(own.filter(({ day }) => until(day)).map(({ amount }) => amount));
    const lines = [...file.lines, ...own.filter(({ day }) => file.from <= day && day <= file.to)];
    return {
      ...file,
      opening: file.opening + moved((day) => day < file.from),
      closing: file.closing + moved((day) => day <= file.to),
      lines: lines.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day))),
    };
  });
const text = (minor: bigint | undefined) => moneyText(minor ?? 0n);
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** Collections that stand as paid in the wallet, and of which no webhook ever came. */
const lost = month.book.records
  .filter(
    ({ kind, status, environment, webhooks }) =>
      kind === 'collection' && status === 'success' && environment === 'test' && webhooks === null,
  )
  .slice(0, 5);
let finance: Finance;
let noted = '';
let first: { digest: string; lines: Row[] };
let claimed: Row;
/** Statements in whose place corrected ones come. */
const outdated: number[] = [];

beforeAll(async () => {
  const known = month.book.records.filter((record) => !lost.includes(record));
  const filled = await fill(known.map(toldOf));
  finance = new Finance(filled);
  writeFileSync(join(filled.folder, 'tallyhook.yaml'), CONFIGURATION);
});

const report = async () => (await finance.json('report', 'period', ...SET)) as unknown as Report & { code: number };
const closings = ({ proof }: Report) =>
  Object.fromEntries(proof.map(({ account, rows }) => [account, rows.find(({ name }) => name === 'closing')?.theirs]));

test('what the books expect and no webhook said is asked for, and confirmed', async () => {
  const rows = lost.map(({ reference, amount, currency }) => `${reference},${text(amount)},${currency}\n`);
  writeFileSync(join(finance.folder, 'orders.csv'), `reference,amount,currency\n${rows.join('')}`);
  expect((await finance.run('track', 'collection', 'orders.csv', '--environment', 'test')).code).toBe(0);
  await fill(
    lost.map((record) => ({ ...toldOf(record), webhooks: [] })),
    finance.folder,
  );
  for (const { reference } of lost) {
    const { 0: record } = await finance.json('collections', 'show', reference, '--environment', 'test');
    expect(record).toMatchObject({ reference, confirmed: 'success', reported: null });
  }
});

test('the run proves every balance, and lists what the books planted', async () => {
  for (const file of month.files) {
    const statement = await finance.import(file);
    if (corrected.some(({ account }) => account === file.account) && file.from <= '2026-10-31')
      outdated.push(statement);
  }
  const run = await finance.json('reconcile', ...DAYS);
  expect(run.code).toBe(3);
  const names = run.breaks.map(({ code, reference }: { code: string; reference: string }) => `${code} ${reference}`);
  expect(month.ended.filter((name) => !names.includes(name))).toEqual([]);
  for (const { account, unexplained } of (run as Report).proof)
    expect([account, unexplained]).toEqual([account, '0.00']);
  for (const { name } of PROVEN) expect([name, closings(run)[name]]).toEqual([name, text(closing.get(name))]);
  // Of the lost webhooks nothing is left to say.
  const references = new Set(run.breaks.map(({ reference }: { reference: string }) => reference));
  expect(lost.filter(({ reference }) => references.has(reference))).toEqual([]);
});

test('a spreadsheet resolves the queue; a claim waits for another person', async () => {
  expect((await finance.run('period', 'close', ...SET, '--as', 'Ada')).code).toBe(1);
  const { rows, answer } = await finance.resolve('Ada', ({ code, currency }) => {
    if (claimedOnce(code, currency))
      return {
        resolution: 'claim',
        reason_code: 'service_error',
        comment: 'ref: CLM-7; more than agreed',
        follow_up: '2027-01-15',
      };
    if (code === 'missing_external') return { resolution: 'carry', reason_code: 'next_period' };
    return { resolution: 'accept', reason_code: 'small_difference' };
  });
  expect(answer).toMatchObject({ code: 0, applied: true, known: false, refused: [], refusedFile: null });
  expect(answer.changed).toHaveLength(rows.length);
  claimed = rows.find(({ code }) => code === 'fee_mismatch') as Row;
  expect(claimed).toBeDefined();
  const check = await finance.json('period', 'check', ...SET);
  expect(check.code).toBe(3);
  expect(openOf(check)).toEqual(expect.arrayContaining(['exceptions', 'approvals']));
  expect((await finance.run('exceptions', 'approve', claimed.id ?? '', '--as', ' ADA')).code).toBe(1);
  expect((await finance.run('exceptions', 'approve', claimed.id ?? '', '--as', 'Ben')).code).toBe(0);
});

let claims = 0;
const claimedOnce = (code: string | undefined, currency: string | undefined) =>
  code === 'fee_mismatch' && currency !== undefined && ++claims === 1;
const openOf = ({ items }: { items: { name: string; state: string }[] }) =>
  items.filter(({ state }) => state === 'open').map(({ name }) => name);

test('the claim is a file to send', async () => {
  expect(
    (await finance.run('exceptions', 'export', '--claims', '2026-10', '--environment', 'test', '--out', 'claims')).code,
  ).toBe(0);
  const [claim, total] = finance.csv(`claims/claims-2026-10-${claimed.currency}.csv`);
  expect(claim).toMatchObject({
    id: claimed.id,
    charged: claimed.theirs,
    schedule: claimed.ours,
    difference: claimed.variance,
    claim: 'CLM-7',
  });
  expect(total).toMatchObject({ id: 'total', reference: '1', difference: claimed.variance });
});

test('it is ready, closed by one person and approved by the other; the digest is that of the report', async () => {
  expect(await finance.json('period', 'check', ...SET)).toMatchObject({ code: 0, ready: true });
  const closed = await finance.json('period', 'close', ...SET, '--as', 'Ada');
  expect(closed).toMatchObject({
    code: 0,
    state: 'closed',
    closing: 1,
    preparer: 'Ada',
    approver: null,
    changes: null,
  });
  noted = closed.head;
  const { stdout } = await finance.run('report', 'period', ...SET, '--format', 'json');
  expect(sha256(stdout)).toBe(closed.digest);
  expect((await finance.run('period', 'approve', ...SET, '--as', 'ada ')).code).toBe(1);
  expect(await finance.json('period', 'approve', ...SET, '--as', 'Ben')).toMatchObject({
    state: 'approved',
    approver: 'Ben',
    digest: closed.digest,
  });
  first = { digest: closed.digest, lines: (await finance.journal()).lines };
});

test('what comes late changes no closed figure', async () => {
  const before = await report();
  await fill(month.late.records.map(toldOf), finance.folder, Date.now());
  for (const file of corrected) await finance.import(file);
  expect(closings(await report())).toEqual(closings(before));
  const shown = await finance.json('period', 'show', ...SET);
  expect(shown.digest).toBe(first.digest);
  const late = new Set(shown.sinceClose.map(({ reference }: { reference: string }) => reference));
  expect(month.late.lines.filter(({ reference }) => reference !== null && !late.has(reference))).toEqual([]);
});

test('reopened, it is closed again with every figure that changed', async () => {
  const reopened = await finance.json('period', 'reopen', ...SET, '--reason', 'late files', '--as', 'Ada');
  expect(reopened).toMatchObject({ code: 0, state: 'open', closing: 1, reason: 'late files' });
  expect((await finance.run('period', 'close', ...SET, '--as', 'Ada')).code).toBe(1);
  for (const id of outdated)
    expect((await finance.run('statements', 'remove', String(id), '--yes', '--as', 'Ada')).code).toBe(0);
  await finance.json('reconcile', ...DAYS);
  const { rows } = await finance.resolve('Ada', () => ({ resolution: 'accept', reason_code: 'small_difference' }));
  const left = rows.map(({ code, reference }) => `${code} ${reference}`);
  expect(month.ended.filter((name) => left.includes(name))).toEqual([]);
  expect(left).toContain(`${claimed.code} ${claimed.reference}`);
  const closed = await finance.json('period', 'close', ...SET, '--as', 'Ben');
  expect(closed).toMatchObject({ code: 0, state: 'closed', closing: 2, preparer: 'Ben', approver: null });
  for (const { name, currency } of PROVEN.filter((account) => lateOf(account.name) !== 0n)) {
    const [before, after] = [closing.get(name) ?? 0n, (closing.get(name) ?? 0n) + lateOf(name)];
    const path = `proof[test ${name} ${currency}].rows[closing].theirs`;
    expect(closed.changes).toContainEqual({ path, before: text(before), after: text(after) });
  }
  expect(await finance.json('period', 'approve', ...SET, '--as', 'Ada')).toMatchObject({
    state: 'approved',
    closing: 2,
  });
});

test('the journal: debits are credits, clearing ends at 0, wallets and bank as their files, no number twice or gone', async () => {
  const { lines } = await finance.journal();
  const minor = (cell: string | undefined) => (cell === '' || cell === undefined ? 0n : minorOf(cell));
  const sums = (of: (line: Row) => string) => {
    const all = new Map<string, bigint>();
    for (const line of lines) all.set(of(line), (all.get(of(line)) ?? 0n) + minor(line.debit) - minor(line.credit));
    return all;
  };
  expect([...sums(({ entry, currency }) => `${entry} ${currency}`)].filter(([, sum]) => sum !== 0n)).toEqual([]);
  const accounts = sums(({ account, currency }) => `${account} ${currency}`);
  expect([...accounts].filter(([name, sum]) => name.startsWith('clearing:') && sum !== 0n)).toEqual([]);
  for (const { kind, name, currency } of PROVEN) {
    expect([name, accounts.get(`assets:${kind}:${name} ${currency}`)]).toEqual([
      name,
      (closing.get(name) ?? 0n) + lateOf(name),
    ]);
  }
  const numbers = [...new Set(lines.map(({ entry }) => entry))];
  expect(numbers).toEqual(numbers.map((_, at) => `2026-10-${String(at + 1).padStart(5, '0')}`));
  expect(lines.slice(0, first.lines.length)).toEqual(first.lines);
  const reversals = lines.filter(({ source }) => source === 'reversal');
  expect(reversals.length).toBeGreaterThan(0);
  const given = new Set(first.lines.map(({ entry }) => entry));
  expect(reversals.filter(({ reverses }) => !given.has(reverses))).toEqual([]);
});

test('hledger agrees', { tags: ['hledger'] }, async () => {
  const { hledger } = await finance.journal();
  expect(hledgerCheck(hledger)).toBeNull();
  expect(hledgerBalances(hledger).filter((line) => line.startsWith('clearing:'))).toEqual([]);
});

test('locked for ever; the audit is whole and leads to the head that was noted at the first close', async () => {
  expect(await finance.json('period', 'lock', ...SET, '--yes', '--as', 'Ben')).toMatchObject({ state: 'locked' });
  expect((await finance.run('period', 'reopen', ...SET, '--reason', 'x', '--as', 'Ada')).code).toBe(1);
  expect(await finance.json('audit', 'verify', '--head', noted)).toMatchObject({ code: 0, ok: true, firstBad: null });
});
