import { expect, test } from 'vitest';
import { Readiness } from '../../../src/serve/readiness.ts';
import { StoreError, type StoreFault } from '../../../src/store/error.ts';

const clockAt = (nowMs: number) => ({ nowMs: () => nowMs });
const met = (fault: StoreFault) => new StoreError(fault, 'It failed.', { hint: 'Mend it.' });

test('at most five log lines per minute and fault', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock, () => null);
  expect(Array.from({ length: 7 }, () => readiness.failed('disk_full', clock.ms))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(readiness.failed('busy', clock.ms)).toBe(true);
  clock.ms = 60_000;
  expect(readiness.failed('disk_full', clock.ms)).toBe(true);
});

test('not ready from a delivery that was not kept until one is kept, or ten seconds have passed', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock, () => null);
  expect(readiness.reason()).toBeNull();
  readiness.failed('disk_full', clock.ms);
  expect(readiness.reason()).toBe('deliveries are not kept: disk_full');
  clock.ms = 10_001;
  expect(readiness.reason()).toBeNull();
  readiness.failed('queue_full', clock.ms);
  readiness.written();
  expect(readiness.reason()).toBeNull();
});

test.each(['busy', 'backlog_full'])(
  'not ready while the log refuses as %s, however long no delivery comes',
  (fault) => {
    const clock = { ms: 0, nowMs: () => clock.ms };
    const readiness = new Readiness(clock, () => null);
    readiness.failed(fault, clock.ms);
    clock.ms = 60_000;
    readiness.booksGoOn('carrying out');
    expect(readiness.reason()).toBe(`deliveries are not kept: ${fault}`);
    readiness.keepsAgain();
    expect([readiness.reason(), readiness.outage()?.keptAgainAtMs]).toEqual([null, 60_000]);
    readiness.failed(fault, clock.ms);
    readiness.failed('queue_full', clock.ms);
    clock.ms += 10_001;
    expect(readiness.reason()).toBeNull();
  },
);

test('not ready while the books meet the fault of the disk that refused the latest delivery', () => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock, () => null);
  readiness.booksFailed('carrying out', met('disk_full'));
  expect(readiness.reason()).toBeNull(); // the log may have room of its own
  readiness.failed('disk_full', clock.ms);
  clock.ms = 60_000;
  expect(readiness.reason()).toBe('deliveries are not kept: disk_full');
  readiness.booksFailed('carrying out', met('busy'));
  expect(readiness.reason()).toBeNull();
  readiness.booksFailed('carrying out', met('disk_full'));
  readiness.booksGoOn('carrying out');
  expect(readiness.reason()).toBeNull();
});

test('a delivery that is refused because serve stops is no outage', () => {
  const readiness = new Readiness(clockAt(0), () => null);
  readiness.failed('closing', 0);
  expect([readiness.reason(), readiness.outage()]).toEqual([null, null]);
});

test('a fresh start is ready', () => {
  expect(new Readiness(clockAt(0), () => null).reason()).toBeNull();
});

test.each([
  ['a full disk that kept a small delivery: the outage goes on', 'disk_full', 0, 1, null],
  ['the disk has room again', 'disk_full', 2 ** 30, 1, 1],
  ['another fault, on a full disk', 'busy', 0, 1, 1],
  ['a full disk, and no delivery was refused for ten seconds', 'disk_full', 0, 10_000, 1],
])('the outage that is reported: %s', (_, fault, freeBytes, nowMs, keptAgainAtMs) => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock, () => ({ freeBytes, totalBytes: 2 ** 40, freeFiles: null }));
  readiness.failed(fault, clock.ms);
  clock.ms = 1;
  readiness.written();
  clock.ms = nowMs;
  expect(readiness.outage()).toEqual({ fault, fromMs: 0, lastAtMs: 0, deliveries: 1, keptAgainAtMs });
  expect(readiness.reason()).toBeNull();
});

test.each([
  ['a full disk', 'disk_full', 1],
  ['a disk that was read-only', 'read_only', 1],
  ['a log that another program locks', 'busy', null],
  ['a log that is as large as it may be', 'backlog_full', null],
])('books that take writes again end the outage of %s or not', (_, fault, keptAgainAtMs) => {
  const clock = { ms: 0, nowMs: () => clock.ms };
  const readiness = new Readiness(clock, () => null);
  readiness.failed(fault, clock.ms);
  clock.ms = 1;
  readiness.booksGoOn('carrying out');
  expect(readiness.outage()?.keptAgainAtMs).toBe(keptAgainAtMs);
  readiness.written();
  expect(readiness.outage()?.keptAgainAtMs).toBe(1);
});

test.each([
  'cluster_refused',
  'cluster_unreachable',
  'cluster_unsafe',
  'cluster_unconfirmed',
  'diverged',
  'beside_log',
  'fell_behind',
  'audit_key',
] as const)(
  'a node that cannot go on by %s says why and what to do, until it does, whatever it keeps and whatever other work goes on',
  (fault) => {
    const readiness = new Readiness(clockAt(0), () => null);
    readiness.booksFailed('carrying out', met(fault));
    readiness.booksFailed('signs of life', met('busy'));
    readiness.booksGoOn('signs of life');
    readiness.written();
    expect(readiness.reason()).toBe('this node cannot go on: It failed. Mend it.');
    readiness.booksGoOn('carrying out');
    expect(readiness.reason()).toBeNull();
    readiness.booksFailed('opening', met(fault)); // it may receive before its database is open
    expect(readiness.outage()).toBeNull();
    readiness.booksFailed('carrying out', met(fault));
    readiness.failed(fault, 0);
    readiness.booksGoOn('opening');
    expect(readiness.reason()).toContain('this node cannot go on');
    readiness.booksGoOn('carrying out'); // no delivery has to show that they are kept again
    expect([readiness.reason(), readiness.outage()?.keptAgainAtMs]).toEqual([null, 0]);
  },
);
