import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/time/clock.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { ExceptionFolder } from '../support/exception-folder.ts';
import { Queue } from '../support/exceptions.ts';
import { TestDatabase } from '../support/test-database.ts';

// Every step runs a command, which is slow on a busy machine.
let db: TestDatabase;
let folder: ExceptionFolder;
beforeEach(async () => {
  db = new TestDatabase();
  folder = new ExceptionFolder(db);
  folder.paid('C-1', 10_000);
  folder.paid('C-2', 20_000);
  folder.paid('C-3', 30_000);
});
afterEach(() => db.remove());

interface Break {
  readonly id: string;
  readonly code: string;
  readonly reference: string;
  readonly exception: { readonly id: string; readonly status: string; readonly resolution: string | null };
}

/** C-2 came short, C-3 not at all, and C-9 is none of ours. */
const SHORT = [
  ['C-1', 10_000],
  ['C-2', 19_900],
  ['C-9', 5_000, '2026-10-20'],
] as const;

/** The ids of a run's breaks, by reference. */
async function idsOf(): Promise<Record<string, string>> {
  const { breaks } = (await folder.reconcile()) as { breaks: Break[] };
  expect(breaks.map(({ id, exception }) => exception.id === id)).toEqual(breaks.map(() => true));
  return Object.fromEntries(breaks.map(({ reference, id }) => [reference, id]));
}

const stateOf = async (id = '') => {
  const { version, status, resolution } = await folder.json('exceptions', 'show', id);
  return `${status}${resolution === null ? '' : ` ${resolution}`} ${version}`;
};
const logOf = async (id = '') =>
  ((await folder.json('exceptions', 'show', id)).log as { act: string; run: number | null }[]).map(({ act, run }) =>
    run === null ? act : `${act} ${run}`,
  );
const accept = ['--resolution', 'accept', '--reason-code', 'bank_charge'];

test('every break is an exception, which the next run finds again; resolved ones end the alarm of reconcile', async () => {
  await folder.import(SHORT);
  const ids = await idsOf();
  expect(await idsOf()).toEqual(ids);
  const list = await folder.json('exceptions', 'list');
  expect(list.exceptions).toMatchObject([
    { id: ids['C-2'], code: 'amount_mismatch', ours: '200.00', theirs: '199.00', effect: '-1.00', date: '2026-10-01' },
    { id: ids['C-3'], code: 'missing_external', firstSeen: '2026-10-02', date: '2026-10-01', overdue: true },
    { id: ids['C-9'], code: 'missing_internal', status: 'open', version: 1, line: { statement: 1, row: 4 } },
  ]);
  expect(list.totals).toEqual([
    { currency: 'NGN', count: 3, ours: '500.00', theirs: '249.00', variance: '-1.00', effect: '-251.00' },
  ]);
  expect(undocumentedFields(list, ['exceptions list'])).toEqual([]);
  const shown = await folder.json('exceptions', 'show', ids['C-2'] ?? '');
  expect(
    undocumentedFields(shown, [
      'exceptions show',
      'exceptions list',
      'breaks list, show',
      'why',
      'statements list, show, remove',
      'refunds, payouts, collections',
      'reconcile',
    ]),
  ).toEqual([]);
  expect(shown).toMatchObject({
    cells: { row: 3, amount: '199.00', reference: 'C-2' },
    record: { kind: 'collection', reference: 'C-2' },
    log: [{ act: 'found', run: 1, before: null, after: 'open', who: 'tallyhook' }],
  });
  expect(shown.story.map(({ source }: { source: string }) => source)).toEqual(
    expect.arrayContaining(['webhook', 'statement', 'match', 'break', 'exception']),
  );

  const all = Object.values(ids);
  expect((await folder.run('exceptions', 'list')).code).toBe(3);
  expect(await folder.run('exceptions', 'resolve', ...all, ...accept)).toMatchObject({ code: 0, stderr: '' });
  expect((await folder.run('exceptions', 'list')).code).toBe(0);
  const { code, stdout } = await folder.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31', '--json');
  const report = JSON.parse(stdout) as { breaks: Break[]; proof: { unexplained: string }[] };
  expect([code, report.proof[0]?.unexplained]).toEqual([0, '0.00']);
  expect(report.breaks.map(({ exception }) => [exception.status, exception.resolution])).toEqual(
    all.map(() => ['resolved', 'accept']),
  );
  const table = await folder.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31');
  expect([table.code, table.stdout]).toEqual([0, expect.stringContaining('3 breaks (3 resolved)')]);
  expect((await folder.run('why', 'C-2')).stdout).toContain(
    `Exception amount_mismatch (${ids['C-2']}) is resolved: accept (bank_charge), by ada.`,
  );
});

test('a statement that is imported anew, in other rows, changes nothing of what was resolved', async () => {
  const statement = await folder.import(SHORT);
  const ids = await idsOf();
  await folder.run('exceptions', 'resolve', ...Object.values(ids), ...accept);
  await folder.run('statements', 'remove', String(statement), '--yes');
  await folder.import([SHORT[2], SHORT[1], SHORT[0]]);
  expect(await idsOf()).toEqual(ids);
  for (const id of Object.values(ids)) expect(await stateOf(id)).toBe('resolved accept 2');
  const { line } = await folder.json('exceptions', 'show', ids['C-9'] ?? '');
  expect(line).toEqual({ statement: 2, row: 2 });
});

test('other values open it again, a cause that is gone closes it, and one that is back opens it again', async () => {
  const statement = await folder.import(SHORT);
  const { 'C-2': id = '', 'C-9': other } = await idsOf();
  await folder.run('exceptions', 'assign', id, '--to', 'ben');
  await folder.run('exceptions', 'resolve', id, ...accept);
  await folder.run('statements', 'remove', String(statement), '--yes');
  const changed = await folder.import([SHORT[0], ['C-2', 19_800], SHORT[2]]);
  await idsOf();
  expect(await stateOf(id)).toBe('reopened 4');
  expect(await stateOf(other)).toBe('open 1');
  expect(await folder.json('exceptions', 'show', id)).toMatchObject({ assignee: 'ben', theirs: '198.00' });
  await folder.run('statements', 'remove', String(changed), '--yes');
  const right = await folder.import([SHORT[0], ['C-2', 20_000], SHORT[2]]);
  await idsOf();
  expect(await stateOf(id)).toBe('closed 5');
  await folder.run('statements', 'remove', String(right), '--yes');
  await folder.import([SHORT[0], ['C-2', 19_800], SHORT[2]]);
  await idsOf();
  expect(await stateOf(id)).toBe('reopened 6');
  expect(await logOf(id)).toEqual(['found 1', 'assign', 'resolve', 'changed 2', 'gone 3', 'returned 4']);
});

test('a narrower run ends what came since, touches nothing else, and a dry run nothing at all', async () => {
  const statement = await folder.import(SHORT);
  const ids = Object.values(await idsOf());
  await folder.run('statements', 'remove', String(statement), '--yes');
  await folder.import([
    ['C-1', 10_000],
    ['C-2', 20_000],
    ['C-3', 30_000, '2026-10-02'],
  ]);
  await folder.reconcile('--dry-run');
  await folder.run('reconcile', 'batch-bank', '--from', '2026-10-01', '--to', '2026-10-31');
  await folder.run('reconcile', 'refunds', '--from', '2026-10-01', '--to', '2026-10-31');
  await folder.run('reconcile', '--environment', 'live', '--from', '2026-10-01', '--to', '2026-10-31');
  for (const id of ids) expect(await stateOf(id)).toBe('open 1');
  await folder.run('reconcile', '--from', '2026-10-21', '--to', '2026-10-31'); // two of the days before have their lines now
  expect(await Promise.all(ids.map(stateOf))).toEqual(['closed 2', 'closed 2', 'open 1']);
  await folder.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-19');
  expect(await Promise.all(ids.map(stateOf))).toEqual(['closed 2', 'closed 2', 'open 1']);
  await folder.reconcile();
  expect(await Promise.all(ids.map(stateOf))).toEqual(['closed 2', 'closed 2', 'closed 2']);
});

test('what a state, a person, a code or a word forbids is refused in a sentence, and nothing is half done', async () => {
  writeFileSync(
    join(db.folder, 'tallyhook.yaml'),
    'exceptions: {reasons: {proven: {resolution: ours, needs: [attachment, reference], approveAbove: {NGN: 0.5}}}}\n',
  );
  await folder.import(SHORT);
  const { 'C-2': id = '' } = await idsOf();
  const resolve = (...args: string[]) => folder.run('exceptions', 'resolve', id, ...args);
  const ours = ['--resolution', 'ours', '--reason-code', 'proven'];
  const said = async (ended: ReturnType<typeof resolve>) => {
    const { code, stderr } = await ended;
    return [
      code,
      stderr
        .split('\n')[0]
        ?.replaceAll(id, 'ID')
        .replace(/\d{4}-\d\d-\d\d [\d:]{8}\+01:00/, 'TIME'),
    ];
  };
  expect([
    await said(folder.run('exceptions', 'approve', id)),
    await said(folder.run('exceptions', 'reopen', id, '--reason', 'why not')),
    await said(folder.run('exceptions', 'assign', id, '--to', '-')),
    await said(folder.run('exceptions', 'approve', 'x-000000000000000000000000')),
    await said(resolve('--resolution', 'accept', '--reason-code', 'whim')),
    await said(resolve('--resolution', 'accept', '--reason-code', 'service_error')),
    await said(resolve('--resolution', 'accept')),
    await said(resolve('--resolution', 'accept', '--reason-code', 'other', '--comment', 'ref: A')),
    await said(resolve(...ours)),
    await said(resolve('--resolution', 'claim', '--reason-code', 'service_error', '--follow-up', '2026-02-30')),
    await said(resolve('--resolution', 'match', '--line', '7:1')),
    await said(resolve('--resolution', 'match')),
  ]).toEqual([
    [1, 'tallyhook: ID is open (by tallyhook, TIME): it cannot be approved.'],
    [1, 'tallyhook: ID is open (by tallyhook, TIME): it cannot be opened again.'],
    [1, 'tallyhook: ID is open (by tallyhook, TIME): it cannot be unassigned.'],
    [1, 'tallyhook: There is no exception x-000000000000000000000000.'],
    [2, 'tallyhook: There is no reason code "whim".'],
    [2, 'tallyhook: Reason code service_error goes with claim, not with accept.'],
    [2, 'tallyhook: ID: accept needs a reason code.'],
    [2, 'tallyhook: ID: reason code other needs a comment.'],
    [2, 'tallyhook: ID: reason code proven needs an attachment (--attach FILE).'],
    [2, 'tallyhook: --follow-up is "2026-02-30": not a day.'],
    [2, 'tallyhook: There is no row 1 in a statement 7 that shows.'],
    [2, 'tallyhook: ID: name the lines with --line STATEMENT:ROW.'],
  ]);
  expect(await stateOf(id)).toBe('open 1');

  writeFileSync(join(db.folder, 'letter.txt'), 'the bank agrees');
  const sha256 = createHash('sha256').update('the bank agrees').digest('hex');
  const proven = await resolve(...ours, '--attach', 'letter.txt', '--comment', 'ref: CORR-1; wrong in the books');
  expect(proven).toMatchObject({
    code: 0,
    stdout: `${id} is resolved: ours, approval needed (version 2).
1 resolution above the limit of the reason code waits for the approval of a second person.
Another person approves it: tallyhook exceptions approve ${id} --as NAME
`,
  });
  const needed = await folder.json('exceptions', 'show', id);
  const nextStep = async () => /^next step +(.*)$/m.exec((await folder.run('exceptions', 'show', id)).stdout)?.[1];
  expect(await nextStep()).toBe('Another person than ada looks at it, and approves it.');
  expect(needed).toMatchObject({
    ...{ approval: 'needed', resolutionReference: 'CORR-1', comment: 'ref: CORR-1; wrong in the books', overdue: true },
    attachments: [{ name: 'letter.txt', sha256 }],
  });
  expect(await said(folder.run('exceptions', 'approve', id, '--as', ' ADA '))).toEqual([
    1,
    'tallyhook: ID was resolved by ada: another person approves it.',
  ]);
  expect(await folder.json('exceptions', 'approve', id, '--as', 'ada')).toMatchObject({
    error: { kind: 'failed', reason: 'person', exitCode: 1 },
  });
  const approved = await folder.json('exceptions', 'approve', id, '--as', 'Ben');
  expect(approved).toMatchObject({
    exceptions: [{ version: 3, approval: { who: 'Ben' }, overdue: false }],
    refused: [],
  });
  expect(await nextStep()).toBe('-');
  expect(
    undocumentedFields(approved, ['exceptions assign, comment, resolve, reopen, approve', 'exceptions list']),
  ).toEqual([]);
  expect(await said(folder.run('exceptions', 'approve', id, '--as', 'Cleo'))).toEqual([
    1,
    'tallyhook: ID is approved already (by Ben, TIME).',
  ]);
  expect(await said(resolve(...accept))).toEqual([
    1,
    'tallyhook: ID is resolved (by ada, TIME): it cannot be resolved.',
  ]);
  const several = await folder.json(
    'exceptions',
    'reopen',
    id,
    'x-000000000000000000000000',
    '--reason',
    'they took it back',
  );
  expect(several).toMatchObject({
    exceptions: [{ id, status: 'reopened', version: 4 }],
    refused: [{ reason: 'unknown_id' }],
  });
});

test('match and undo_match change the matching, and the next run closes what they explain', async () => {
  const statement = await folder.import([...SHORT.slice(0, 2), ['SLIP-3', 30_000, '2026-10-20']]);
  const { 'C-2': short = '', 'C-3': missing = '', 'SLIP-3': stray = '' } = await idsOf();
  const named = ['--resolution', 'match', '--line', `${statement}:4`];
  const wrong = await folder.run('exceptions', 'resolve', stray, ...named);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('names no record of ours')]);
  expect(await folder.run('exceptions', 'resolve', missing, ...named)).toMatchObject({
    ...{ code: 0, stdout: `${missing} is open (version 2).\n` },
  });
  await folder.run('exceptions', 'resolve', short, '--resolution', 'undo_match', '--comment', 'another order');
  const after = await idsOf();
  expect([await stateOf(missing), await stateOf(stray), await stateOf(short)]).toEqual([
    'closed 3',
    'closed 2',
    'closed 3',
  ]);
  expect([await logOf(missing), await logOf(short)]).toEqual([
    ['found 1', 'match', 'gone 2'],
    ['found 1', 'undo_match', 'gone 2'],
  ]);
  const { breaks } = (await folder.reconcile()) as { breaks: Break[] };
  expect(breaks.map(({ code, reference }) => `${code} ${reference}`)).toEqual([
    'missing_external C-2',
    'missing_internal C-2',
  ]);
  expect(after).not.toHaveProperty('SLIP-3');
  const decided = (await folder.json('matches', 'list')).items as { reference: string; decision: unknown }[];
  expect(decided.find(({ reference }) => reference === 'C-3')?.decision).toMatchObject({
    verdict: 'together',
    by: 'ada',
  });
});

test('a claim is late after its follow-up, goes on when it is paid, and closes with the next run', async () => {
  await folder.import(SHORT);
  const { 'C-2': id = '', 'C-3': other = '' } = await idsOf();
  const more = ['--comment', 'ref: CLM-7; short', '--follow-up', '2026-11-01'];
  const claim = ['--resolution', 'claim', '--reason-code', 'service_error'];
  await folder.run('exceptions', 'resolve', id, ...claim, ...more);
  expect(await folder.json('exceptions', 'show', id)).toMatchObject({ overdue: true, resolutionReference: 'CLM-7' });
  await idsOf();
  expect(await stateOf(id)).toBe('resolved claim 2');
  const paid = await folder.import([
    ['CLM-7', 100, '2026-10-25'],
    ['CLM-8', 101, '2026-10-26'],
  ]);
  const pay = async (one: string, line: string) => {
    const { code, stderr } = await folder.run('exceptions', 'resolve', one, ...claim, ...more, '--line', line);
    return [code, stderr.split('\n')[0]?.replaceAll(one, 'ID').replaceAll(id, 'C-2')];
  };
  expect(await pay(id, `${paid}:3`)).toEqual([
    2,
    'tallyhook: The claim of ID is 1.00, the line is 1.01 NGN: name what paid exactly that.',
  ]);
  expect(await pay(id, '1:2')).toEqual([2, 'tallyhook: Row 2 of statement 1 is matched with collection C-1 already.']);
  expect(await pay(id, `${paid}:2`)).toEqual([0, '']);
  expect(await pay(other, `${paid}:2`)).toEqual([
    2,
    `tallyhook: Row 2 of statement ${paid} pays the claim of C-2 already.`,
  ]);
  expect(await folder.json('exceptions', 'show', id)).toMatchObject({
    ...{ status: 'resolved', version: 3, payment: { statement: paid, row: 2 }, followUp: '2026-11-01' },
  });
  await idsOf();
  expect(await stateOf(id)).toBe('closed claim 4');
  await idsOf();
  expect(await stateOf(id)).toBe('closed claim 4');
  await folder.run('statements', 'remove', String(paid), '--yes');
  await idsOf();
  expect(await stateOf(id)).toBe('reopened 5');
});

test('a name that shows other than it is, or is the program itself, is refused wherever one comes in', async () => {
  await folder.import(SHORT);
  const { 'C-2': id = '' } = await idsOf();
  const names = ['ada\u200b', 'ada\n2026-11-01 00:00:00  ben: approved.'];
  for (const name of names) {
    const said = [
      await folder.run('exceptions', 'assign', id, '--to', name),
      await folder.run('exceptions', 'comment', id, 'hm', '--as', name),
      await command(['exceptions', 'comment', id, 'hm'], {
        cwd: db.folder,
        env: { TALLYHOOK_DATABASE: db.path, TALLYHOOK_AS: name },
      }),
      await folder.run('reconcile', '--from', '2026-10-01', '--to', '2026-10-31', '--as', name),
    ];
    expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  }
  expect(await stateOf(id)).toBe('open 1');
});

test('a name that was kept before forges no line', async () => {
  await folder.import(SHORT);
  const { 'C-2': id = '' } = await idsOf();
  await new Queue(db.path, systemClock).act({ id, act: 'comment', by: 'ada\nforged\u202e', text: 'one\ntwo' });
  const { stdout } = await folder.run('exceptions', 'show', id);
  expect(stdout).toContain('ada\uFFFDforged\uFFFD: comment: "one\\ntwo".');
});

test('who paid a line is masked as a person, in the facts, in JSON and for statements of sql, but with --reveal', async () => {
  await folder.import(SHORT);
  const { 'C-2': id = '' } = await idsOf();
  db.database.exec("UPDATE imported_lines SET counterparty = 'Ada Obi 0123456789'");
  const show = ['exceptions', 'show', id];
  const sql = (table: string) => ['sql', `SELECT counterparty, length(counterparty) FROM ${table}`];
  const lines = (name: string) => `SELECT 1 FROM imported_lines WHERE counterparty LIKE '${name}%'`;
  for (const args of [show, [...show, '--json'], sql('imported_lines'), sql('statement_lines')]) {
    const { code, stdout } = await folder.run(...args);
    expect([args, code, stdout]).toEqual([args, 0, expect.stringContaining('A••• O••• 0•••')]);
    expect(stdout).not.toContain('Obi');
    expect((await folder.run(...args, '--reveal')).stdout).toContain('Ada Obi 0123456789');
  }
  expect((await folder.json('sql', lines('Ada O'))).rows).toEqual([]);
});

test('lists are filtered by state, code, person, age, value and period', async () => {
  await folder.import(SHORT);
  const ids = await idsOf();
  await folder.run('exceptions', 'assign', ids['C-3'] ?? '', '--to', 'Ülkü');
  const listed = async (...args: string[]) =>
    ((await folder.json('exceptions', 'list', ...args)).exceptions as Break[]).map(({ reference }) => reference);
  expect([
    await listed('--status', 'assigned'),
    await listed('--status', 'closed'),
    await listed('--code', 'missing_internal', '--code', 'missing_external'),
    await listed('--assignee', 'ÜLKÜ'),
    await listed('--assignee', '-'),
    await listed('--age', '>7d', '--min-value', '50', '--max-value', '299.99'),
    await listed('--age', '<24h'),
    // What is open from before stands in the period, too.
    await listed('--period', '2026-10-15..2026-10-31'),
    await listed('--period', '2026-10-01..2026-10-14'),
    await listed('--account', 'wallet-main', '--leg', 'records-wallet', '--currency', 'NGN', '--limit', '1'),
    await listed('--account', 'bank'),
  ]).toEqual([
    ['C-3'],
    [],
    ['C-3', 'C-9'],
    ['C-3'],
    ['C-2', 'C-9'],
    ['C-9'],
    [],
    ['C-2', 'C-3', 'C-9'],
    ['C-2', 'C-3'],
    ['C-2'],
    [],
  ]);
  expect(await folder.run('exceptions', 'list', '--period', 'October')).toMatchObject({ code: 2 });
  const { kinds } = await folder.json('exceptions', 'list', '--kinds', '--min-value', '50');
  const listedAll = (await folder.json('exceptions', 'list', '--min-value', '50')).exceptions as Break[];
  expect(kinds.map(({ code, currency, count }: Record<string, unknown>) => [code, currency, count])).toEqual(
    [...Map.groupBy(listedAll, ({ code }) => code)]
      .map(([code, of]) => [code, 'NGN', of.length])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
  const { stdout } = await folder.run('exceptions', 'list', '--kinds', '--code', 'missing_internal');
  expect(stdout.split('\n')[1]).toMatch(/^missing_internal +1 +0\.00 +-?\d+\.\d\d +NGN$/);
});
