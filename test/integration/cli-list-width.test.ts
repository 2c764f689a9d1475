import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { BREAK_ID } from '../support/fee-break.ts';
import { ReconciledFolder } from '../support/kept-run.ts';
import { OnTerminal } from '../support/on-terminal.ts';
import { payout, refund, TestDatabase } from '../support/test-database.ts';

const REFERENCE = 'RFD_0123456789ABCDEF';
const db = new TestDatabase();
const data = { account_number: '0123456789', bank_code: '990001', updated_at: undefined };
db.keepAndApply(
  refund(REFERENCE, 'awaiting_settlement', {
    data: { amount: '1234567.89', fee: '0.25', transaction_reference: 'ORDER_17' },
  }),
  refund(REFERENCE, 'awaiting_settlement', { data: { amount: '1234567.90' } }),
  payout('payout-of-invoice-0017', 'failed', { data }), // its key is a digest
);
db.database.exec("INSERT INTO tracked (kind, record_id, tracked_at) VALUES ('refund', 1, 0), ('payout', 1, 0)");
beforeAll(async () => {
  const folder = new ReconciledFolder(db);
  await folder.import('october.csv', [['L-1', 123_456_789]]);
  const reference = 'payout-of-invoice-0017';
  const line = { statement: 1, row: 2, fingerprint: 'ab'.repeat(32), occurrence: 1 };
  const suggested = { pass: 'transaction_reference_and_amount', state: 'suggested' } as const;
  await folder.keep({
    matches: [{ line: 'L-1', kind: 'payout', reference, ...suggested }],
    breaks: [{ code: 'status_mismatch', sub: 'internal_vs_statement', kind: 'payout', reference, line }],
  });
});
afterAll(() => db.remove());
const env = { TALLYHOOK_DATABASE: db.path, TERM: 'xterm' };

/** What one command prints on a terminal of this width. */
async function shownAt(columns: number, args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await command(args, { cwd: db.folder, env, columns });
  return stripVTControlCharacters(stdout + stderr).split('\n');
}

let terminal: OnTerminal | undefined;
afterEach(() => terminal?.kill());

/** What the program prints on a real terminal. */
async function shownOnTerminal(args: readonly string[], columns?: number): Promise<string> {
  terminal = new OnTerminal(args, {
    cwd: db.folder,
    env,
    stdout: 'terminal',
    ...(columns !== undefined && { columns }),
  });
  await terminal.ended();
  return terminal.shown;
}

test.each([
  ['refunds', 'list'],
  ['payouts', 'list'],
  ['payouts', 'show', 'payout-of-invoice-0017'],
  ['refunds', 'show', REFERENCE],
  ['events', 'list'],
  ['events', 'list', '--reference', 'payout-of-invoice-0017'],
  ['findings'],
  ['stuck', '--older', '0s'],
  ['track', 'list'],
  ['matches', 'list'],
  ['breaks', 'list'],
  ['breaks', 'show', BREAK_ID],
  ['schedule', 'list'],
  ['health'],
])('on a terminal of 80 columns %s %s fits, and references are whole', async (...words) => {
  const lines = await shownAt(
    80,
    words.filter((word) => word !== undefined),
  );
  const table = lines.filter(
    (line) => !/^(digest|not confirmed|never checked|not settled|attempts used up)/i.test(line),
  );
  for (const line of table) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(lines.join('\n')).not.toMatch(/[0-9a-f]{64}/);
  if (words[1] !== 'list' || words[0] === 'schedule') return;
  expect(lines.join('\n')).toMatch(words[0] === 'refunds' ? REFERENCE : /payout-of-invoice-0017/);
});

test.each([
  'refunds list',
  'payouts list',
  'payouts show payout-of-invoice-0017',
  'events list',
  'findings',
  'findings show 1',
  'stuck --older 0s',
  'schedule list',
  'track list',
  'matches list',
  'breaks list',
  `breaks show ${BREAK_ID}`,
  'stats',
  'health',
  'status',
  'why payout-of-invoice-0017',
  'doctor --offline',
  'refunds list --limit 1 --nope',
])('on a terminal of 40 columns %s fits, also its notes, and no word is broken', async (line) => {
  const lines = await shownAt(40, line.split(' '));
  expect(lines.length).toBeGreaterThan(2);
  const tooWide = lines.filter((one) => one.length > 40 && one.trim().includes(' '));
  expect(tooWide).toEqual([]);
  if (line === 'refunds list') expect(lines.map((one) => one.trim())).toContain(`REFERENCE    ${REFERENCE}`);
});

test('a list of events on 80 columns shows how often each was delivered; its state goes first', async () => {
  const lines = (await shownAt(80, ['events', 'list'])).join('\n');
  expect(lines).toMatch(/DELIVERIES/);
  expect(lines).toMatch(/Left out to fit the terminal: .*STATE/);
});

test('doctor shows a skipped check without colour, and says that a job has not run yet', {
  tags: ['script'],
}, async () => {
  const raw = (await shownOnTerminal(['doctor', '--offline'], 200)).replaceAll('\u001b', 'ESC');
  expect(raw).toMatch(/^skipped +\S/m);
  expect(raw).toMatch(/^ESC\[32mok /m);
  expect(raw).not.toMatch(/well at -|at -,/);
});

test('a terminal that reports no width has 80 columns; a wide one has every column', { tags: ['script'] }, async () => {
  expect(stripVTControlCharacters(await shownOnTerminal(['refunds', 'list']))).toMatch(
    /Left out to fit the terminal: .*CHANGED/,
  );
  const wide = (await shownAt(200, ['refunds', 'list'])).join('\n');
  expect(wide).toMatch(/ID +ENV +REFERENCE .* DATE \(Africa\/Lagos\) +TRANSACTION +FINDINGS +CHANGED/);
  expect(wide).not.toContain('Left out');
});
