import { expect } from 'vitest';
import { NO_APPROVALS } from '../../../../src/domain/access/approval.ts';
import { ATTEMPT_LIMITS } from '../../../../src/domain/access/attempts.ts';
import { sha256 } from '../../../../src/domain/events/json.ts';
import type { LoginProof, NewSession } from '../../../../src/store/access.ts';
import type { Operations } from '../../../../src/store/operations.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { imported } from '../importing.ts';
import type { Guarantee, World } from '../world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const token = (name: string) => ({ digest: sha256(`token ${name}`), endsAtMs: START_MS + 365 * DAY });
const link = (name: string) => ({ digest: sha256(`link ${name}`) });
const attempt = { account: 'account', address: 'address' };
const session = (id: string): NewSession => ({
  digest: sha256(id),
  lengths: { idleMs: 30 * MINUTE, absoluteMs: 12 * 60 * MINUTE },
  ...{ address: '127.0.0.1', agent: 'a browser' },
});

/** Two persons; Ada may do everything. Returns the operations of each by a token. */
async function twoPersons(world: World): Promise<{ ada: Operations; grace: Operations }> {
  const operations = await world.here.operations();
  const as = (name: string) => operations.as({ kind: 'token', digest: token(name).digest });
  // An admin who takes no part gives both what they prove themselves by: who gave one of them a token would be behind both.
  await operations.users.add({ name: 'Zoe', by: 'root', roles: ['admin'], token: token('Zoe') });
  const roles = ['admin', 'finance', 'operator', 'approver'] as const;
  await as('Zoe').users.add({ name: 'Ada', by: 'Zoe', roles, token: token('Ada') });
  const grace = { name: 'Grace', by: 'Zoe', roles: ['approver'], token: token('Grace'), link: link('Grace') } as const;
  await as('Zoe').users.add(grace);
  return { ada: as('Ada'), grace: as('Grace') };
}

/** Grace sets up her login by her link. Returns what then proves her, by a code. */
async function setUp(world: World): Promise<(step: number) => LoginProof> {
  const { access } = await world.here.operations();
  const credentials = { hash: '$argon2id$', sealed: 'sealed', step: 1, recovery: [sha256('code')] };
  expect(await access.setUp({ link: link('Grace').digest, credentials })).toBe(true);
  const login = await (await world.there.archive()).login('grace');
  return (step) => ({ way: 'password', passwordId: login?.password?.id ?? 0, totpId: login?.totp?.id ?? 0, step });
}

const login = async (world: World, proof: LoginProof, id: string, former: string | null = null) =>
  (await world.here.operations()).access.login({ name: 'Grace', proof, session: session(id), former, attempt });

/** Who may log in, for how long, and who says yes to what needs two. */
export const ACCESS: readonly Guarantee[] = [
  {
    guarantee: 'a link sets what a person logs in with, once; a code is good once, also after the clock was wrong',
    async prove(world) {
      await twoPersons(world);
      const archive = await world.there.archive();
      expect([await archive.linkOwner(link('Grace').digest), await archive.linkOwner('other')]).toEqual([
        'Grace',
        null,
      ]);
      const proof = await setUp(world);
      const { access } = await world.here.operations();
      const again = { hash: 'other', sealed: 'other', step: 9, recovery: [] };
      expect(await access.setUp({ link: link('Grace').digest, credentials: again })).toBe(false);
      expect(await login(world, proof(1), 'a')).toEqual({ outcome: 'refused', reason: 'used' });
      expect(await login(world, proof(2), 'a')).toMatchObject({ outcome: 'done', session: { name: 'Grace' } });
      world.clock.ms += 365 * DAY;
      expect(await login(world, proof(3), 'b')).toMatchObject({ outcome: 'done' });
      world.clock.ms -= 365 * DAY;
      expect(await login(world, proof(2), 'c')).toEqual({ outcome: 'refused', reason: 'used' });
      expect(await archive.session(sha256('c'))).toBeNull();
    },
  },
  {
    guarantee: 'a recovery code is good once, and a password that was set meanwhile undoes a login under way',
    async prove(world) {
      const { ada } = await twoPersons(world);
      const first = await setUp(world);
      const { passwordId } = first(0) as { passwordId: number };
      const recovery = { way: 'recovery', passwordId, digest: sha256('code') } as const;
      expect(await login(world, recovery, 'a')).toMatchObject({ outcome: 'done', session: { way: 'recovery' } });
      expect(await login(world, recovery, 'b')).toEqual({ outcome: 'refused', reason: 'used' });
      await ada.access.giveLink({ name: 'Grace', by: 'Ada', link: link('Grace') });
      await setUp(world);
      expect(await login(world, first(5), 'c')).toEqual({ outcome: 'refused', reason: 'changed' });
      expect(await (await world.there.archive()).sessions()).toEqual([]);
    },
  },
  {
    guarantee: 'a login elsewhere is bound to one user, and a user to one of them',
    async prove(world) {
      await twoPersons(world);
      const { access } = await world.here.operations();
      const as = (name: string, subject: string, id: string) =>
        access.login({ name, proof: { way: 'oidc', subject }, session: session(id), former: null, attempt });
      expect(await as('Grace', 'issuer 1', 'a')).toMatchObject({ outcome: 'done' });
      expect(await as('grace', 'issuer 1', 'b')).toMatchObject({ outcome: 'done' });
      expect(await as('Ada', 'issuer 1', 'c')).toEqual({ outcome: 'refused', reason: 'bound' });
      expect(await as('Grace', 'issuer 2', 'd')).toEqual({ outcome: 'refused', reason: 'bound' });
      expect(await as('Eve', 'issuer 3', 'e')).toEqual({ outcome: 'refused', reason: 'unknown' });
    },
  },
  {
    guarantee: 'a session ends with logout, another login of its browser, another role, a reset and an ended user',
    async prove(world) {
      const { ada } = await twoPersons(world);
      const { access, users } = await world.here.operations();
      const proof = await setUp(world);
      const archive = await world.there.archive();
      const ids = async () => (await archive.sessions('grace')).map(({ id }) => id);
      let step = 10;
      const begin = (id: string, former: string | null = null) => login(world, proof(step++), id, former);
      await begin('a');
      await begin('b', sha256('a'));
      expect(await ids()).toHaveLength(1);
      await access.logout({ digest: sha256('b') });
      expect(await ids()).toEqual([]);
      await begin('c');
      await begin('d');
      const [latest = 0] = await ids();
      expect(await ada.access.endSessions({ name: 'Grace', by: 'Ada', session: latest })).toEqual({ ended: 1 });
      expect(await ids()).toHaveLength(1);
      await ada.users.setRoles({ name: 'Grace', by: 'Ada', roles: ['approver', 'viewer'] });
      expect(await ids()).toEqual([]);
      await begin('e');
      await users.reset({ name: 'Grace', by: 'root', token: token('other') });
      expect([await ids(), (await archive.login('Grace'))?.password]).toEqual([[], null]);
      await ada.users.end({ name: 'Grace', by: 'Ada' });
      expect(await archive.login('Grace')).toBeNull();
    },
  },
  {
    guarantee: 'a session acts while it lives; it is noted that it is used, and an idle one comes to no more',
    async prove(world) {
      const { ada } = await twoPersons(world);
      await ada.users.setRoles({ name: 'Grace', by: 'Ada', roles: ['finance'] });
      const proof = await setUp(world);
      await login(world, proof(2), 'a');
      const operations = await world.here.operations();
      const grace = operations.as({ kind: 'session', digest: sha256('a') });
      const { statement } = await imported(world.here, 'a');
      const remove = (number: number) => grace.statements.remove({ statement: number, by: 'Grace' });
      expect(await remove(statement)).toMatchObject({ done: true });
      await expect(
        grace.statements.remove({ statement: (await imported(world.here, 'b')).statement, by: 'Ada' }),
      ).rejects.toMatchObject({ fault: 'not_proven' });
      world.clock.ms += 29 * MINUTE;
      expect(await operations.access.touch({ digest: sha256('a') })).toBe(true);
      world.clock.ms += 29 * MINUTE;
      const kept = await (await world.there.archive()).session(sha256('a'));
      expect(kept).toMatchObject({ startedAtMs: START_MS, seenAtMs: START_MS + 29 * MINUTE });
      expect(await remove(9)).toBeNull();
      world.clock.ms += MINUTE;
      expect(await operations.access.touch({ digest: sha256('a') })).toBe(false);
      await expect(remove((await imported(world.here, 'c')).statement)).rejects.toMatchObject({ fault: 'not_proven' });
    },
  },
  {
    guarantee: 'a fresh proof goes on under another id of the session, and lets it approve',
    async prove(world) {
      const { ada } = await twoPersons(world);
      const proof = await setUp(world);
      await login(world, proof(2), 'a');
      const operations = await world.here.operations();
      await operations.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const asked = {
        act: 'user.roles',
        order: { name: 'Grace', roles: ['viewer'] },
        by: 'Ada',
        reason: 'why',
      } as const;
      const request = await ada.approvals.ask(asked);
      const id = request.outcome === 'done' ? request.request.id : 0;
      world.clock.ms += 10 * MINUTE;
      const before = operations.as({ kind: 'session', digest: sha256('a') });
      await expect(before.approvals.approve({ id, by: 'Grace' })).rejects.toMatchObject({ fault: 'not_fresh' });
      const fresh = await operations.access.prove({
        session: sha256('a'),
        proof: proof(3),
        digest: sha256('b'),
        attempt,
      });
      expect(fresh).toMatchObject({ outcome: 'done', session: { startedAtMs: START_MS } });
      await expect(before.approvals.approve({ id, by: 'Grace' })).rejects.toMatchObject({ fault: 'not_proven' });
      const after = operations.as({ kind: 'session', digest: sha256('b') });
      expect(await after.approvals.approve({ id, by: 'Grace' })).toMatchObject({ outcome: 'done' });
    },
  },
  {
    guarantee:
      'attempts are counted by account and by address before they are looked at, and many at once pass no limit',
    async prove(world) {
      const [here, there] = [await world.here.operations(), await world.there.operations()];
      const many = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? here : there).access.attempt({ account: 'one', address: `address ${index}` }),
      );
      const allowed = (await Promise.all(many)).filter(({ isAllowed }) => isAllowed);
      expect(allowed).toHaveLength(ATTEMPT_LIMITS.account.most);
      const archive = await world.there.archive();
      expect(await archive.refusedLogins(START_MS)).toEqual({ accounts: 1, addresses: 0, lastAtMs: START_MS });
      world.clock.ms += ATTEMPT_LIMITS.account.windowMs;
      expect(await here.access.attempt({ account: 'one', address: 'other' })).toMatchObject({ isAllowed: true });
      const names = Array.from({ length: 41 }, (_, index) =>
        here.access.attempt({ account: `name ${index}`, address: 'one address' }),
      );
      expect((await Promise.all(names)).map(({ isAllowed }) => isAllowed).lastIndexOf(true)).toBe(39);
    },
  },
  {
    guarantee: 'what two persons ask for and approve at once in two processes is approved once, and carried out once',
    async prove(world) {
      const { ada, grace } = await twoPersons(world);
      const there = await world.there.operations();
      const { digest } = token('Grace');
      const elsewhere = there.as({ kind: 'token', digest });
      await there.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const order = { name: 'Grace', roles: ['approver', 'finance'] } as const;
      const request = await ada.approvals.ask({ act: 'user.roles', order, by: 'Ada', reason: 'she closes, too' });
      const id = request.outcome === 'done' ? request.request.id : 0;
      const both = await Promise.all([grace, elsewhere].map((one) => one.approvals.approve({ id, by: 'Grace' })));
      expect(both.map((one) => (one.outcome === 'done' ? 'done' : one.reason)).toSorted()).toEqual(['decided', 'done']);
      const adaThere = there.as({ kind: 'token', digest: token('Ada').digest });
      const acts = await Promise.allSettled([ada, adaThere].map((one) => one.users.setRoles({ ...order, by: 'Ada' })));
      expect(acts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const archive = await world.there.archive();
      expect(await archive.approval(id)).toMatchObject({ state: 'used', rows: 1, rowsUsed: 1, decidedBy: 'Grace' });
      expect(await archive.approvals({ isOpen: true }, { limit: 9, order: 'newest' })).toEqual([]);
    },
  },
  {
    guarantee: 'an address that is over counts at no account, so that it pushes out the count of none',
    async prove(world) {
      const { access } = await world.here.operations();
      const guess = (account: string, address: string) => access.attempt({ account, address });
      for (let n = 0; n < ATTEMPT_LIMITS.account.most; n++) await guess('ada', 'theirs');
      for (let n = 0; n < ATTEMPT_LIMITS.address.most; n++) await guess(`name ${n}`, 'theirs');
      expect(await guess('bob', 'theirs')).toMatchObject({ isAllowed: false });
      for (let n = 0; n < ATTEMPT_LIMITS.account.most; n++)
        expect(await guess('bob', 'another')).toMatchObject({ isAllowed: true });
      expect(await guess('ada', 'another')).toMatchObject({ isAllowed: false });
    },
  },
  {
    guarantee: 'who ended all others does not add them again alone, and ends none of them alone',
    async prove(world) {
      const { ada } = await twoPersons(world);
      await ada.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      await expect(ada.users.end({ name: 'Grace', by: 'Ada' })).rejects.toMatchObject({ fault: 'not_approved' });
      await ada.approvals.plan({ rules: NO_APPROVALS });
      for (const name of ['Grace', 'Zoe']) await ada.users.end({ name, by: 'Ada' });
      await ada.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      for (const name of ['Grace', 'Eve']) {
        const order = { name, by: 'Ada', roles: ['approver'], token: token(`${name} again`) } as const;
        await expect(ada.users.add(order)).rejects.toMatchObject({ fault: 'not_approved' });
      }
    },
  },
  {
    guarantee: 'a person sets the own login anew in a fresh session, which goes on alone under another id',
    async prove(world) {
      await twoPersons(world);
      const proof = await setUp(world);
      await login(world, proof(2), 'a');
      await login(world, proof(3), 'b');
      const operations = await world.here.operations();
      const { access } = operations.as({ kind: 'session', digest: sha256('a') });
      const credentials = { hash: '$other$', recovery: [sha256('another code')] };
      const order = { session: sha256('a'), digest: sha256('a2'), credentials };
      await expect(operations.access.change(order)).rejects.toMatchObject({ fault: 'not_proven' });
      expect(await access.change(order)).toBe(true);
      const archive = await world.there.archive();
      expect((await archive.sessions('Grace')).length).toBe(1);
      expect(await archive.session(sha256('a2'))).toMatchObject({ name: 'Grace' });
      const known = await archive.login('Grace');
      expect([known?.password?.hash, known?.recovery]).toEqual(['$other$', [sha256('another code')]]);
      expect(known?.totp?.sealed).toBe('sealed'); // what is not given stays
      expect(await access.change(order)).toBe(false); // the former id is no more
      expect(await login(world, proof(4), 'c')).toEqual({ outcome: 'refused', reason: 'changed' });
      const next = operations.as({ kind: 'session', digest: sha256('a2') });
      world.clock.ms += 11 * MINUTE;
      const again = { ...order, session: sha256('a2'), digest: sha256('a3') };
      await expect(next.access.change(again)).rejects.toMatchObject({ fault: 'not_fresh' });
    },
  },
  {
    guarantee: 'a link that a second person approves on the third day is good for a day from then on',
    async prove(world) {
      const { ada, grace } = await twoPersons(world);
      await ada.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const order = { name: 'Zoe', link: link('Zoe') };
      const asked = await ada.approvals.ask({ act: 'user.link', order, by: 'Ada', reason: 'a new phone' });
      world.clock.ms += 2.5 * DAY;
      const id = asked.outcome === 'done' ? asked.request.id : 0;
      expect(await grace.approvals.approve({ id, by: 'Grace' })).toMatchObject({ outcome: 'done' });
      expect(await ada.access.giveLink({ ...order, by: 'Ada' })).toBe(true);
      const archive = await world.there.archive();
      world.clock.ms += DAY - 1;
      expect(await archive.linkOwner(order.link.digest)).toBe('Zoe');
      world.clock.ms += 1;
      expect(await archive.linkOwner(order.link.digest)).toBeNull();
    },
  },
  {
    guarantee: 'an act that the audit does not enter is held to the roles as well; that of a job is not',
    async prove(world) {
      const { ada, grace } = await twoPersons(world);
      const retry = { rows: { webhookIds: [] }, dryRun: false } as const;
      const silence = { id: 1, untilMs: world.clock.ms };
      const jobs = await world.here.operations();
      for (const [by, who, fault] of [
        ['Grace', grace, 'not_allowed'],
        ['Ada', grace, 'not_proven'],
        ['Ada', jobs, 'not_proven'],
      ] as const) {
        await expect(who.outbox.retry({ ...retry, by })).rejects.toMatchObject({ fault });
        await expect(who.alerts.silence({ ...silence, by })).rejects.toMatchObject({ fault });
      }
      for (const [who, by] of [
        [ada, { by: 'Ada' }],
        [jobs, {}],
      ] as const) {
        expect(await who.outbox.retry({ ...retry, ...by })).toMatchObject({ changed: 0 });
        expect(await who.alerts.silence({ ...silence, ...by })).toBeNull();
      }
    },
  },
  {
    guarantee:
      'an admin makes no second hand in two steps, by a token, a link or a reset, and asks under no second name',
    async prove(world) {
      const { grace } = await twoPersons(world);
      const operations = await world.here.operations();
      const as = (digest: string) => operations.as({ kind: 'token', digest: sha256(`token ${digest}`) });
      const zoe = as('Zoe');
      const order = { name: 'Eve', roles: ['admin', 'approver'], token: token('Eve') } as const;
      await zoe.users.add({ ...order, by: 'Zoe' });
      world.clock.ms += 1;
      await as('Eve').users.setToken({ name: 'Eve', by: 'Eve', token: token('own') });
      await as('Eve').users.setToken({ name: 'Grace', by: 'Eve', token: token('Grace by Eve') });
      await operations.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const asking = async (by: string, who: Operations) => {
        const asked = await who.approvals.ask({
          act: 'user.roles',
          order: { name: 'Ada', roles: ['viewer'] },
          by,
          reason: 'why',
        });
        return asked.outcome === 'done' ? asked.request.id : 0;
      };
      const own = { outcome: 'refused', reason: 'own' };
      const id = await asking('Zoe', zoe);
      for (const [by, digest] of [
        ['Eve', 'Eve'],
        ['Eve', 'own'],
        ['Grace', 'Grace by Eve'],
      ] as const)
        expect(await as(digest).approvals.approve({ id, by }), digest).toMatchObject(own);
      // As Eve, with the token that Zoe gave, and then as Zoe.
      const hers = await asking('Eve', as('Eve'));
      expect(await zoe.approvals.approve({ id: hers, by: 'Zoe' })).toMatchObject(own);
      await operations.users.reset({ name: 'Eve', by: 'root', token: token('reset') });
      world.clock.ms += 1;
      await as('reset').users.setToken({ name: 'Eve', by: 'Eve', token: token('after') });
      expect(await as('after').approvals.approve({ id, by: 'Eve' })).toMatchObject(own);
      expect(await grace.approvals.approve({ id: hers, by: 'Grace' })).toMatchObject({ outcome: 'done' });
    },
  },
  {
    guarantee: 'nobody approves with a token or link that the one who asked, or a name that was only stated, gave out',
    async prove(world) {
      const { ada, grace } = await twoPersons(world);
      const operations = await world.here.operations();
      await operations.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const order = { name: 'Zoe', roles: ['viewer'] } as const;
      const asked = await ada.approvals.ask({ act: 'user.roles', order, by: 'Ada', reason: 'why' });
      const id = asked.outcome === 'done' ? asked.request.id : 0;
      const own = { outcome: 'refused', reason: 'own' };
      await operations.approvals.plan({ rules: NO_APPROVALS });
      world.clock.ms += 1;
      await ada.users.setToken({ name: 'Grace', by: 'Ada', token: token('by Ada') });
      const byToken = operations.as({ kind: 'token', digest: token('by Ada').digest });
      expect(await byToken.approvals.approve({ id, by: 'Grace' })).toMatchObject(own);
      await ada.access.giveLink({ name: 'Grace', by: 'Ada', link: link('Grace') });
      const proof = await setUp(world);
      await login(world, proof(2), 'a');
      const bySession = operations.as({ kind: 'session', digest: sha256('a') });
      expect(await bySession.approvals.approve({ id, by: 'Grace' })).toMatchObject(own);
      expect(await grace.approvals.approve({ id, by: 'Grace' })).toMatchObject({ outcome: 'done' });

      const again = await ada.approvals.ask({ act: 'user.roles', order, by: 'Ada', reason: 'why' });
      expect(again).toMatchObject({ outcome: 'refused', reason: 'not_needed' });
      await operations.approvals.plan({ rules: { ...NO_APPROVALS, users: true } });
      const more = await ada.approvals.ask({
        act: 'user.link',
        order: { name: 'Zoe', link: link('Zoe') },
        by: 'Ada',
        reason: 'why',
      });
      await operations.users.reset({ name: 'Grace', by: 'Zoe', token: token('reset') });
      const reset = operations.as({ kind: 'token', digest: token('reset').digest });
      const last = more.outcome === 'done' ? more.request.id : 0;
      expect(await reset.approvals.approve({ id: last, by: 'Grace' })).toMatchObject(own);
      const [entry] = await (await world.there.archive()).auditEntries(
        { acts: ['user.reset'] },
        { limit: 1, order: 'newest' },
      );
      expect(entry).toMatchObject({ who: 'tallyhook', subject: 'user:Grace' });
    },
  },
];
