import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { ALL_RULES, type Person, TwoPersons } from '../support/two-persons.ts';

/* Ada asks, Grace answers. The tests go on from one another. */

const world = new TwoPersons();
const SECTION = ['approvals list, show, approve, refuse, carry-out'];
beforeAll(() => world.fill());
afterAll(() => world.remove());

const run = (who: Person, args: readonly string[], nowMs?: number) =>
  command(args, { cwd: dirname(world.audited.db.path), env: { TALLYHOOK_TOKEN: world.tokens[who] }, nowMs });
const json = async (who: Person, ...args: string[]) => {
  const { stdout, stderr } = await run(who, [...args, '--json']);
  return JSON.parse(stdout === '' ? stderr : stdout);
};
const enable = ['forward', 'enable', 'shop'];

test('without a reason nothing is asked for; with one the request is printed, with 3', async () => {
  const alone = await run('Ada', enable);
  expect([alone.code, alone.stdout]).toEqual([1, '']);
  expect(alone.stderr).toContain('This needs a second person: target.enable.');
  expect((await run('Ada', ['approvals'])).stdout).not.toContain('enable target');
  const asked = await run('Ada', [...enable, '--reason', ' it answers again ']);
  expect([asked.code, asked.stdout]).toEqual([
    3,
    'Request 2: enable target shop, asked for by Ada: it answers again\n',
  ]);
  const empty = await run('Ada', [...enable, '--reason', ' ']);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--reason is empty.')]);
});

test('the list shows what waits, and ends with 3 while something does; show shows each row', async () => {
  const list = await run('Grace', ['approvals']);
  expect([list.code, list.stdout]).toEqual([3, expect.stringMatching(/2 .* Ada +asked +enable target shop/)]);
  const document = await json('Grace', 'approvals', 'list');
  expect(document).toMatchObject({
    total: 2,
    items: [{ id: 2, act: 'target.enable', state: 'asked', rows: 1 }, { id: 1 }],
  });
  const shown = await json('Grace', 'approvals', 'show', '2');
  expect(shown).toMatchObject({ id: 2, rowsUsed: 0, list: [{ key: 'target:shop', usedAt: null }] });
  expect(undocumentedFields([document, shown], [...SECTION, 'Lists'])).toEqual([]);
  const { stdout } = await run('Grace', ['approvals', 'show', '2']);
  for (const part of ['target:shop', 'News goes to shop again, beginning with what waits.', 'dead, which stay so'])
    expect(stdout).toContain(part);
  expect((await run('Grace', ['approvals', 'show', '99'])).code).toBe(1);
  expect((await run('Grace', ['approvals', 'show', 'x'])).code).toBe(2);
});

test('a digest that is not the one of its rows is refused, and so is one who may not approve', async () => {
  expect(await json('Grace', 'approvals', 'approve', '2', '--digest', 'other')).toMatchObject({
    error: { reason: 'changed' },
  });
  const mallory = await run('Mallory', ['approvals', 'approve', '1']);
  expect(mallory.stderr).toContain('Mallory');
  expect(mallory.code).toBe(1);
  expect(await json('Ada', 'approvals', 'approve', '2')).toMatchObject({ error: { reason: 'own' } });
});

test('refused with a reason, it is over; the one who asked takes a request back', async () => {
  const refused = await json('Grace', 'approvals', 'refuse', '2', '--reason', 'it is still down');
  expect(refused).toMatchObject({ state: 'refused', decidedBy: 'Grace', answer: 'it is still down' });
  expect(await json('Grace', 'approvals', 'approve', '2')).toMatchObject({ error: { reason: 'decided' } });
  expect((await json('Ada', ...enable, '--reason', 'now it answers')).request).toMatchObject({ id: 3 });
  expect(await json('Ada', 'approvals', 'refuse', '3')).toMatchObject({
    state: 'refused',
    decidedBy: 'Ada',
    answer: null,
  });
});

test("a request that was refused, or is another person's, is not carried out", async () => {
  expect((await run('Ada', ['approvals', 'carry-out', '2'])).stderr).toContain('Request 2 is refused');
  const asked = (await json('Ada', ...enable, '--reason', 'once more')).request;
  await run('Grace', ['approvals', 'approve', String(asked.id)]);
  expect((await run('Mallory', ['approvals', 'carry-out', String(asked.id)])).stderr).toContain(
    'Ada asked for request',
  );
  expect((await run('Ada', ['approvals', 'carry-out', String(asked.id)])).code).toBe(0);
  world.audited.db.database.exec('UPDATE forward_targets SET disabled_at = 5');
});

test('rows beyond the bound are shown whole once another person has approved exactly these, once', async () => {
  const list = ['refunds', 'list', '--reveal', '--all', '--json'];
  const alone = await run('Ada', list);
  expect([alone.code, alone.stdout]).toEqual([1, '']);
  expect(alone.stderr).toContain('This needs a second person: reveal.');
  const asked = await run('Ada', [...list, '--reason', 'the bank asks']);
  const { request } = JSON.parse(asked.stdout);
  expect([asked.code, request.act, request.rows]).toEqual([3, 'reveal', 2]);
  await run('Grace', ['approvals', 'approve', String(request.id)]);
  const shown = await run('Ada', list);
  expect([shown.code, JSON.parse(shown.stdout).shown]).toEqual([0, 2]);
  expect((await run('Ada', list)).code).toBe(1);
  expect((await run('Ada', ['events', 'export'])).stdout).toBe('');
});

test('a request to see rows names the step that shows them', async () => {
  const again = 'the command that asked for it again, without --reason';
  const asked = await run('Ada', ['refunds', 'list', '--reveal', '--reason', 'the auditor asks']);
  expect(asked.stderr).toContain(`Then you run: ${again}`);
  const approved = await run('Grace', ['approvals', 'approve', /\d+/.exec(asked.stdout)?.[0] ?? '']);
  expect(approved.stderr).toContain(`Ada runs: ${again}`);
  expect((await run('Ada', ['refunds', 'list', '--reveal'])).code).toBe(0);
});

test('where rows that are shown whole are bounded, no statement meets them whole, whatever the bound', async () => {
  const file = world.audited.at('tallyhook.yaml');
  const strict = readFileSync(file, 'utf8');
  const statement = ['sql', 'SELECT group_concat(name) FROM users', '--reveal'];
  for (const revealRows of [0, 1_000]) {
    const { approvals, ...others } = JSON.parse(strict);
    writeFileSync(file, JSON.stringify({ ...others, approvals: { ...approvals, revealRows } }));
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining('tallyhook payouts show') };
    expect(await run('Ada', statement)).toMatchObject(refused);
  }
  writeFileSync(file, strict);
  const { items } = await json('Ada', 'audit', 'list', '--all');
  expect(items.filter(({ subject }: { subject: string }) => subject.startsWith('reveal:sql:'))).toEqual([]);
});

test('a record has one name for the audit: what was asked for by show is shown by the list, once', async () => {
  const [{ reference }] = (await json('Ada', 'refunds', 'list')).items;
  const asked = (await json('Ada', 'refunds', 'show', reference, '--reveal', '--reason', 'the bank asks again'))
    .request;
  await run('Grace', ['approvals', 'approve', String(asked.id)]);
  const list = ['refunds', 'list', '--reference', reference, '--reveal', '--json'];
  expect([(await run('Ada', list)).code, (await run('Ada', list)).code]).toEqual([0, 1]);
});

test('a period is reopened with the reason that was approved, and with no other', async () => {
  const reopen = ['period', 'reopen', '2026-11', '--set', 'shop', '--reason'];
  const asked = (await json('Ada', ...reopen, 'a line is missing')).request;
  await run('Grace', ['approvals', 'approve', String(asked.id)]);
  expect((await run('Ada', [...reopen, 'another reason'])).code).toBe(3);
  expect((await run('Ada', [...reopen, 'a line is missing'])).code).toBe(0);
});

test('what changed since it was asked for is not approved', async () => {
  await run('Ada', [...enable, '--reason', 'again']);
  world.audited.db.database.exec('UPDATE forward_targets SET disabled_at = disabled_at + 1');
  const { id } = (await json('Grace', 'approvals')).items[0];
  expect(await json('Grace', 'approvals', 'approve', String(id))).toMatchObject({ error: { reason: 'changed' } });
  await run('Grace', ['approvals', 'refuse', String(id)]);
});

test('a request expires, approved or not', async () => {
  const asked = (await json('Ada', ...enable, '--reason', 'again')).request;
  const late = Date.parse(asked.expiresAt);
  const approve = ['approvals', 'approve', String(asked.id), '--json'];
  expect(JSON.parse((await run('Grace', approve, late)).stderr)).toMatchObject({ error: { reason: 'expired' } });
  expect((await run('Grace', approve)).code).toBe(0);
  expect((await run('Ada', enable, late)).stderr).toContain('This needs a second person');
  const list = await run('Ada', ['approvals', 'list', '--closed', '--json'], late);
  expect(JSON.parse(list.stdout).items[0]).toMatchObject({ id: asked.id, state: 'expired' });
  expect((await run('Ada', enable)).code).toBe(0);
  expect(await json('Ada', 'approvals', 'show', String(asked.id))).toMatchObject({ state: 'used', rowsUsed: 1 });
  const { stdout } = await run('Ada', ['approvals', 'show', String(asked.id)]);
  for (const fact of [/^asked by +Ada$/m, /^state +used by Ada$/m, /^decided by +Grace$/m, /^carried out by +Ada$/m])
    expect(stdout).toMatch(fact);
});

test('with one user who may approve, asking says that nobody can', async () => {
  const { operations } = world;
  await operations.approvals.plan({ rules: { ...ALL_RULES, users: false } });
  const ada = operations.as(world.credentialOf('Ada'));
  await ada.users.setRoles({ name: 'Grace', by: 'Ada', roles: ['viewer'] });
  await operations.approvals.plan({ rules: ALL_RULES });
  world.audited.db.database.exec('UPDATE forward_targets SET disabled_at = 1');
  const asked = await run('Ada', [...enable, '--reason', 'alone']);
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('no user but Ada has the role approver')]);
});
