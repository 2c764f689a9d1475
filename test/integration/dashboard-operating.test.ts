import { existsSync, readdirSync, renameSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionDigest } from '../../src/domain/access/session.ts';
import { witnessedMoney } from '../../src/lists/records.ts';
import { StoreError } from '../../src/store/error.ts';
import { openStore } from '../../src/store/open.ts';
import type { PrunePlace } from '../../src/store/pruning.ts';
import { Scratch } from '../../src/store/scratch/scratch.ts';
import { systemClock } from '../../src/time/clock.ts';
import { failurePage } from '../../src/web/dashboard/failure.ts';
import type { Route, Visitor } from '../../src/web/dashboard/route.ts';
import { routes } from '../../src/web/dashboard/routes.ts';
import { formToken } from '../../src/web/dashboard/session.ts';
import { Works } from '../../src/web/dashboard/work.ts';
import { checked } from '../support/check.ts';
import { ADA, DASHBOARD_PROCESS, startTestDashboard, type TestDashboard } from '../support/dashboard.ts';
import { giveUp, planTargets } from '../support/news-rows.ts';
import { payout, refund, START_MS, TestDatabase } from '../support/test-database.ts';
import { until } from '../support/wait.ts';

/*
 * What an operator does on the pages, over HTTP alone, as a browser without a script does it: look first, then act. The acts are entered, and
 * the chain verifies in the end. One dashboard for the file; its long routes run in the real process.
 */

let db: TestDatabase;
let dashboard: TestDashboard;
let dead: string[];
beforeAll(async () => {
  db = new TestDatabase();
  db.keepAndApply(...['P1', 'P2', 'P3'].map((reference) => payout(reference, 'success')), refund('R1', 'success'));
  await planTargets(db.path);
  for (const reference of ['P1', 'P2', 'P3'])
    await checked(db, reference, 'success', { kind: 'payout', nowMs: START_MS });
  await checked(db, 'R1', 'success', { nowMs: START_MS });
  dead = await giveUp(db.path, 2);
  db.database.exec(`
    INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes, merchant_signature)
    VALUES (8, 0, ${START_MS}, '<b>a defect</b>', 'test', 'test-1', ${START_MS}, x'6b', 'absent'),
           (8, 1, ${START_MS}, 'a defect', 'test', 'test-1', ${START_MS}, x'64', 'absent')`);
  db.database.exec(`
    INSERT INTO refused_spans (likeness, reason, path, environments, count, first_at, last_at, last_path)
    VALUES ('ours', 'payload_signature_mismatch', '/webhooks/live', 'live', 4, ${START_MS}, ${START_MS}, '/webhooks/live')`);
  dashboard = await startTestDashboard({ folder: db.folder, worksAside: true, clock: systemClock });
});
afterAll(async () => {
  await dashboard?.stop();
  db?.remove();
});

/** The page behind an address or a form, through what is computed aside and what leads on. */
async function pageOf(
  path: string,
  form?: Readonly<Record<string, string>>,
  of = dashboard,
): Promise<{ at: string; html: string; status: number }> {
  let at = path;
  let html = '';
  let status = 0;
  const take = async (answer: Response): Promise<boolean> => {
    html = await answer.text();
    status = answer.status;
    const to = answer.headers.get('location');
    at = to ?? at;
    return to === null && !html.includes('<h1><bdi>Under way');
  };
  if (!(await take(await of.ask(path, form === undefined ? {} : { form }))))
    await until(async () => take(await of.ask(at)), `there is a page behind ${path}`);
  return { at, html, status };
}

const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

test('dead news is looked at, tried again, and given up: each act shows first what it would change', async () => {
  const list = await pageOf('/forwarding?state=dead');
  expect(list.html).toContain('All 2 of this list');
  const filter = hidden(list.html, 'filter');
  const look = await pageOf('/forwarding/retry', { all: '1', filter });
  expect(look.html).toContain('2 of 2 rows would be due now.');
  expect(hidden(look.html, 'id').split(' ').toSorted()).toEqual(dead.toSorted());
  const states = () =>
    db.database.prepare('SELECT state, count(*) AS n FROM outbox GROUP BY state ORDER BY state').all();
  const before = states();
  const done = await pageOf('/forwarding/retry', { id: hidden(look.html, 'id'), filter, do: '1' });
  expect([done.at, done.html.includes('2 of 2 rows are due now.')]).toEqual(['/forwarding?state=dead', true]);
  expect(states()).not.toEqual(before);

  const [first = ''] = dead;
  const drop = await pageOf('/forwarding/drop', { id: `${first} msg_none` });
  expect(drop.html).toMatch(/1 of \d rows? would be given up\./);
  expect(drop.html).toContain('there is no such row');
  await pageOf('/forwarding/drop', { id: first, do: '1' });
  expect(db.database.prepare('SELECT state FROM outbox WHERE webhook_id = ?').pluck().get(first)).toBe('dropped');
});

test('no row, more rows than one act takes, and an unknown target are refused, and what was filled in stays', async () => {
  const none = await dashboard.ask('/forwarding/drop', { form: { filter: 'state=dead' } });
  expect([none.status, (await none.text()).includes('No row is chosen.')]).toEqual([422, true]);
  const unknown = await dashboard.ask('/forwarding/enable', { form: { target: 'moon' } });
  expect([unknown.status, (await unknown.text()).includes('There is no target')]).toEqual([404, true]);
  const many = await dashboard.ask('/forwarding/retry', {
    form: { id: Array.from({ length: 501 }, (_, at) => `msg_${at}`).join(' ') },
  });
  expect([many.status, (await many.text()).includes('tallyhook outbox retry')]).toEqual([422, true]);
});

test('events are handed on again: counted first, then written, and nothing that came after the look', async () => {
  const choose = await pageOf('/forwarding/replay?reference=P1');
  expect(choose.html).toContain('value="P1"');
  const asked = { target: 'shop', kind: 'payout' };
  const look = await pageOf('/forwarding/replay', asked);
  expect(look.html).toContain('3 of 3 would be handed on to shop again.');
  const rows = db.database.prepare<[], number>('SELECT count(*) FROM outbox WHERE replay > 0').pluck();
  expect(rows.get()).toBe(0);
  const done = await pageOf('/forwarding/replay', { ...asked, before: hidden(look.html, 'before'), do: '1' });
  expect(done.html).toContain('3 of 3 are handed on to shop again.');
  expect(rows.get()).toBe(3);
});

test('a work goes on by the proof that its person gives meanwhile, and not by the one that ended with it', async () => {
  const route = (await routes()).find(
    ({ method, path }) => method === 'POST' && path === '/forwarding/replay',
  ) as Route;
  const works = new Works({
    ...{ config: dashboard.config, nowMs: () => systemClock.nowMs(), newId: () => 'w', file: DASHBOARD_PROCESS },
    standing: async (visitor) => visitor,
  });
  const form = new URLSearchParams({ target: 'shop', reference: 'P2', do: '1' });
  const context = { params: {}, query: new URLSearchParams(), form, files: {}, address: '/', uploads: '' };
  const ada: Visitor = {
    ...{ name: 'Ada', roles: ['operator'], provenAtMs: 0, login: 1 },
    credential: { kind: 'session', digest: 'of before the proof' },
  };
  const begun = works.begin(route, ada, context as never);
  works.proved(1, sessionDigest(ADA));
  let answer = await begun;
  if ('to' in answer && answer.to.startsWith('/tasks/'))
    await until(async () => {
      answer = works.fetch('w', ada);
      return !('blocks' in answer);
    }, 'it is done');
  expect(answer).toMatchObject({ said: expect.stringMatching(/handed on to shop again/) });
  works.close();
});

test('what was refused or not understood is new until a person says that it was looked through, and by whom', async () => {
  const before = await pageOf('/refused');
  expect(before.html).toContain('No person has looked through this yet.');
  expect(before.html).toContain('status warn');
  const after = await pageOf('/refused/seen', { upTo: hidden(before.html, 'upTo') });
  expect(after.html).toContain('Ada looked through it');
  expect(after.html).toContain('by Ada');
  expect((await pageOf('/quarantine')).html).toContain('No person has looked through this yet.');
  expect((await pageOf('/quarantine/seen', {})).html).toContain('Ada looked through it');
  const drop = await pageOf('/quarantine/drop', { id: '2' });
  expect(drop.html).toContain('1 of 1 chosen ones are deleted.');
  expect(drop.html).toContain('&lt;b&gt;a defect&lt;/b&gt;');
  expect(db.database.prepare('SELECT id FROM aside').pluck().all()).toEqual([1]);
});

test('a job runs from its page, under the lease of the schedule, and its sample is on the page of health', async () => {
  expect((await pageOf('/health')).html).toContain('There is no sample of the last week.');
  const ran = await pageOf('/jobs/run', { job: 'health' });
  expect([ran.at, /health ended in .*: /.test(ran.html)]).toEqual(['/jobs', true]);
  const [run] = db.database.prepare<[], { holder: string; cause: string }>('SELECT holder, cause FROM job_runs').all();
  expect(run).toMatchObject({ cause: 'command', holder: expect.stringContaining('the dashboard, for Ada on ') });
  for (const span of ['day', 'week', 'month'])
    expect((await pageOf(`/health?span=${span}`)).html).toContain('class="chart"');
  const operations = await openStore(db.path).operations();
  await operations.jobs.begin({ job: 'health', holder: 'serve on box', leaseMs: 60_000 });
  await operations.close();
  expect((await pageOf('/jobs/run', { job: 'health' })).html).toContain('health is running already: serve on box.');
});

test('what was done on the pages is entered, and the audit verifies from its page', async () => {
  for (const act of ['outbox.drop', 'replay', 'refused.see', 'quarantine.see', 'aside.drop'])
    expect((await pageOf(`/audit?act=${act}`)).html).toContain('Ada');
  expect((await pageOf('/audit/verify')).html).toContain('The audit verifies');
  expect(dashboard.faults).toEqual([]);
});

test('Find reads an amount as a person says it, and says how far it looked and which list has the rest', async () => {
  const books = new TestDatabase();
  books.keepAndApply(
    ...Array.from({ length: 21 }, (_, n) => payout(`P${n}`, 'success')),
    refund('R1', 'success'),
    refund('..', 'success'),
  );
  const own = await startTestDashboard({ folder: books.folder, clock: systemClock });
  const archive = await openStore(books.path).archive();
  try {
    // A browser folds dots in the path of an address.
    const dots = await pageOf('/find?q=..', undefined, own);
    expect([dots.status, dots.at, dots.html.includes('<h1><bdi>Refund ..')]).toEqual([
      200,
      '/records/refund?reference=..&environment=test',
      true,
    ]);
    const [record] = await archive.record('refund', '..', 'test');
    // Webhooks alone gave it: the service has not answered yet.
    expect(record && witnessedMoney(record)).toMatchObject([
      { field: 'amount', confirmed: null, agreed: null },
      { field: 'currency', confirmed: null, agreed: null },
    ]);
    const foundBy = async (q: string) => {
      const { html } = await pageOf(`/find?q=${encodeURIComponent(q)}`, undefined, own);
      return [
        html.match(/>payout P\d+</g)?.length ?? 0,
        /href="\/payouts\?amount=100\.00(&amp;currency=NGN)?"/.test(html),
      ];
    };
    for (const q of ['100', '₦100.00', '100 ngn', 'NGN \u2212100,00', 'the payout of 100 never came'])
      expect([q, ...(await foundBy(q))]).toEqual([q, 20, true]);
    for (const q of ['100 USD', '$100', 'refund 100']) expect([q, ...(await foundBy(q))]).toEqual([q, 0, false]);
    expect((await pageOf('/find?q=100%20or%20200', undefined, own)).html).toContain('not read as an amount');
    const { html } = await pageOf('/find?q=100', undefined, own);
    expect(html).toContain('tallyhook payouts list --amount 100.00');
  } finally {
    await archive.close();
    await own.stop();
    books.remove();
  }
});

test('a list without rows says the next step, on each page of a shop in which nothing happened', async () => {
  const books = new TestDatabase();
  const own = await startTestDashboard({ folder: books.folder, clock: systemClock });
  try {
    const lists = (await routes()).filter(
      ({ method, path, act, weight }) =>
        method === 'GET' && weight === 'light' && act !== 'login' && !path.includes(':') && path !== '/stream',
    );
    for (const { path } of lists) {
      const { html } = await pageOf(path, undefined, own);
      const empty = html.match(/class="empty"/g) ?? [];
      const said = html.match(/class="empty" id="[^"]*"><p>.*<\/p>\s*<p class="next">/g) ?? [];
      expect([path, said.length]).toEqual([path, empty.length]);
    }
  } finally {
    await own.stop();
    books.remove();
  }
});

test('a work whose process is killed is a page in plain words with the next step', async () => {
  const own = await startTestDashboard({
    folder: db.folder,
    workFile: new URL('../support/dashboard-work-killed.ts', import.meta.url),
    ...{ hasUsers: false, clock: systemClock },
  });
  try {
    const { status, html } = await pageOf('/jobs/run', { job: 'sweep' }, own);
    expect([status, html.includes('ended with SIGKILL before it was done')]).toEqual([409, true]);
    expect(html).toContain('Begin it again');
  } finally {
    await own.stop();
  }
});

test.each([
  ...['/events?environment=moon', '/events?after=next', '/events?until=2026-13-01', '/refused?reason=rain'],
  ...['/forwarding?state=lost', '/alerts?cause=moon', '/alerts?severity=1', '/audit?act=theft', '/health?span=eon'],
  ...['/quarantine?since=yesterday', '/findings?code=x', '/stuck?kind=planet', '/expected?kind=planet'],
  ...['/refunds?status=soon', '/payouts?environment=moon', '/matches?state=maybe', '/stuck?environment=moon'],
  ...['/statements?environment=moon', '/approvals?after=x', '/proof?period=nonsense', '/proof?run=last'],
  ...['/events?enviroment=live', '/statements?month=zzz', '/events/1?raw=1', '/stuck?after=x', '/?day=1'],
  ...['/refunds?confirmed=zzz', '/findings?state=zzz', '/findings?closed=zzz', '/statements?removed=zzz'],
  ...['/refunds?environment=test&environment=live', '/events?since=2026-11-02&until=2026-11-01', '/events?cursor=zzz'],
  ...['/health?range=zz', '/proof?set=zz', '/reports?set=zz', '/approvals?state=zz', '/payouts?after=-1'],
  ...['/exceptions?staus=closed', '/approvals?all=zzz', '/alerts?closed=maybe', '/expected?open=zzz'],
])('%s means nothing, and leads to the page without it', async (path) => {
  const answer = await dashboard.ask(path);
  const html = await answer.text();
  expect([answer.status, html.includes('Without the filter')]).toEqual([400, true]);
  expect(html).toContain(`href="${path.split('?')[0]}"><bdi>Without the filter`);
});

test('a place that no page of the queue led to is refused, and its filters stay', async () => {
  const answer = await dashboard.ask('/exceptions?after=zzz&currency=NGN');
  const html = await answer.text();
  expect([answer.status, html.includes('is not a place'), html.includes('value="NGN"')]).toEqual([400, true, true]);
});

test('an unknown filter is answered with the nearest one, and a wrong value of the queue beside its filter', async () => {
  expect((await pageOf('/events?enviroment=live')).html).toContain('Did you mean environment?');
  for (const wrong of ['unresolved=zzz', 'overdue=maybe', 'minValue=much'])
    expect([wrong, (await dashboard.ask(`/exceptions?${wrong}`)).status]).toEqual([wrong, 400]);
  const { html } = await pageOf('/exceptions?minValue=1&code=fee_mismatch&overdue=1');
  expect(html).toContain('tallyhook exceptions list --code fee_mismatch --min-value 1 --overdue');
});

/** A form with a file in it. */
function fileForm(name: string, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  // The token stands before the file, as on the page.
  form.append('token', formToken(ADA));
  form.append('file', new File([bytes], name));
  return form;
}

test('a file that is too large, empty, or no statement is a page in plain words, and nothing of it stays', async () => {
  const large = await dashboard.ask('/statements/upload', { form: fileForm('october.csv', new Uint8Array(4_000_000)) });
  const words = await large.text();
  expect([large.status, words.includes('<h1><bdi>Too large')]).toEqual([413, true]);
  expect(words).toContain('More was sent than the 65,536 bytes that are taken.');
  const empty = await dashboard.ask('/statements/upload', { form: fileForm('october.csv', new Uint8Array(0)) });
  expect([empty.status, (await empty.text()).includes('october.csv is empty: was it cut off?')]).toEqual([422, true]);
  const picture = await dashboard.ask('/statements/upload', {
    form: fileForm('logo.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0])),
  });
  const sent = picture.headers.get('location') ?? '';
  const { html } = await pageOf(sent);
  expect(html).toContain('logo.png: is a picture, and no table.');
  expect(html).not.toContain('defect');
  // A profile that does not fit is left for a proposal by a button.
  const unfit = await pageOf(`${new URL(sent, dashboard.url).pathname}/look`, { profile: 'kind: bank' });
  expect([unfit.status, unfit.html.includes('Propose how it is read instead')]).toEqual([422, true]);
  expect(dashboard.faults).toEqual([]);
});

test('an upload that the browser cuts off imports nothing, and leaves nothing in the folder', async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`tallyhook-uploads-${process.pid}-`));
  const files = () => folders().flatMap((name) => readdirSync(join(tmpdir(), name)));
  const before = files();
  const { hostname, port } = new URL(dashboard.url);
  const headers = {
    ...{ 'content-type': 'multipart/form-data; boundary=part', 'content-length': 60_000, origin: dashboard.url },
    ...{ cookie: `__Host-tallyhook=${ADA}`, 'sec-fetch-site': 'same-origin' },
  };
  const sent = request({ hostname, port, path: '/statements/upload', method: 'POST', headers });
  sent.on('error', () => {}); // it is cut off
  sent.write(`--part\r\nContent-Disposition: form-data; name="token"\r\n\r\n${formToken(ADA)}\r\n`);
  sent.write('--part\r\nContent-Disposition: form-data; name="file"; filename="october.csv"\r\n\r\nDate,Amount\r\n');
  await until(() => files().length > before.length, 'the file is being written');
  sent.destroy();
  await until(() => files().length === before.length, 'nothing is left of it');
  expect((await pageOf('/statements')).html).toContain('No statement is there.');
  expect(dashboard.faults).toEqual([]);
});

test('a body that ends in the middle, and bytes that are no request, get a sentence with the headers of every answer', async () => {
  const { hostname, port } = new URL(dashboard.url);
  const head = [
    ...[
      'POST /statements/upload HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Origin: ${dashboard.url}`,
      'Content-Length: 60000',
    ],
    ...['Sec-Fetch-Site: same-origin', `Cookie: __Host-tallyhook=${ADA}`],
    'Content-Type: multipart/form-data; boundary=part',
  ];
  for (const bytes of [`${head.join('\r\n')}\r\n\r\n--part\r\n`, 'no request at all\r\n\r\n']) {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const answer = (await socket.toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*content-security-policy: default-src 'none'.*cut off\. Go back/s);
  }
});

test('an event whose body was pruned says so, and where the body may be', async () => {
  const operations = await openStore(db.path).operations();
  for (let after: PrunePlace | null = null, step = 0; step === 0 || after !== null; step++)
    after = (await operations.pruning.prune({ beforeMs: Date.now() + 1e12, after })).next;
  await operations.close();
  const { html } = await pageOf('/events/4');
  expect(html).toContain('Its body was pruned; its digest stays.');
  expect(html).toContain('A backup from before may hold it.');
});

test('a database that is gone, of an older version, or busy is a page that says what to do, and the next page is whole', async () => {
  const own = await startTestDashboard({ folder: db.folder, hasUsers: false, clock: systemClock });
  const reading = await openStore(db.path).archive();
  const scratch = new Scratch();
  try {
    const asked = async () => {
      const answer = await own.ask('/events');
      return { status: answer.status, html: await answer.text() };
    };
    expect((await asked()).status).toBe(200);
    renameSync(db.path, `${db.path}.away`);
    // An archive that is open would attach it by its name, and make it by that.
    await expect(reading.fillKnownMatches(scratch)).rejects.toMatchObject({ fault: 'replaced' });
    expect(existsSync(db.path)).toBe(false);
    expect(await asked()).toMatchObject({ html: expect.stringContaining('<h1><bdi>The database is gone') });
    const form = await (await own.ask('/refused/seen', { form: { upTo: '7', why: 'a reason' } })).text();
    expect([form.includes('The database is gone'), form.includes('a reason')]).toEqual([true, true]);
    renameSync(`${db.path}.away`, db.path);
    const last = 'FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)';
    db.database.exec(`CREATE TEMP TABLE kept AS SELECT * ${last}; DELETE ${last}`);
    expect(await asked()).toMatchObject({ html: expect.stringContaining('tallyhook migrate') });
    db.database.exec('INSERT INTO schema_migrations SELECT * FROM kept');
    expect((await asked()).status).toBe(200);
    expect(own.faults).toEqual([]);
  } finally {
    scratch.close();
    await reading.close();
    await own.stop();
  }
  const sent = { action: '/refused/seen', form: new URLSearchParams({ upTo: '7' }) };
  const held = new StoreError('busy', 'Another process holds the database.');
  const busy = failurePage(held, { sent, path: '/refused', isKnown: true });
  // Without a session nothing of this machine is said.
  const strange = failurePage(held, { sent, path: '/login', isKnown: false });
  expect([busy, strange].map((page) => JSON.stringify(page).includes(held.message))).toEqual([true, false]);
  expect(busy).toMatchObject({ status: 503, title: 'The database is busy' });
  expect(JSON.stringify(busy)).toContain('Send it again');
});
