import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STANDARD_REASONS } from '../../../../../src/domain/exceptions/reasons.ts';
import type { ExceptionAct } from '../../../../../src/store/exceptions.ts';
import { FEE, Queue } from '../../../../support/exceptions.ts';
import { FixedClock } from '../../../../support/fixed-clock.ts';
import { TestDatabase } from '../../../../support/test-database.ts';

let db: TestDatabase;
let queue: Queue;
beforeEach(() => {
  db = new TestDatabase();
  queue = new Queue(db.path, new FixedClock(Date.parse('2026-11-02T08:00:00Z')));
});
afterEach(() => db.remove());

const { id } = FEE;
const OTHER = { id: 'x-00000000000000000000000f', reference: 'C-2' };
const GIVEN = { reference: null, comment: null, followUp: null, attachments: [], lines: [] };
const accept: ExceptionAct = {
  id,
  act: 'resolve',
  by: 'ada',
  resolution: 'accept',
  reasonCode: 'bank_charge',
  ...GIVEN,
};

const verdict = () => queue.store().auditVerdict({ noted: null });

describe('a run', () => {
  test('puts what it finds into the queue, once for ever', async () => {
    await queue.run([{}]);
    await queue.run([{}]);
    expect(await queue.exception()).toMatchObject({ version: 1, status: 'open', firstRun: 1, lastRun: 2 });
    expect(await queue.log()).toEqual(['found null>open by run 1']);
  });

  test('closes what it finds no more, and the next one that finds it opens it again', async () => {
    await queue.run([{}]);
    await queue.run([]);
    expect(await queue.exception()).toMatchObject({ version: 2, status: 'closed', lastRun: 1 });
    await queue.run([{}]);
    expect(await queue.exception()).toMatchObject({ version: 3, status: 'reopened', lastRun: 3 });
    expect(await queue.log()).toEqual([
      'found null>open by run 1',
      'gone open>closed by run 2',
      'returned closed>reopened by run 3',
    ]);
  });

  test('opens a resolved one again when its evidence changed, and keeps who works on it', async () => {
    await queue.run([{}]);
    await queue.act({ id, act: 'assign', by: 'ada', to: 'ben' }, accept);
    await queue.run([{}]);
    expect(await queue.exception()).toMatchObject({ version: 3, status: 'resolved', resolution: 'accept' });
    await queue.run([{ theirs: '16.00', variance: '3.50', effect: '-3.50' }]);
    expect(await queue.exception()).toMatchObject({
      ...{ version: 4, status: 'reopened', resolution: null, assignee: 'ben', variance: '3.50' },
    });
    expect((await queue.log()).at(-1)).toBe('changed resolved>reopened by run 3');
  });

  test('another row, reason or age changes nothing that was resolved', async () => {
    const line = { statement: 1, row: 2, fingerprint: 'ab'.repeat(32), occurrence: 0 };
    await queue.run([{ line }]);
    await queue.act(accept);
    await queue.run([{ line: { ...line, statement: 7, row: 90 }, reason: 'said otherwise', recordId: 4 }]);
    expect(await queue.exception()).toMatchObject({
      ...{ version: 2, status: 'resolved', line: { statement: 7, row: 90 }, reason: 'said otherwise' },
    });
  });

  test.each([
    ['another account', { account: 'wallet-eu' }],
    ['another environment', { environment: 'live' as const }],
    ['one leg', { leg: 'batch-bank' }],
    ['rules without its leg', { legs: ['batch-bank'] }],
    ['records of another kind', { kinds: ['refund' as const] }],
    ['later days', { from: '2026-10-03', first: '2026-10-03' }],
    ['earlier days', { from: '2026-09-01', to: '2026-10-01', judgedDay: '2026-10-01' }],
  ])('of %s touches nothing else', async (_, narrower) => {
    await queue.run([{}]);
    await queue.run([], narrower);
    expect(await queue.exception()).toMatchObject({ version: 1, status: 'open' });
  });

  test('leaves what was not due on its last day alone', async () => {
    await queue.run([{ date: '2026-10-30', firstSeen: '2026-11-02' }], { to: '2026-11-10', judgedDay: '2026-11-10' });
    await queue.run([]);
    expect(await queue.exception()).toMatchObject({ status: 'open' });
  });

  test('with an opening balance of ours touches what it carries', async () => {
    const openings = [
      { environment: FEE.environment, account: 'wallet-main', currency: 'NGN', since: '', isRead: true },
    ];
    const november = { from: '2026-11-01', to: '2026-11-30', judgedDay: '2026-11-02', first: '2026-10-01' };
    await queue.run([{}, OTHER]);
    await queue.run([], { ...november, carried: [OTHER], openings: [] });
    expect(await queue.exception()).toMatchObject({ status: 'open' });
    await queue.run([], { ...november, carried: [OTHER], openings });
    expect(await queue.exception()).toMatchObject({ status: 'closed' });
    expect(await queue.exception(OTHER.id)).toMatchObject({ status: 'open', lastRun: 3 });
  });

  test('finds what was carried open again, but not in the next month of one that is not closed', async () => {
    await queue.run([{}]);
    await queue.act({ ...accept, resolution: 'carry', reasonCode: 'next_period' } as ExceptionAct);
    await queue.run([{}]);
    expect(await queue.exception()).toMatchObject({ status: 'resolved' });
    await queue.run([], { from: '2026-11-01', to: '2026-11-30', judgedDay: '2026-11-02', carried: [{}] });
    expect(await queue.exception()).toMatchObject({ version: 2, status: 'resolved', resolution: 'carry' });
    await queue.run([], { from: '2026-12-01', to: '2026-12-31', judgedDay: '2026-12-02', carried: [{}] });
    expect(await queue.exception()).toMatchObject({ version: 3, status: 'open', resolution: null });
    expect((await queue.log()).at(-1)).toBe('carried resolved>open by run 4');
  });

  test('of later days finds one about a record open again; a run of its days closes it, the same one again does not', async () => {
    const stuck = { code: 'stuck' as const, leg: null, account: null, field: null };
    const december = { from: '2026-12-01', to: '2026-12-31', judgedDay: '2026-12-31', first: '2026-12-01' };
    await queue.run([stuck]);
    await queue.act({ ...accept, resolution: 'carry', reasonCode: 'next_period' } as ExceptionAct);
    await queue.run([], { ...december, environment: 'live' });
    await queue.run([], { ...december, account: 'bank' });
    expect(await queue.exception()).toMatchObject({ status: 'resolved', resolution: 'carry' });
    await queue.run([], december);
    await queue.run([], december);
    expect(await queue.exception()).toMatchObject({
      ...{ status: 'open', resolution: null, firstSeen: FEE.firstSeen, lastRun: 4, version: 3 },
    });
    await queue.run([]);
    expect(await queue.exception()).toMatchObject({ status: 'closed' });
    expect((await queue.log()).slice(2)).toEqual(['carried resolved>open by run 4', 'gone open>closed by run 6']);
    expect(await verdict()).toMatchObject({ ok: true });
  });

  test('that was not followed is followed before the next one, by whoever comes', async () => {
    await queue.run([{}], { follows: false });
    const archive = await queue.store().archive();
    expect(await archive.isFollowing()).toBe(true);
    await archive.close();
    await queue.run([]);
    expect(await queue.log()).toEqual(['found null>open by run 1', 'gone open>closed by run 2']);
  });

  test('is followed in pieces, and another process may go on in the middle', async () => {
    const many = Array.from({ length: 400 }, (_, index) => ({ id: `x-${String(index).padStart(24, '0')}` }));
    await queue.run(many, { follows: false });
    const [one, other] = [await queue.store().operations(), await queue.store().operations()];
    const answers = [await one.exceptions.follow(), await other.exceptions.follow()];
    expect(answers).toEqual([{ done: false }, { done: false }]);
    await one.close();
    while (!(await other.exceptions.follow()).done);
    await other.close();
    expect(
      db.database.prepare('SELECT count(*) AS n, min(version) AS least, max(version) AS most FROM exceptions').get(),
    ).toEqual({ n: 400, least: 1, most: 1 });
  });
});

describe('acts', () => {
  test('one that is about an older version is refused, and says who was faster', async () => {
    await queue.run([{}]);
    await queue.act({ id, act: 'comment', by: 'ben', text: 'asked the bank' });
    expect(await queue.act({ ...accept, version: 1 })).toMatchObject([
      { outcome: 'refused', reason: 'stale', who: 'ben', atMs: Date.parse('2026-11-02T08:00:00Z') },
    ]);
    expect(await queue.act({ ...accept, version: 2 })).toMatchObject([
      { outcome: 'done', exception: { version: 3, status: 'resolved', comment: 'asked the bank' } },
    ]);
  });

  test('of a spreadsheet are one version each, whatever they change', async () => {
    await queue.run([{}, OTHER]);
    const resolve = {
      resolution: 'claim',
      reasonCode: 'service_error',
      reference: null,
      followUp: '2026-12-01',
    } as const;
    const [one, other] = await queue.act(
      { id, act: 'import', by: 'ada', version: 1, assignee: 'ben', comment: 'ref: CLM-7; too much', resolve },
      { id: OTHER.id, act: 'import', by: 'ada', version: 1, assignee: 'ben' },
    );
    expect(one).toMatchObject({
      exception: {
        version: 2,
        status: 'resolved',
        assignee: 'ben',
        resolutionReference: 'CLM-7',
        followUp: '2026-12-01',
      },
    });
    expect(other).toMatchObject({ exception: { version: 2, status: 'assigned', assignee: 'ben' } });
    const moved = await queue.act(
      { id, act: 'import', by: 'ada', followUp: '2027-01-15' },
      { id: OTHER.id, act: 'import', by: 'ada', assignee: 'cem', comment: 'over to you' },
      { id: OTHER.id, act: 'import', by: 'ada', followUp: '2027-01-15' },
      { id: OTHER.id, act: 'import', by: 'ada', assignee: null, comment: null },
    );
    expect(moved).toMatchObject([
      { exception: { version: 3, status: 'resolved', followUp: '2027-01-15', resolutionReference: 'CLM-7' } },
      { exception: { version: 3, status: 'assigned', assignee: 'cem', comment: 'over to you' } },
      { outcome: 'refused', reason: 'state' },
      { exception: { version: 4, status: 'open', assignee: null, comment: null } },
    ]);
  });

  test('all or none, and a dry run, write nothing when they must not', async () => {
    await queue.run([{}, OTHER]);
    const { exceptions, close } = await queue.store().operations();
    const wrong: ExceptionAct = { ...accept, id: OTHER.id, reasonCode: 'whim' } as ExceptionAct;
    const reasons = STANDARD_REASONS;
    const sheet = { digest: 'ab', file: 'q.csv', remember: 'ada' };
    const outcomes = async (order: object) =>
      (await exceptions.act({ acts: [accept, wrong], reasons, sheet, ...order })).map(({ outcome }) => outcome);
    expect(await outcomes({ allOrNothing: true })).toEqual(['done', 'refused']);
    expect(await outcomes({ dryRun: true })).toEqual(['done', 'refused']);
    expect(await queue.exception()).toMatchObject({ version: 1 });
    expect(await outcomes({})).toEqual(['done', 'refused']);
    expect(await queue.exception()).toMatchObject({ version: 2 });
    await close();
    const archive = await queue.store().archive();
    expect(await archive.exceptionSheet('ab')).toMatchObject({ file: 'q.csv', by: 'ada' });
    await archive.close();
    expect(await verdict()).toMatchObject({ ok: true });
  });

  test('and runs each have their entry in the audit; a row that was changed behind it is named', async () => {
    await queue.run([{}, OTHER]);
    await queue.act(accept, { id: OTHER.id, act: 'assign', by: 'ben', to: 'ada' });
    await queue.run([OTHER]);
    expect(await verdict()).toMatchObject({ ok: true, firstBad: null });
    const entries = db.database.prepare('SELECT who, act, subject FROM audit_entries ORDER BY seq').all();
    expect(entries.filter((one) => !String((one as { act: string }).act).startsWith('rules'))).toEqual([
      { who: 'tallyhook', act: 'run.follow', subject: 'run:1' },
      { who: 'ada', act: 'exception.resolve', subject: `exception:${id}` },
      { who: 'ben', act: 'exception.assign', subject: `exception:${OTHER.id}` },
      { who: 'tallyhook', act: 'run.follow', subject: 'run:2' },
    ]);
    db.database.prepare("UPDATE exception_resolutions SET reason_code = 'other'").run();
    expect(await verdict()).toMatchObject({ ok: false, firstBad: { reason: 'subject', key: id } });
  });
});
