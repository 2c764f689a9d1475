import { expect, test } from 'vitest';
import { type Expectations, judged } from '../../../src/confirm/judgement.ts';
import { PROBLEM_CODES } from '../../../src/confirm/problem.ts';
import { NODE_ROLES } from '../../../src/domain/cluster/node-role.ts';
import { problemText } from '../../../src/lists/problem-text.ts';
import type { JobState } from '../../../src/store/jobs.ts';
import type { ReceiverProcess, SystemState } from '../../../src/store/system-state.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-20T21:52:00Z');

const process = (over: Partial<ReceiverProcess> = {}): ReceiverProcess => ({
  holder: 'serve on box, process 7',
  pid: 7,
  startedAtMs: NOW_MS - DAY_MS,
  seenAtMs: NOW_MS - 15 * SECOND_MS,
  stoppedAtMs: null,
  isGone: false,
  isThere: true,
  ...over,
});
const GIGABYTE = 1_000_000_000;
const WELL: SystemState = {
  nowMs: NOW_MS,
  receivers: [process()],
  arrivals: [],
  refused: { count: 0, lastAtMs: null, notKept: { count: 0, lastAtMs: null }, runs: [] },
  waiting: { deliveries: 0, sinceMs: null },
  aside: { deliveries: 0, sinceMs: null },
  lockHolder: null,
  due: [],
  findings: [],
  stuck: [],
  stuckAtLeast: false,
  keyRefused: [],
  serviceFailing: [],
  jobs: [],
  alerts: [],
  storage: {
    databaseBytes: 1,
    logBytes: 0,
    disk: { freeBytes: 50 * GIGABYTE, totalBytes: 100 * GIGABYTE, freeFiles: 1e6 },
  },
  soundness: { damage: [], finishedAtMs: NOW_MS },
};
const CONFIGURED: Expectations = {
  keyPairs: [{ id: 'live-1', environment: 'live', notAfter: null }],
  baseUrl: 'https://service.example.com',
  expectServe: true,
  serve: null,
  lostAuditKey: null,
  cluster: null,
};
const SERVE = { pid: 7, database: '1:2', roles: NODE_ROLES, outage: null, behindFault: null };
const OUTAGE = {
  ...{ fault: 'disk_full', fromMs: NOW_MS - MINUTE_MS, lastAtMs: NOW_MS - 1, deliveries: 9, keptAgainAtMs: null },
};
const ROOMY = { freeBytes: 50 * GIGABYTE, totalBytes: 100 * GIGABYTE, freeFiles: 1e6 };
const FULL: SystemState['storage'] = { ...WELL.storage, disk: { ...ROOMY, freeBytes: 0 } };
const codesOf = (over: Partial<SystemState>, expectations: Partial<Expectations> = {}) =>
  judged({ ...WELL, ...over }, [], [], { ...CONFIGURED, ...expectations }).problems.map(({ code }) => code);

const job = (over: Partial<JobState> = {}): JobState => ({
  job: 'sweep',
  schedule: '* * * * *',
  zone: 'UTC',
  nextRunAtMs: NOW_MS + MINUTE_MS,
  held: null,
  freeSinceMs: null,
  last: null,
  doneAtMs: null,
  ...over,
});
const heldNow = { run: 2, cause: 'schedule', holder: 'x', sinceMs: NOW_MS - 1, untilMs: NOW_MS + MINUTE_MS } as const;
const sweeping = job({ held: heldNow });
/** Backups are daily, at the minute of the last one. */
const backup = (doneAtMs: number): JobState => {
  const at = new Date(doneAtMs);
  const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  return job({ job: 'backup', schedule, doneAtMs });
};
const BACKED_UP_MS = NOW_MS - DAY_MS - HOUR_MS;
const ran = (outcome: 'failed' | 'lost' | 'found') => ({
  ...({
    run: 1,
    cause: 'schedule',
    holder: 'x',
    plannedAtMs: null,
    startedAtMs: 0,
    finishedAtMs: 1,
    detail: null,
  } as const),
  outcome,
});
const run = { environment: 'live', likeness: 'signed', count: 3, reason: 'no_keys', path: '/webhooks/live' } as const;
const refusedNow = { ...run, firstAtMs: NOW_MS - 5, lastAtMs: NOW_MS - 1 };
const notKeptNow = { ...refusedNow, likeness: 'not_kept', count: 1, reason: 'disk_full' } as const;
const keptNow = {
  ...{ environment: 'live', kind: 'refund', deliveries: 1, gapSum: 0, gapSquares: 0 },
  lastAtMs: NOW_MS,
} satisfies Partial<SystemState['arrivals'][number]> as SystemState['arrivals'][number];
const failing = (agoMs: number): SystemState['serviceFailing'][number] => ({
  ...{ environment: 'live', sinceMs: NOW_MS - agoMs, failedAtMs: NOW_MS - 1, outcome: 'no_answer' },
});
const due = (agoMs: number, records = 4) => [
  { environment: 'live', kind: 'refund', records, oldestDueAtMs: NOW_MS - agoMs } as const,
];
const keyUntil = (atMs: number, id = 'live-1') => ({
  id,
  environment: 'live' as const,
  notAfter: new Date(atMs).toISOString(),
});

test.each<[string, Partial<SystemState>, readonly string[], Partial<Expectations>?]>([
  ['nothing to report', {}, []],
  ['nothing ever received: commands by cron only', { receivers: [] }, []],
  ['damaged rows', { soundness: { damage: ['events 8 …'], finishedAtMs: null } }, ['damaged']],
  ['killed: the process is gone', { receivers: [process({ isGone: true })] }, ['serve_not_running']],
  ['stopped in order', { receivers: [process({ stoppedAtMs: NOW_MS - 1 })] }, ['serve_not_running']],
  ['two signs of life are missing', { receivers: [process({ seenAtMs: NOW_MS - 45 * SECOND_MS })] }, []],
  ['three are', { receivers: [process({ seenAtMs: NOW_MS - 45 * SECOND_MS - 1 })] }, ['serve_not_running']],
  ['another process receives', { receivers: [process({ isGone: true }), process()] }, []],
  ['serve is not expected', { receivers: [process({ isGone: true })] }, [], { expectServe: false }],
  ['little space', { storage: { ...WELL.storage, disk: { freeBytes: 1, totalBytes: 2, freeFiles: 9 } } }, ['disk_low']],
  ['space unknown', { storage: { ...WELL.storage, disk: null } }, []],
  ['signed refusals in a row', { refused: { ...WELL.refused, runs: [refusedNow] } }, ['deliveries_refused']],
  ['one that was not kept', { refused: { ...WELL.refused, runs: [notKeptNow] } }, ['deliveries_refused']],
  [
    'one that was not kept, and one that was',
    { refused: { ...WELL.refused, runs: [notKeptNow] }, arrivals: [keptNow] },
    [],
  ],
  ['refusals of strangers', { refused: { ...WELL.refused, count: 9_999, lastAtMs: NOW_MS } }, []],
  ['the service refuses the key', { keyRefused: [{ environment: 'live', records: 2 }] }, ['key_refused']],
  ['the service answers nothing for two minutes', { serviceFailing: [failing(2 * MINUTE_MS)] }, ['service_down']],
  ['the service answers nothing for less', { serviceFailing: [failing(2 * MINUTE_MS - 1)] }, []],
  ['without baseUrl no service is asked', { serviceFailing: [failing(DAY_MS)] }, [], { baseUrl: null }],
  [
    'a sweep that failed since then, and what it leaves due: only the cause',
    {
      ...{ serviceFailing: [failing(HOUR_MS)], due: due(DAY_MS) },
      jobs: [job({ last: { ...ran('failed'), finishedAtMs: NOW_MS } }), backup(BACKED_UP_MS + HOUR_MS)],
    },
    ['service_down'],
  ],
  [
    'another job that failed since then',
    {
      serviceFailing: [failing(HOUR_MS)],
      jobs: [{ ...backup(NOW_MS - HOUR_MS), last: { ...ran('failed'), finishedAtMs: NOW_MS } }],
    },
    ['service_down', 'job_failed'],
  ],
  [
    'a job whose run took longer than its schedule, and just ended',
    { jobs: [job({ nextRunAtMs: NOW_MS - HOUR_MS, freeSinceMs: NOW_MS - MINUTE_MS })] },
    [],
  ],
  ['a job failed', { jobs: [job({ last: ran('failed') })] }, ['job_failed']],
  ['a job was lost', { jobs: [job({ last: ran('lost') })] }, ['job_failed']],
  ['a job was lost, and runs again', { jobs: [job({ last: ran('lost'), held: heldNow })] }, []],
  ['a job failed, and runs again', { jobs: [job({ last: ran('failed'), held: heldNow })] }, ['job_failed']],
  [
    'a sweep failed, and has been running for a minute while the service answers',
    { jobs: [job({ last: ran('failed'), held: { ...heldNow, sinceMs: NOW_MS - MINUTE_MS } })] },
    [],
  ],
  [
    'the same while the service does not answer, for less than two minutes',
    {
      jobs: [job({ last: ran('failed'), held: { ...heldNow, sinceMs: NOW_MS - MINUTE_MS } })],
      serviceFailing: [failing(MINUTE_MS)],
    },
    ['job_failed'],
  ],
  [
    'a job was lost with its process',
    { receivers: [process({ isGone: true })], jobs: [job({ last: ran('lost') })] },
    ['serve_not_running'],
  ],
  ['a job found something', { jobs: [job({ last: ran('found') })] }, []],
  ['a job is late', { jobs: [job({ nextRunAtMs: NOW_MS - 5 * MINUTE_MS - 1 })] }, ['job_overdue']],
  ['the planned backup is over an hour late', { nowMs: NOW_MS + 1, jobs: [backup(BACKED_UP_MS)] }, ['backup_old']],
  ['the planned backup is an hour late', { jobs: [backup(BACKED_UP_MS)] }, []],
  ['backups are off', { jobs: [{ ...backup(BACKED_UP_MS - DAY_MS), schedule: null }] }, []],
  ['deliveries that waited for a minute', { waiting: { deliveries: 5, sinceMs: NOW_MS - 60_000 } }, ['behind']],
  ['deliveries that are set aside', { aside: { deliveries: 1, sinceMs: NOW_MS - 1 } }, ['aside']],
  ['deliveries that wait for less', { waiting: { deliveries: 5, sinceMs: NOW_MS - 59_999 } }, []],
  ['a log that is not emptied', { storage: { ...WELL.storage, logBytes: 256 * 1024 * 1024 + 1 } }, ['log_large']],
  ['a log under load', { storage: { ...WELL.storage, logBytes: 256 * 1024 * 1024 } }, []],
  [
    'without serve, only the cause',
    { receivers: [process({ isGone: true })], jobs: [job({ nextRunAtMs: 0 })], due: due(DAY_MS) },
    ['serve_not_running'],
  ],
  ['serve answers, and could write no sign of life', { receivers: [process({ seenAtMs: 0 })] }, [], { serve: SERVE }],
  [
    'deliveries are not kept now: only the cause',
    {
      ...{ receivers: [process({ seenAtMs: 0 })], jobs: [job({ nextRunAtMs: 0 })], due: due(DAY_MS) },
      ...{ refused: { ...WELL.refused, runs: [notKeptNow] }, storage: FULL },
    },
    ['not_kept'],
    { serve: { ...SERVE, outage: OUTAGE } },
  ],
  [
    'deliveries are kept again for less than ten seconds',
    {},
    ['not_kept'],
    { serve: { ...SERVE, outage: { ...OUTAGE, keptAgainAtMs: NOW_MS } } },
  ],
  [
    'an outage that is over',
    {},
    [],
    { serve: { ...SERVE, outage: { ...OUTAGE, lastAtMs: NOW_MS - 10_000, keptAgainAtMs: NOW_MS - 9_000 } } },
  ],
  [
    'deliveries that were not kept since serve reported: its next report tells them',
    { receivers: [process({ pid: 7, startedAtMs: NOW_MS - 1 })], refused: { ...WELL.refused, runs: [notKeptNow] } },
    [],
    { serve: SERVE },
  ],
  [
    'deliveries that were not kept since its last outage',
    { refused: { ...WELL.refused, runs: [notKeptNow] } },
    [],
    { serve: { ...SERVE, outage: { ...OUTAGE, lastAtMs: NOW_MS - 10_000, keptAgainAtMs: NOW_MS - 9_000 } } },
  ],
  [
    'deliveries that were not kept before serve started',
    { receivers: [process({ pid: 7, startedAtMs: NOW_MS })], refused: { ...WELL.refused, runs: [notKeptNow] } },
    ['deliveries_refused'],
    { serve: SERVE },
  ],
  [
    'an outage that is over, and no delivery was kept since',
    { refused: { ...WELL.refused, runs: [{ ...notKeptNow, lastAtMs: NOW_MS - 10_000 }] } },
    ['deliveries_refused'],
    { serve: { ...SERVE, outage: { ...OUTAGE, lastAtMs: NOW_MS - 10_000, keptAgainAtMs: NOW_MS - 9_000 } } },
  ],
  ['no more files', { storage: { ...WELL.storage, disk: { ...ROOMY, freeFiles: 0 } } }, ['disk_low']],
  ['the key of the audit chain is gone', {}, ['audit_key_lost'], { lostAuditKey: '/k' }],
  ['checks that wait', { due: due(15 * MINUTE_MS) }, ['checks_overdue']],
  ['checks that just came due', { due: due(15 * MINUTE_MS - 1) }, []],
  ['a running sweep that does not keep up', { jobs: [sweeping], due: due(3 * MINUTE_MS, 100) }, ['checks_overdue']],
  ['a running sweep with few left', { jobs: [sweeping], due: due(3 * MINUTE_MS, 99) }, []],
  ['a running sweep that has just begun', { jobs: [sweeping], due: due(3 * MINUTE_MS - 1, 100) }, []],
  ['checks that are not made', { due: due(DAY_MS) }, [], { baseUrl: null }],
  ['checks without a key', { due: due(DAY_MS) }, ['keys_missing'], { keyPairs: [] }],
  ['an environment that is asked about has no key', {}, ['keys_missing'], { keyPairs: [], environment: 'test' }],
  ['the other environment has no key', {}, [], { environment: 'live' }],
  ['a stuck record', { stuck: [{ environment: 'live', kind: 'refund', records: 1 }] }, ['stuck']],
  ['an open finding', { findings: [{ environment: 'live', kind: 'refund', code: 'tie', open: 1 }] }, ['findings']],
  [
    'a finding that is a stuck record',
    { findings: [{ environment: 'live', kind: 'refund', code: 'stuck', open: 1 }] },
    [],
  ],
  ['the last key expires', {}, ['key_expires'], { keyPairs: [keyUntil(NOW_MS + 3 * DAY_MS)] }],
  ['the last key has expired', {}, ['key_expires'], { keyPairs: [keyUntil(NOW_MS - 1)] }],
  ['the old key of a rotation', {}, [], { keyPairs: [keyUntil(NOW_MS - 1), ...CONFIGURED.keyPairs] }],
])('%s', (_, over, codes, expectations) => {
  expect(codesOf(over, expectations)).toEqual(codes);
});

test('a refusal on the shared path means only an environment that receives', () => {
  const runs = (['test', 'live'] as const).map((environment) => ({ ...refusedNow, environment }));
  const refused = { ...WELL.refused, runs };
  expect(codesOf({ refused })).toEqual(['deliveries_refused', 'deliveries_refused']);
  const arrival = { kind: 'refund', deliveries: 9, lastAtMs: NOW_MS - DAY_MS, gapSum: 0, gapSquares: 0 } as const;
  const arrivals = [{ ...arrival, environment: 'live' as const }];
  const found = judged({ ...WELL, refused, arrivals }, [], [], CONFIGURED).problems;
  expect(found).toMatchObject([{ code: 'deliveries_refused', environment: 'live' }]);
});

test('of several runs the surest is reported', () => {
  const runs = (['merchant_only', 'signed', 'not_kept', 'ours'] as const).map((likeness) => ({
    ...refusedNow,
    likeness,
  }));
  const found = judged({ ...WELL, refused: { ...WELL.refused, runs } }, [], [], CONFIGURED).problems;
  expect(found).toMatchObject([{ run: { likeness: 'ours' } }]);
});

test('the most urgent comes first', () => {
  const codes = codesOf({
    findings: [{ environment: 'live', kind: 'refund', code: 'tie', open: 1 }],
    receivers: [process({ isGone: true })],
    jobs: [job({ last: ran('failed') })],
  });
  expect(codes).toEqual(PROBLEM_CODES.filter((code) => codes.includes(code)));
});

test('a target that answered 410 and news that was given up are problems; one that is gone is disabled no more', () => {
  const disabled = {
    disabledAtMs: NOW_MS - HOUR_MS,
    heldUntilMs: null,
    lately: null,
    oldestOpenAtMs: NOW_MS - HOUR_MS,
    states: { waiting: 2, failing: 1, dead: 4 },
  };
  const targets = [
    { name: 'old', present: false, ...disabled },
    { name: 'shop', present: true, ...disabled },
    {
      name: 'well',
      present: true,
      disabledAtMs: null,
      heldUntilMs: null,
      lately: null,
      oldestOpenAtMs: NOW_MS - 900_000,
      states: { waiting: 9, superseded: 3, dropped: 1 },
    },
  ];
  expect(judged(WELL, [], targets, CONFIGURED).problems).toEqual([
    { code: 'target_disabled', target: 'shop', sinceMs: NOW_MS - HOUR_MS, waiting: 3 },
    { code: 'dead_letter', target: 'old', rows: 4 },
    { code: 'dead_letter', target: 'shop', rows: 4 },
  ]);
});

test('a target whose oldest news is older than 15 minutes is late, unless `serve` is not there to send it', () => {
  const slow = {
    name: 'shop',
    present: true,
    disabledAtMs: null,
    heldUntilMs: null,
    lately: null,
    oldestOpenAtMs: NOW_MS - 900_001,
    states: { failing: 2 },
  };
  const targets = [slow, { ...slow, name: 'gone', present: false }, { ...slow, name: 'idle', oldestOpenAtMs: null }];
  expect(judged(WELL, [], targets, CONFIGURED).problems).toEqual([
    { code: 'forwarding_late', target: 'shop', rows: 2, sinceMs: NOW_MS - 900_001 },
  ]);
  const dead = { ...WELL, receivers: [process({ isGone: true })] };
  expect(judged(dead, [], targets, CONFIGURED).problems.map(({ code }) => code)).toEqual(['serve_not_running']);
});

test('deliveries that wait name who holds the lock, unless it is serve itself, which holds it for each of its transactions', () => {
  const holderBeside = (pid: number) => {
    const waits = { waiting: { deliveries: 5, sinceMs: NOW_MS - 60_000 }, lockHolder: { pid, program: 'sqlite3' } };
    return judged({ ...WELL, ...waits }, [], [], { ...CONFIGURED, serve: SERVE }).problems;
  };
  expect(holderBeside(4711)).toMatchObject([{ code: 'behind', holder: { pid: 4711, program: 'sqlite3' } }]);
  expect(holderBeside(SERVE.pid)).toMatchObject([{ code: 'behind', holder: null }]);
});

test('a target that takes less than comes falls behind, and by how much; a burst, a hold and one that catches up do not', () => {
  const latest = (agoMs: number, lastAgoMs = 0) => ({
    ...{ rows: 1_000, sinceMs: NOW_MS - agoMs, lastAtMs: NOW_MS - lastAgoMs },
  });
  // 75 a second come and it takes 30, for 200 s: of the first 80 s all are gone, 9,000 wait.
  const behind = {
    ...{ name: 'shop', present: true, disabledAtMs: null, heldUntilMs: null, states: { waiting: 9_000 } },
    ...{ oldestOpenAtMs: NOW_MS - 120_000, lately: { written: latest(13_333), taken: latest(33_333) } },
  };
  const { problems } = judged(WELL, [], [behind], CONFIGURED);
  expect(problems).toMatchObject([{ code: 'forwarding_behind', target: 'shop', rows: 9_000 }]);
  expect(problems).toMatchObject([{ comePerSecond: expect.closeTo(75, 1), takenPerSecond: expect.closeTo(30, 1) }]);
  for (const other of [
    { states: { waiting: 99 } },
    { oldestOpenAtMs: NOW_MS - 59_999 },
    { heldUntilMs: NOW_MS + 1 },
    { lately: { written: latest(13_333), taken: latest(13_000) } }, // it takes 77 a second
    { lately: { written: latest(60_000), taken: latest(33_333) } }, // all came at once, a minute ago
    { lately: { written: latest(13_333), taken: latest(90_000, 60_000) } }, // it takes none since a minute
    { lately: null },
    { present: false },
  ])
    expect(judged(WELL, [], [{ ...behind, ...other }], CONFIGURED).problems).toEqual([]);
  const late = { ...behind, oldestOpenAtMs: NOW_MS - 900_001, states: { waiting: 67_501 } };
  expect(judged(WELL, [], [late], CONFIGURED).problems.map(({ code }) => code)).toEqual(['forwarding_behind']);
  const none = { ...late, lately: { written: latest(13_333), taken: latest(1_000_000, 900_000) } };
  expect(judged(WELL, [], [none], CONFIGURED).problems.map(({ code }) => code)).toEqual(['forwarding_late']);
});

test('of checks that wait while a sweep is under way, the limits are named and not the sweep', () => {
  const held = {
    run: 1,
    cause: 'schedule',
    holder: 'serve',
    sinceMs: NOW_MS - HOUR_MS,
    untilMs: NOW_MS + MINUTE_MS,
  } as const;
  const next = (jobs: SystemState['jobs']) =>
    judged({ ...WELL, jobs, due: due(HOUR_MS) }, [], [], CONFIGURED).problems.map(
      (problem) => problemText(problem, { zone: 'UTC' }).next,
    );
  expect(next([job({ job: 'sweep' })])).toEqual(['tallyhook sweep --environment live']);
  expect(next([job({ job: 'sweep', held })])).toEqual([
    expect.stringMatching(/^Raise confirm\.perSecond and confirm\.concurrency/),
  ]);
});
