import { expect, test } from 'vitest';
import { screenOf, statusLines } from '../../../../../cli/commands/status/screen.ts';
import { loadConfig } from '../../../../../src/config/load.ts';
import type { Look } from '../../../../../src/confirm/look.ts';
import type { Problem } from '../../../../../src/confirm/problem.ts';
import { ENVIRONMENTS } from '../../../../../src/domain/environment.ts';
import { EVENT_KINDS } from '../../../../../src/domain/events/event.ts';
import { JOB_NAMES } from '../../../../../src/domain/jobs/job.ts';
import { TEST_KEY_ENV } from '../../../../support/signer.ts';

const NOW_MS = Date.parse('2026-11-20T21:52:00Z');
const DAY_MS = 86_400_000;
const NAMES = ['serve', 'live', 'test', 'refused', 'due', 'stuck', 'findings', 'backup', 'disk', 'keys', 'jobs'];
const config = loadConfig({ env: TEST_KEY_ENV, cwd: '/' });

const last = {
  ...({ run: 1, cause: 'schedule', holder: 'serve', plannedAtMs: null, startedAtMs: NOW_MS - DAY_MS } as const),
  ...({ finishedAtMs: NOW_MS, outcome: 'failed', detail: 'the disk is full: no space left on it '.repeat(4) } as const),
};
const jobs = JOB_NAMES.map((job) => ({
  ...{ job, schedule: config.schedule[job], zone: config.schedule.timeZone, nextRunAtMs: NOW_MS + DAY_MS },
  ...{ held: null, freeSinceMs: null, last, doneAtMs: NOW_MS - DAY_MS },
}));
const receiver = {
  ...{ holder: `serve on ${'a-long-name-'.repeat(9)}, process 7`, pid: 7, startedAtMs: NOW_MS - DAY_MS },
  ...{ seenAtMs: NOW_MS, stoppedAtMs: null, isGone: false, isThere: false },
};
const channel = {
  ...{ kind: 'refund', silentForMs: DAY_MS, usualGapMs: 1_000, sweepShare: 1, repaired: 30 },
} as never;
const run = (environment: 'live' | 'test') => ({
  ...({ environment, likeness: 'signed', count: 12, firstAtMs: NOW_MS - DAY_MS, lastAtMs: NOW_MS } as const),
  ...{ reason: 'payload_signature_mismatch', path: '/webhooks/live' },
});

/** Each problem, in each environment and of each job. */
const ALL: readonly Problem[] = [
  { code: 'damaged', damage: ['row 7 of events differs from its sum', 'row 8 of events, too'] },
  { code: 'serve_not_running', last: receiver },
  { code: 'disk_low', disk: { freeBytes: 100_000_000, totalBytes: 50_000_000_000, freeFiles: 9 }, shortage: 'low' },
  { code: 'keys_missing', environment: null },
  ...ENVIRONMENTS.flatMap((environment): Problem[] => [
    { code: 'deliveries_refused', environment, run: run(environment) },
    { code: 'keys_missing', environment },
    { code: 'key_refused', environment, records: 1_204 },
    { code: 'silent', environment, channel },
    { code: 'sweep_share', environment, channel },
    { code: 'checks_overdue', environment, records: 3_456, oldestDueAtMs: NOW_MS - DAY_MS, isSwept: false },
    { code: 'key_expires', environment, keyId: `${environment}-1`, atMs: NOW_MS + DAY_MS },
  ]),
  ...jobs.map((job): Problem => ({ code: 'job_failed', job })),
  ...jobs.map((job): Problem => ({ code: 'job_overdue', job, lateMs: DAY_MS })),
  { code: 'stuck', records: 10_000, atLeast: true },
  { code: 'findings', open: 7, codes: new Map([['tie', 7]]) },
];

const seen = (problems: readonly Problem[]): Look => ({
  problems,
  eclipsed: [],
  serve: null,
  keyPairs: config.keyPairs,
  channels: [],
  unproven: [],
  targets: [],
  system: {
    ...{
      nowMs: NOW_MS,
      receivers: [receiver, { ...receiver, pid: 8 }],
      waiting: { deliveries: 9_000, sinceMs: NOW_MS - 90_000 },
      aside: { deliveries: 0, sinceMs: null },
      lockHolder: null,
      keyRefused: [],
      serviceFailing: [],
      jobs,
      alerts: [],
    },
    arrivals: ENVIRONMENTS.flatMap((environment) =>
      EVENT_KINDS.map((kind) => ({ environment, kind, deliveries: 9, lastAtMs: 0, gapSum: 0, gapSquares: 0 })),
    ),
    refused: { count: 9, lastAtMs: NOW_MS - DAY_MS, notKept: { count: 3, lastAtMs: NOW_MS - DAY_MS }, runs: [] },
    due: [{ environment: 'live', kind: 'refund', records: 3, oldestDueAtMs: NOW_MS - DAY_MS }],
    findings: (['tie', 'variant', 'absent', 'stuck', 'regression', 'amount_mismatch'] as never[]).map((code) => ({
      ...({ environment: 'live', kind: 'refund', code, open: 1_000 } as const),
    })),
    stuck: [{ environment: 'live', kind: 'refund', records: 5_000 }],
    stuckAtLeast: true,
    storage: { databaseBytes: 1, logBytes: 0, disk: { freeBytes: 1, totalBytes: 2, freeFiles: 9 } },
    soundness: { damage: [], finishedAtMs: NOW_MS },
  },
});

const TERMINAL = screenOf({ isTTY: true, rows: 24, columns: 80 });

test.each([0, 1, 2, 3, 5, 8, 12, ALL.length])(
  'of %d problems a terminal of 24 × 80 shows what fits, and every fact',
  (n) => {
    const lines = statusLines(seen(ALL.slice(0, n)), config, TERMINAL);
    expect(lines.length).toBeLessThanOrEqual(23); // one is the cursor's
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const named = lines.flatMap((line) => /^[a-z]+/.exec(line)?.[0] ?? []);
    expect(named.toSorted()).toEqual(NAMES.toSorted());
    const shown = lines.filter((line) => line.startsWith('- ')).length;
    const rest = Number(/^… and (\d+) more: tallyhook status --json$/m.exec(lines.join('\n'))?.[1] ?? 0);
    expect(shown + rest).toBe(n);
    expect(shown).toBeGreaterThanOrEqual(Math.min(n, 8));
    if (n > 0) expect(lines[1]).toMatch(/^- The database is damaged: row 7/);
  },
);

test('few problems have what to do next, the first ones before the others', () => {
  const next = (n: number) =>
    statusLines(seen(ALL.slice(0, n)), config, TERMINAL).filter((line) => line.startsWith('  → '));
  expect(next(2)).toEqual(['  → tallyhook doctor', '  → Start it: tallyhook serve']);
  expect(next(8)[0] ?? '  → tallyhook doctor').toBe('  → tallyhook doctor');
});

test('a larger terminal shows more, and a file or pipe all of it, uncut', () => {
  const large = statusLines(seen(ALL), config, screenOf({ isTTY: true, rows: 50, columns: 200 }));
  expect(large.length).toBeGreaterThan(30);
  expect(large.length).toBeLessThanOrEqual(49);
  const piped = statusLines(seen(ALL), config, screenOf({}));
  expect(piped).toHaveLength(1 + 2 * ALL.length + 1 + NAMES.length);
  expect(piped.join('\n')).not.toContain('…');
});

test('beside records that wait, and no address to ask, nothing is called well', () => {
  const [verdict] = statusLines(seen([]), { ...config, baseUrl: null }, TERMINAL);
  expect(verdict).toBe('Nothing is confirmed: 3 records wait, and baseUrl is not set.');
});
