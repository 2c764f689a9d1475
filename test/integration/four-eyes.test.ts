import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/access/carry-out.ts';
import { loadConfig } from '../../src/config/load.ts';
import { GUARDED_ACTS, type GuardedAct } from '../../src/domain/access/approval.ts';
import { ROLES } from '../../src/domain/access/roles.ts';
import { packageFile } from '../../src/package-root.ts';
import type { Archive } from '../../src/store/archive.ts';
import { StoreError } from '../../src/store/error.ts';
import { openStore } from '../../src/store/open.ts';
import { type ConnectedOperations, operationsOf } from '../../src/store/operations-channel.ts';
import { writing } from '../../src/store/sqlite/engine/database.ts';
import { auditWrites } from '../../src/store/sqlite/write/audit.ts';
import { guardedAudit } from '../../src/store/sqlite/write/four-eyes.ts';
import { proofReads } from '../../src/store/sqlite/write/proofs.ts';
import type { OpenInbox } from '../../src/store/store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { type Context, isPage, type Route } from '../../src/web/dashboard/route.ts';
import { routes } from '../../src/web/dashboard/routes.ts';
import { command } from '../support/command.ts';
import { fork } from '../support/processes.ts';
import { someOf } from '../support/random-runs.ts';
import { type GuardedCase, type Person, TwoPersons } from '../support/two-persons.ts';

/* Act × way × person: none alone does what needs two. The tests go on from one another, act by act. */

const world = new TwoPersons();
const pages = await routes();
let cases: Readonly<Record<GuardedAct, GuardedCase>>;
let inbox: OpenInbox;
let channel: ConnectedOperations;
let archive: Archive;
beforeAll(async () => {
  await world.fill();
  cases = world.cases();
  const { path } = world.audited.db;
  inbox = await openStore(path, { zone: 'UTC' }).inbox({ limit: 10, onFatal: () => {} });
  channel = operationsOf(inbox.connectOperations());
  archive = await openStore(path, { zone: 'UTC' }).archive();
});
afterAll(async () => {
  await archive.close();
  channel.close();
  await inbox.close();
  await world.remove();
});

const LOOSE = ['not_approved', 'not_proven', 'not_allowed'];
type Who = Person | 'nobody' | 'a job';
const EVERYONE: readonly Who[] = ['Ada', 'nobody', 'Grace', 'Mallory', 'a job'];
type Way = (act: GuardedCase, who: Who) => Promise<unknown>;

/** What `who` states: nobody says to be Ada, and a job says nothing. */
const statedBy = (who: Who) => (who === 'a job' ? undefined : who === 'nobody' ? 'Ada' : who);
const credentialOf = (who: Who) => (who === 'a job' || who === 'nobody' ? null : world.credentialOf(who));

/** What a command or a page says. */
const SAID = [
  [/This needs a second person|Another person runs: tallyhook approvals approve/, 'not_approved'],
  [/has to prove who it is/, 'not_proven'],
  [/may not do this/, 'not_allowed'],
] as const;

const WAYS: Readonly<Record<string, Way>> = {
  library: ({ direct }, who) => direct(world.operations.as(credentialOf(who)), statedBy(who)),
  channel: ({ direct }, who) => direct(channel.as(credentialOf(who)), statedBy(who)),
  async command({ command: words }, who) {
    if (words === null || who === 'a job') return;
    const { stderr } = await run(
      who,
      words.map((word) => (word === '' ? 'a reason' : word)),
    );
    const [, fault] = SAID.find(([text]) => text.test(stderr)) ?? [];
    throw fault === undefined ? new Error(stderr) : new StoreError(fault, stderr);
  },
  /** What the handler of the page does; what the frame refuses before it is held in dashboard-matrix.test.ts. */
  async page({ page: [path, params, form] }, who) {
    const route = pages.find((one) => one.method === 'POST' && one.path === path) as Route;
    const credential = credentialOf(who);
    const name = statedBy(who) ?? '';
    const answer = await route.handle({
      ...{ visitor: { name, roles: ROLES, provenAtMs: Date.now(), login: 1, credential }, may: () => true, params },
      ...{ form: new URLSearchParams(form), query: new URLSearchParams(), address: path, progress: () => {} },
      ...{ archive, operations: channel.as(credential), clock: systemClock, nowMs: Date.now() },
      ...{ config: loadConfig({ env: {}, cwd: dirname(world.audited.db.path) }), signal: new AbortController().signal },
    } as unknown as Context);
    const text = isPage(answer) && (answer.status ?? 200) >= 400 ? JSON.stringify(answer.blocks) : '';
    const [, fault] = SAID.find(([said]) => said.test(text)) ?? [];
    if (fault !== undefined) throw new StoreError(fault, text);
    return answer;
  },
};
/** A job is none of these. */
const OF_PERSONS = ['command', 'page'];

function run(who: Who, words: readonly string[]) {
  const token = who === 'nobody' || who === 'a job' ? {} : { TALLYHOOK_TOKEN: world.tokens[who] };
  const stated = who === 'nobody' ? ['--as', 'Ada'] : [];
  return command([...words, ...stated], { cwd: dirname(world.audited.db.path), env: token });
}

/** The fault of each person in each way; nothing of it may change anything. */
async function allRefused(one: GuardedCase, persons: readonly Who[]): Promise<void> {
  for (const [way, attempt] of Object.entries(WAYS))
    for (const who of way === 'command' ? someOf(2, persons) : persons) {
      if (OF_PERSONS.includes(way) && who === 'a job') continue;
      if (way === 'command' && one.command === null) continue;
      const before = world.standing();
      const fault = await attempt(one, who).then(
        (result) => `done: ${JSON.stringify(result)}`,
        (error) => (error instanceof StoreError ? error.fault : String(error)),
      );
      expect([way, who, LOOSE.includes(fault) ? 'refused' : fault]).toEqual([way, who, 'refused']);
      expect([way, who, world.standing() === before]).toEqual([way, who, true]);
    }
}

/** A closed period keeps its statements, so it comes first. */
const ACTS = (Object.keys(GUARDED_ACTS) as GuardedAct[]).toSorted(
  (one, other) => Number(other === 'period.reopen') - Number(one === 'period.reopen'),
);

describe.each(ACTS)('%s', (act) => {
  const ask = () =>
    channel.as(world.credentialOf('Ada')).approvals.ask({ ...cases[act].asked, by: 'Ada', reason: 'why' });
  let id = 0;

  test('nobody does it alone, in no way', () => allRefused(cases[act], EVERYONE));

  test('asked for and not approved, nobody does it, and the one who asked cannot approve it', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ outcome: 'done', request: { state: 'asked', askedBy: 'Ada', reason: 'why' } });
    id = asked.outcome === 'done' ? asked.request.id : 0;
    await allRefused(cases[act], EVERYONE);
    const own = await channel.as(world.credentialOf('Ada')).approvals.approve({ id, by: 'Ada' });
    expect(own).toMatchObject({ outcome: 'refused', reason: 'own' });
    const spelt = await run('Ada', ['approvals', 'approve', String(id), '--as', 'ADA']);
    expect([spelt.code, spelt.stderr]).toEqual([1, expect.stringContaining('another person has to approve it')]);
    for (const who of ['nobody', 'a job'] as const)
      await expect(
        channel.as(credentialOf(who)).approvals.approve({ id, by: statedBy(who) ?? 'Grace' }),
      ).rejects.toMatchObject({ fault: 'not_proven' });
  });

  test('approved, nobody but the one who asked carries it out, once', async () => {
    const approved = await run('Grace', ['approvals', 'approve', String(id), '--json']);
    expect([approved.code, approved.stderr]).toEqual([0, '']);
    expect(JSON.parse(approved.stdout)).toMatchObject({ id, act, state: 'approved', decidedBy: 'Grace' });
    await allRefused(cases[act], ['Grace', 'nobody', 'Mallory', 'a job']);
    const before = world.standing();
    // Personal data is shown where it stands, so a reveal is done again, not carried out.
    if (act === 'reveal') await cases.reveal.direct(channel.as(world.credentialOf('Ada')), 'Ada');
    else {
      const done = await run('Ada', ['approvals', 'carry-out', String(id)]);
      expect([done.code, done.stderr]).toEqual([0, '']);
    }
    const used = await inboxArchive((archive) => archive.approval(id));
    expect([used?.rowsUsed, used?.state]).toEqual([used?.rows, 'used']);
    expect(world.standing()).not.toBe(before);
    const after = world.standing();
    const request = await inboxArchive((archive) => archive.approval(id));
    if (request === null) throw new Error('the request is gone');
    await carryOut(request, channel.as(world.credentialOf('Ada')), 'Ada').catch(() => {});
    if (act === 'reveal') await cases.reveal.direct(channel.as(world.credentialOf('Ada')), 'Ada').catch(() => {});
    expect(world.standing()).toBe(after);
  });
});

async function inboxArchive<Result>(
  read: (archive: Awaited<ReturnType<ReturnType<typeof openStore>['archive']>>) => Promise<Result>,
) {
  const archive = await openStore(world.audited.db.path).archive();
  return read(archive).finally(() => archive.close());
}

test('a row that was dropped and is open again is not dropped by the same approval', async () => {
  const { database } = world.audited.db;
  database.exec("UPDATE outbox SET state = 'waiting', ended_at = NULL WHERE state = 'dropped'");
  await allRefused(cases['outbox.drop'], ['Ada']);
  database.exec("UPDATE outbox SET state = 'dropped' WHERE webhook_id = (SELECT min(webhook_id) FROM outbox)");
});

test('news of a confirmed target that was handed on before can be asked for', async () => {
  const { database } = world.audited.db;
  const { operations } = world;
  const rules = { environments: ['test'], kinds: ['refund'], when: 'confirmed', news: 'every', events: null } as const;
  await operations.outbox.plan({ targets: [{ ...rules, name: 'ledger' }] });
  const [recordId, eventId] =
    database
      .prepare<[], [number, number]>('SELECT (SELECT min(id) FROM refunds), (SELECT min(id) FROM events)')
      .raw()
      .get() ?? [];
  database.exec(
    `INSERT INTO history (kind, record_id, n, field, from_status, to_status, at, gap) VALUES ('refund', ${recordId}, 99, 'confirmed', NULL, 'success', 1, 0)`,
  );
  database.exec(`INSERT INTO outbox (webhook_id, target, environment, kind, reference, record_id, n, replay, type, state, is_first, created_at, due_at)
    SELECT 'msg_before', 'ledger', environment, 'refund', reference, id, 99, 0, 'refund.success', 'delivered', 0, 1, 1 FROM refunds WHERE id = ${recordId}`);
  const order = { target: 'ledger', eventIds: [eventId ?? 0] };
  const asked = await operations
    .as(world.credentialOf('Ada'))
    .approvals.ask({ act: 'replay', order, by: 'Ada', reason: 'why' });
  expect(asked).toMatchObject({ outcome: 'done', request: { rows: 1 } });
});

test('the audit says who asked, who said yes and who did it; its chain holds', async () => {
  const { database } = world.audited.db;
  const entries = database
    .prepare<[], { who: string; act: string }>(
      "SELECT who, act FROM audit_entries WHERE subject LIKE 'approval:%' AND act <> 'approval.ask'",
    )
    .all();
  expect(entries.filter(({ act }) => act === 'approval.approve').map(({ who }) => who)).toEqual(
    ACTS.map(() => 'Grace'),
  );
  expect(entries.filter(({ act }) => act === 'approval.use').every(({ who }) => who === 'Ada')).toBe(true);
  expect(world.audited.verdict()).toMatchObject({ ok: true });
});

const STEPS = ['begins', 'asked', 'approved', 'done'] as const;

test.each(someOf(2, ['approved', 'begins', 'asked', 'done'] as const))(
  'killed once it %s: what was asked and approved stays so, and the act is done once or not',
  async (step) => {
    const { database, path } = world.audited.db;
    const isDisabled = () =>
      database.prepare("SELECT disabled_at IS NOT NULL FROM forward_targets WHERE name = 'shop'").pluck().get() === 1;
    const latest = () =>
      database
        .prepare<[], { id: number; state: string }>(
          "SELECT id, state FROM approvals WHERE act = 'target.enable' ORDER BY id DESC LIMIT 1",
        )
        .get();
    const uses = (id: number) =>
      database
        .prepare<[string], number>("SELECT count(*) FROM audit_entries WHERE act = 'approval.use' AND subject = ?")
        .pluck()
        .get(`approval:${id}`);
    database.exec(`UPDATE forward_targets SET disabled_at = ${Date.now()} WHERE name = 'shop'`);
    const before = latest()?.id ?? 0;
    const child = fork(packageFile('test/support/approving-process.ts'), [path, world.tokens.Ada, world.tokens.Grace]);
    const ended = once(child, 'exit');
    await new Promise<void>((resolve, reject) => {
      child.on('message', (said) => said === step && resolve()); // several may come at a time
      child.once('disconnect', () => reject(new Error(`It ended before it said ${step}.`)));
    });
    child.kill('SIGKILL');
    await ended;
    const request = latest();
    const isAsked = request !== undefined && request.id > before;
    // The step that it said is there; a later one may be.
    const reached = !isAsked ? 'begins' : request.state === 'used' ? 'done' : request.state;
    expect(STEPS.indexOf(reached as (typeof STEPS)[number])).toBeGreaterThanOrEqual(STEPS.indexOf(step));
    expect(isDisabled()).toBe(reached !== 'done');

    // Others go on where it was.
    const ada = world.operations.as(world.credentialOf('Ada'));
    const grace = world.operations.as(world.credentialOf('Grace'));
    if (!isAsked)
      await ada.approvals.ask({ act: 'target.enable', order: { target: 'shop' }, by: 'Ada', reason: 'again' });
    const id = latest()?.id ?? 0;
    if (latest()?.state === 'asked') {
      await expect(ada.outbox.enable({ target: 'shop', by: 'Ada' })).rejects.toMatchObject({ fault: 'not_approved' });
      expect(await grace.approvals.approve({ id, by: 'Grace' })).toMatchObject({ outcome: 'done' });
    }
    if (reached !== 'done') expect(await ada.outbox.enable({ target: 'shop', by: 'Ada' })).toBe(true);
    expect([latest()?.state, isDisabled(), uses(id)]).toEqual(['used', false, 1]);
    expect(world.audited.verdict()).toMatchObject({ ok: true });
  },
);

test('a command whose configuration does not state the rules leaves them as they are; one that states them changes them', async () => {
  const { path, database } = world.audited.db;
  const rules = () => database.prepare('SELECT rules FROM approval_rules').pluck().get();
  const before = rules();
  const act = async (configuration: object) => {
    const config = world.audited.at('other.yaml');
    writeFileSync(config, JSON.stringify({ database: path, ...configuration }));
    expect(await run('Ada', ['events', 'seen', 'refused', '--config', config])).toMatchObject({ code: 0 });
    return rules();
  };
  expect(await act({})).toBe(before);
  expect(await act({ approvals: { users: true } })).not.toBe(before);
});

test('a planted way that does not ask whether a second person is needed is caught', () => {
  const { database } = world.audited.db;
  const chain = auditWrites(database, world.audited.key);
  const audit = guardedAudit(database, chain, proofReads(database));
  for (const act of ACTS) {
    const planted = writing(database, () =>
      audit.append({ who: 'tallyhook', act, subject: 'statement:1', before: null, after: null, nowMs: Date.now() }),
    );
    expect(planted).toThrow(`${act} would be entered without asking whether it needs a second person.`);
  }
});
