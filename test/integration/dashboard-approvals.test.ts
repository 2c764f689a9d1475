import { afterAll, beforeAll, expect, test } from 'vitest';
import { COOKIE, type LoggedIn, type OpenedDashboard, openedDashboard } from '../support/dashboard/opened.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';
import { payout, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

/* A second person, on pages: asked for where the act is done, decided by another, carried out once. */

const ACCOUNT = '0690000031';
let db: TestDatabase;
let dashboard: OpenedDashboard;
let ada: LoggedIn;
let ben: LoggedIn;

beforeAll(async () => {
  db = new TestDatabase();
  db.keepAndApply(
    payout('P-1', 'success', { updatedAt: '2026-10-20T10:00:00.000Z', data: { account_number: ACCOUNT } }),
  );
  const shop = Shop.at(db.folder);
  shop.file('wallet.yaml', datedProfile('wallet', { Payout: 'payout' }, { file: undefined, covers: undefined }));
  const rows = '2026-10-20,P-1,Payout,-100.00\n2026-10-20,P-2,Payout,-50.00\n';
  await shop.take('wallet', 'wallet.csv', `Date,Reference,Type,Amount\n${rows}`);
  await shop.reconcile({ from: '2026-10-20', to: '2026-10-30' });
  const unmatched = (await shop.archive.exceptions({ unresolved: true }, { after: null, limit: 9 })).rows;
  await shop.resolve(
    unmatched.map(({ id }) => id),
    { reasonCode: 'rounding' },
  );
  shop.file('tallyhook.yaml', 'approvals:\n  statementRemove: true\n  revealRows: 0\n');
  dashboard = await openedDashboard(db.folder);
  ada = await dashboard.logIn('Ada', ['finance']);
  ben = await dashboard.logIn('Ben', ['approver']);
});

afterAll(async () => {
  await dashboard?.close();
  db?.remove();
});

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly to: string | null;
}

/** Sends a form of a page as this person, or looks at the page; what is computed aside is fetched. */
async function ask(person: LoggedIn, path: string, form?: Readonly<Record<string, string>>): Promise<Answered> {
  const answer = await fetch(new URL(path, dashboard.url), {
    ...{ method: form === undefined ? 'GET' : 'POST', redirect: 'manual' },
    headers: { cookie: `${COOKIE}=${person.session}`, origin: dashboard.url, 'sec-fetch-site': 'same-origin' },
    ...(form !== undefined && { body: new URLSearchParams({ token: person.token, ...form }) }),
  });
  const to = answer.headers.get('location');
  const text = await answer.text();
  const answered = { status: answer.status, text, to };
  if (!to?.startsWith('/tasks/')) return answered;
  let computed = answered;
  await until(async () => {
    computed = await ask(person, to);
    return !computed.text.includes('<progress');
  }, `there is an answer to ${path}`);
  return computed;
}

const digestIn = (page: string): string => /name="digest" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';

test('Today, Approvals and the period say what waits for a second person, and whether that is the one who looks', async () => {
  const at = '/periods/test/2026-10-20..2026-10-30';
  const said = async (path: string, person = ben) =>
    (await ask(person, path)).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const TODAY = 'Waits for you as a second person';
  // A tool resolved it, so Ben may approve it; Ada has no role for that.
  expect(await said('/')).toContain(`${TODAY} 1 1 resolution`);
  expect(await said('/', ada)).toContain(`${TODAY} 0 1 for other persons`);
  expect(await said('/approvals')).toContain('No request waits, but above: 1 resolution.');
  expect(await said(at)).toContain('1 resolution waits for another person');
  const list = (await ask(ben, '/exceptions?status=resolved&unresolved=1')).text;
  const item = /value="(x-[0-9a-f]{24}:\d+)"/.exec(list)?.[1] ?? '';
  expect((await ask(ben, '/exceptions/approve', { item, step: 'do' })).status).toBe(303);
  const cyd = await dashboard.logIn('Cyd', ['finance', 'approver']);
  await ask(cyd, `${at}/close`, {});
  expect(await said('/', cyd)).toContain(`${TODAY} 0 1 for other persons`);
  expect(await said('/')).toContain(`${TODAY} 1 1 closed period`);
  expect(await said('/approvals')).toContain('No request waits, but above: 1 closed period.');
});

test('a signature counts for the closing that its page showed, and not for a later one', async () => {
  const at = '/periods/test/2026-10-20..2026-10-30';
  const closeAnew = async () => {
    expect((await ask(ada, `${at}/reopen`, { reason: 'otherwise' })).to).toBe(at);
    await ask(ada, `${at}/close`, {});
  };
  const first = digestIn((await ask(ben, at)).text);
  await closeAnew();
  for (const form of [{ digest: first }, {}]) {
    const { status, text } = await ask(ben, `${at}/approve`, form);
    expect([status, text.includes('is another one than you looked at')]).toEqual([409, true]);
    expect(text).toContain('it waits for a second signature');
  }
  const second = digestIn((await ask(ben, at)).text);
  expect(second).not.toBe(first);
  expect((await ask(ben, `${at}/approve`, { digest: second })).to).toBe(at);
  await closeAnew();
  await ask(ben, `${at}/approve`, { digest: digestIn((await ask(ben, at)).text) });
  expect((await ask(ben, `${at}/lock`, { digest: second })).status).toBe(409);
  expect((await ask(ben, at)).text).toContain('Closed by Ada, approved by Ben.');
  expect((await ask(ada, `${at}/reopen`, { reason: 'for the other tests' })).to).toBe(at);
});

test('roles are changed from those that the page showed, and not over those that another admin gave meanwhile', async () => {
  await dashboard.logIn('Eve', ['viewer']);
  const [root, at] = [await dashboard.logIn('Root', []), '/people/Eve'];
  expect((await ask(root, at)).text).toContain('name="seen" value="viewer"');
  expect((await ask(root, `${at}/roles`, { role: 'operator', seen: 'viewer' })).to).toBe(at);
  const { status, text } = await ask(root, `${at}/roles`, { role: 'finance', seen: 'viewer' });
  expect([status, text.includes('are others than you looked at: operator.')]).toEqual([409, true]);
  expect(text).toMatch(/value="finance"[^>]* checked/);
  expect((await ask(root, `${at}/roles`, { role: 'finance' })).status).toBe(409);
  expect((await ask(root, `${at}/roles`, { role: 'finance', seen: 'operator' })).to).toBe(at);
});

const REMOVE = '/statements/1/remove';

test('a statement with matches is removed only once another person has said yes to exactly that', {}, async () => {
  const refused = await ask(ada, REMOVE, {});
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('Ask another person');
  expect(refused.text).not.toContain('--reason');
  expect((await ask(ada, REMOVE, { ask: '1' })).text).toContain('Say why');
  const asked = await ask(ada, REMOVE, { ask: '1', askReason: 'a wrong file' });
  expect(asked.to).toBe('/approvals/1');

  const page = (await ask(ben, '/approvals/1')).text;
  for (const part of ['What will happen when I say yes?', 'a wrong file', 'wallet.csv', 'Approve exactly this'])
    expect(page).toContain(part);
  const digest = digestIn(page);
  expect((await ask(ada, '/approvals/1')).text).not.toContain('Approve exactly this');
  expect((await ask(ada, '/approvals/1/approve', { digest })).status).toBe(403);
  expect((await ask(ben, '/approvals/1/approve', { digest: '0'.repeat(64) })).status).toBe(409);
  expect((await ask(ada, '/approvals/1/carry-out', {})).status).toBeGreaterThanOrEqual(400);

  expect((await ask(ben, '/approvals/1/approve', { digest })).to).toBe('/approvals/1');
  expect((await ask(ben, '/approvals/1/approve', { digest })).status).toBe(409);
  expect((await ask(ada, '/approvals/1/carry-out', {})).to).toBe('/approvals/1');
  expect((await ask(ada, '/statements/1')).text).toContain('It was removed');
  expect((await ask(ben, '/approvals/1')).text).toContain('Approved by Ben, carried out by Ada.');
  expect((await ask(ben, '/approvals?all=1')).text).toContain('used by Ada');
  // Who decided it: the entry of the audit leads to the request, and that one to the statement.
  expect((await ask(ben, '/audit?act=approval.approve')).text).toMatch(/Ben.*href="\/approvals\/1"/s);
  expect((await ask(ben, '/approvals/1')).text).toContain('href="/statements/1"');
  expect((await ask(ada, '/approvals/1/carry-out', {})).status).toBeGreaterThanOrEqual(400);
  expect(dashboard.faults).toEqual([]);
});

test('personal data that needs a second person is asked for on its page, and shown there, once', async () => {
  const REVEAL = '/events/1/reveal';
  const refused = await ask(ada, REVEAL, {});
  expect([refused.status, refused.text.includes('Ask another person'), refused.text.includes(ACCOUNT)]).toEqual([
    ...[403, true, false],
  ]);
  const { to } = await ask(ada, REVEAL, { ask: '1', askReason: 'the bank asks' });
  expect(to).toMatch(/^\/approvals\/\d+$/);
  const digest = digestIn((await ask(ben, to ?? '')).text);
  expect((await ask(ben, `${to}/approve`, { digest })).to).toBe(to);
  const approved = (await ask(ada, to ?? '')).text;
  // It is shown where it stands: carried out from here, it would be used up and shown nowhere.
  expect([approved.includes('/events/1'), approved.includes(`${to}/carry-out`)]).toEqual([true, false]);
  const shown = await ask(ada, REVEAL, {});
  expect([shown.status, shown.text.includes(ACCOUNT)]).toEqual([200, true]);
  expect((await ask(ada, REVEAL, {})).status).toBe(403);
  expect(dashboard.faults).toEqual([]);
});
