import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { EndedAttempt } from '../../src/store/outbox.ts';
import { checked } from '../support/check.ts';
import { command } from '../support/command.ts';
import { undocumentedFields } from '../support/commands.ts';
import { SECRET, startConsumer } from '../support/consumer.ts';
import { GIVEN_UP, giveUp as giveUpRows, planTargets } from '../support/news-rows.ts';
import { payout, START_MS, TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
const all: TestDatabase[] = [];
const consumer = await startConsumer((_taken, count) =>
  count === 1 ? 204 : { status: 500, body: 'ada@example.com \u001b[31m' },
);
beforeEach(async () => {
  db = new TestDatabase();
  all.push(db);
  await plan();
  const file = `forward: {targets: [{name: shop, url: '${consumer.url}', secrets: ['${SECRET}'], kinds: [payout]}]}\n`;
  writeFileSync(join(db.folder, 'tallyhook.yaml'), file);
  db.keepAndApply(
    ...['P1', 'P2', 'P3'].map((reference) => payout(reference, 'success', { data: { account_number: '0123456789' } })),
  );
  for (const reference of ['P1', 'P2', 'P3'])
    await checked(db, reference, 'success', { kind: 'payout', nowMs: START_MS });
});
afterAll(() => {
  for (const each of all) each.remove();
});
const run = (...args: string[]) => command(args, { cwd: db.folder, env: { TALLYHOOK_DATABASE: db.path } });

const plan = (...names: string[]) => planTargets(db.path, names.length === 0 ? ['shop'] : names);
const giveUp = (rows: number, over: Partial<EndedAttempt> = {}) => giveUpRows(db.path, rows, over);

test('list shows rows oldest first, with documented fields, and ends with 3 when a dead letter matches', async () => {
  expect(await run('outbox', 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('payout.success') });
  const [dead = ''] = await giveUp(1);
  const listed = await run('outbox', 'list', '--json', '--limit', '1');
  expect(listed.code).toBe(3);
  const { items, total } = JSON.parse(listed.stdout);
  expect([items.length, total]).toEqual([1, 3]);
  expect(items[0]).toMatchObject({ target: 'shop', type: 'payout.success', n: 2, replayed: false });
  expect(undocumentedFields(items, ['outbox list, show'])).toEqual([]);
  expect((await run('outbox', 'list', '--state', 'waiting')).code).toBe(0);
  const shown = await run('outbox', 'show', dead, '--json');
  expect(shown.code).toBe(3);
  const row = JSON.parse(shown.stdout);
  expect(row).toMatchObject({
    state: 'dead',
    attemptsLog: [{ attempt: 1, outcome: 'refused', status: 500, detail: 'no' }],
  });
  expect(row.body).not.toContain('0123456789');
  expect(undocumentedFields(row, ['outbox list, show'])).toEqual([]);
  expect((await run('outbox', 'show', dead, '--reveal')).stdout).toContain('0123456789');
  expect(await run('outbox', 'show', 'msg_none')).toMatchObject({ code: 1, stderr: expect.stringContaining('no row') });
});

const LATER = { retry: { ...GIVEN_UP, giveUpMs: 1e9 } };

test('rows of a disabled target name no next attempt; list, show, why and doctor say since when, why and what to do', async () => {
  const [id = ''] = await giveUp(1, { ...LATER, outcome: 'gone', status: 410 });
  const { reference } = JSON.parse((await run('outbox', 'show', id, '--json')).stdout);
  const disabled = /[Tt]arget shop.* disabled since \d{4}-\d\d-\d\d \d\d:\d\d.*: it answered 410/;
  const step = 'Once its application takes news again: tallyhook forward enable shop';
  const listed = await run('outbox', 'list');
  expect(listed.stdout.match(/target disabled/g)).toHaveLength(3);
  expect(listed.stderr).toMatch(disabled);
  expect(listed.stderr).toContain(step);
  const { items } = JSON.parse((await run('outbox', 'list', '--json')).stdout);
  expect(items.map(({ dueAt }: { dueAt: string | null }) => dueAt)).toEqual([null, null, null]);
  const shown = (await run('outbox', 'show', id)).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/target shop, disabled since .+: it answered 410 next step Once its application/);
  expect(shown).not.toMatch(/\bdue\b/);
  const others = ['P1', 'P2', 'P3'].filter((one) => one !== reference);
  for (const one of [reference, others[0] ?? '']) {
    const story = JSON.parse((await run('why', one, '--json')).stdout).records[0].story;
    const text = story.findLast(({ source }: { source: string }) => source === 'forward').text;
    expect(text).toMatch(disabled);
    expect(text).toContain(step);
    expect(text).not.toContain('Next at');
  }
  const { checks } = JSON.parse((await run('doctor', '--offline', '--json')).stdout);
  expect(checks).toContainEqual({
    name: 'target shop',
    status: 'failed',
    detail: expect.stringMatching(/^disabled since .+: it answered 410; 3 rows wait$/),
    hint: `${step}.`,
  });
  await run('forward', 'enable', 'shop');
  expect((await run('outbox', 'list')).stderr).not.toContain('shop');
});

test('rows of a held target leave when its hold ends; list, why, doctor and status say since when, why and what to do', async () => {
  const holds = { ...LATER, status: 503, retryAfterMs: 1_800_000, holdsTarget: true };
  const [id = ''] = await giveUp(1, holds);
  const held = /shop.* held since .+: it answered 503 and asked to wait until .+ \(Retry-After\)/;
  const step = 'To try at once: tallyhook forward enable shop';
  const listed = await run('outbox', 'list');
  expect(listed.stdout.match(/target held/g)).toHaveLength(3);
  expect(listed.stderr).toMatch(held);
  expect(listed.stderr).toContain(step);
  const { items } = JSON.parse((await run('outbox', 'list', '--json')).stdout);
  for (const { dueAt } of items) expect(Date.parse(dueAt) - Date.now()).toBeGreaterThan(1_700_000);
  const { reference } = JSON.parse((await run('outbox', 'show', id, '--json')).stdout);
  const why = (await run('why', reference, '--json')).stdout;
  expect(why).toMatch(held);
  expect(why).not.toContain('Next at');
  const { checks } = JSON.parse((await run('doctor', '--offline', '--json')).stdout);
  expect(checks).toContainEqual({
    name: 'target shop',
    status: 'warning',
    detail: expect.stringMatching(/^held since .+; 3 rows wait; 1 row fails: refused with 503 after 1 attempt since /),
    hint: `${step}. See: tallyhook outbox show ${id}. Try it: tallyhook forward test shop.`,
  });
  expect((await run('status')).stdout).toMatch(/^outbox +shop: held, 2 waiting, 1 failing/m);
  await run('outbox', 'retry', id);
  expect((await run('outbox', 'list')).stderr).toBe('');
});

test('doctor has one line for a failing target, with the cause and the next step, and one for dead letters', async () => {
  await giveUp(1, { outcome: 'delivered', status: 204 });
  const [first = ''] = await giveUp(1, { ...LATER, outcome: 'timeout', status: null });
  const target = async () => {
    const { checks } = JSON.parse((await run('doctor', '--offline', '--json')).stdout);
    return checks.filter(({ name }: { name: string }) => name === 'target shop');
  };
  expect(await target()).toEqual([
    {
      name: 'target shop',
      status: 'warning',
      detail: expect.stringMatching(/^1 row fails: timeout after 1 attempt since \d{4}-/),
      hint: `See: tallyhook outbox show ${first}. Try it: tallyhook forward test shop.`,
    },
  ]);
  await giveUp(1);
  expect(await target()).toMatchObject([
    {
      status: 'failed',
      detail: expect.stringMatching(/^1 dead letter: given up after every attempt failed; 1 row fails/),
      hint: expect.stringMatching(
        /^See: tallyhook outbox list --target shop --state dead\. See: tallyhook outbox show/,
      ),
    },
  ]);
});

test('a target that nothing knows is refused, with the nearest and all that are known; one that is gone is known', async () => {
  await plan('shop', 'ledger');
  for (const args of [
    ['list', '--target', 'shp'],
    ['retry', '--target', 'shp', '--yes'],
    ['drop', '--target', 'shp', '--dry-run'],
  ])
    expect(await run('outbox', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/There is no target "shp"\. Did you mean shop\?\s+Targets: ledger, shop\./),
    });
  await plan('shop');
  expect((await run('outbox', 'list', '--target', 'ledger')).code).toBe(0);
});

test('retry and drop take one id, or many with --yes, and count without doing it', async () => {
  const [dead = '', other = ''] = await giveUp(2);
  for (const args of [[], [dead, other], ['--state', 'dead']]) {
    expect((await run('outbox', 'drop', ...args)).code).toBe(2);
  }
  expect((await run('outbox', 'drop', dead, '--state', 'dead', '--yes')).code).toBe(2);
  const counted = await run('outbox', 'drop', '--state', 'dead', '--dry-run', '--json');
  expect(JSON.parse(counted.stdout)).toEqual({ matched: 2, changed: 2, skipped: 0, dryRun: true });
  expect(undocumentedFields(JSON.parse(counted.stdout), ['outbox retry, drop'])).toEqual([]);
  expect(await run('outbox', 'retry', dead)).toMatchObject({ code: 0, stdout: '1 of 1 row is due now\n' });
  expect(await run('outbox', 'drop', '--state', 'dead', '--yes')).toMatchObject({
    code: 0,
    stdout: '1 of 1 row is dropped\n',
  });
  const nothing = await run('outbox', 'drop', '--state', 'dead', '--yes', '--json');
  expect([nothing.code, JSON.parse(nothing.stdout).matched]).toEqual([0, 0]);
  expect((await run('outbox', 'retry', 'msg_none')).code).toBe(1);
  const gone = await run('outbox', 'retry', other);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('events replay') });
});

test('rows of a target that is gone are orphaned', async () => {
  await plan('books');
  const { stdout } = await run('outbox', 'list', '--state', 'orphaned', '--json');
  expect(JSON.parse(stdout).total).toBe(3);
});

test('replay needs a target and a filter, counts, and writes new rows', async () => {
  expect((await run('events', 'replay', '--target', 'shop')).code).toBe(2);
  expect((await run('events', 'replay', '--reference', 'P1')).code).toBe(2);
  const unknown = await run('events', 'replay', '--target', 'shopp', '--reference', 'P1');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean shop?') });
  const planned = await run('events', 'replay', '--target', 'shop', '--kind', 'payout', '--dry-run', '--json');
  expect(JSON.parse(planned.stdout)).toEqual({ matched: 3, changed: 3, skipped: 0, dryRun: true });
  expect(undocumentedFields(JSON.parse(planned.stdout), ['events replay'])).toEqual([]);
  expect((await run('events', 'replay', '--target', 'shop', '--reference', 'P2')).code).toBe(0);
  const { items } = JSON.parse((await run('outbox', 'list', '--reference', 'P2', '--json')).stdout);
  expect(items.map(({ replayed }: { replayed: boolean }) => replayed)).toEqual([false, true]);
});

test('forward test sends a signed request at once, and says what became of it', async () => {
  const accepted = await run('forward', 'test', 'shop', '--json');
  expect(accepted.code).toBe(0);
  expect(JSON.parse(accepted.stdout)).toMatchObject({ target: 'shop', delivered: true, status: 204, error: null });
  expect(undocumentedFields(JSON.parse(accepted.stdout), ['forward'])).toEqual([]);
  expect(consumer.taken[0]).toMatchObject({ refusal: null, news: { type: 'tallyhook.test', n: null } });
  const refused = await run('forward', 'test', 'shop', '--type', 'payout.success');
  expect(consumer.taken[1]).toMatchObject({ news: { type: 'payout.success', data: { facts: { bankCode: '058' } } } });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(/500, refused: ••• \ufffd\[31m/);
  expect((await run('forward', 'test', 'shpo')).code).toBe(2);
  const mistyped = await run('forward', 'test', 'shop', '--type', 'payout.sucess');
  expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean payout.success?') });
  expect(await run('forward', 'enable', 'shop')).toMatchObject({ code: 0 });
});

test('records that wait for an unproven endpoint have no row, and list, status, doctor and why say so', async () => {
  db.keepAndApply(payout('P4', 'success'));
  await checked(db, 'P4', null, { kind: 'payout', nowMs: START_MS, outcome: 'unproven' });
  const unproven = [{ environment: 'test', kind: 'payout', records: 1 }];
  const listed = await run('outbox', 'list', '--reference', 'P4', '--json');
  expect([JSON.parse(listed.stdout).total, listed.stderr]).toEqual([
    0,
    expect.stringContaining('1 test payout wait, without a row'),
  ]);
  const status = JSON.parse((await run('status', '--json')).stdout);
  expect(status.forward).toMatchObject({ unproven });
  expect(undocumentedFields(status.forward, ['status'])).toEqual([]);
  const doctor = JSON.parse((await run('doctor', '--offline', '--json')).stdout);
  expect(doctor.forward).toEqual({ unproven });
  expect((await run('why', 'P4')).stdout).toContain(
    'Target shop gets no news of it: the status endpoint is unproven or absent.',
  );
});

test('doctor names a target of confirmed news about a kind that has no endpoint', async () => {
  const file = `service: {payoutPath: null}\nforward: {targets: [{name: shop, url: '${consumer.url}', secrets: ['${SECRET}'], kinds: [payout]}]}\n`;
  writeFileSync(join(db.folder, 'tallyhook.yaml'), file);
  const { code, stdout } = await run('doctor', '--offline');
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('target shop: gets no news of payouts: there is no endpoint that confirms them'),
  ]);
});

test('why tells what was handed on', async () => {
  await giveUp(3);
  const { stdout } = await run('why', 'P1', '--json');
  const story = JSON.parse(stdout).records[0].story.filter(({ source }: { source: string }) => source === 'forward');
  expect(story.map(({ text }: { text: string }) => text)).toEqual([
    'News payout.success for target shop is written.',
    expect.stringMatching(
      /^News payout\.success for target shop: given up, a dead letter, tried once\. The last outcome: refused\. See: tallyhook outbox show msg_/,
    ),
  ]);
  expect(undocumentedFields(story, ['why'])).toEqual([]);
});
