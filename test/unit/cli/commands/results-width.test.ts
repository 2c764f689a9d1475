import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { printBackfill } from '../../../../cli/commands/backfill/text.ts';
import { printSweep } from '../../../../cli/commands/sweep/text.ts';

const COLUMNS = 50;
const { isTTY, columns } = process.stdout;
let written = '';
beforeEach(() => {
  written = '';
  Object.assign(process.stdout, { isTTY: true, columns: COLUMNS });
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written += chunk;
    return true;
  });
});
afterEach(() => {
  Object.assign(process.stdout, { isTTY, columns });
  vi.restoreAllMocks();
});

const words = () => written.split(/\s+/).filter((word) => word !== '');
const longest = () => Math.max(...written.split('\n').map((line) => line.length));

test('the result of a sweep is wrapped at spaces on a narrow terminal', () => {
  const counts = {
    checked: 1_000,
    confirmed: 900,
    changed: 10,
    settled: 5,
    repaired: 3,
    disagreed: 1,
    stuck: 2,
    late: 7,
  };
  printSweep({
    ...counts,
    failed: { unproven: 3 },
    overdue: 4,
    stillDue: 9,
    withoutKey: 2,
    stopped: null,
    tookMs: 61_000,
  });
  expect(longest()).toBeLessThanOrEqual(COLUMNS);
  expect(words()).toEqual(expect.arrayContaining(['collectionPath', 'payoutPath', 'lease']));
  expect(written).toContain('9 still due\n');
});

test('so is that of a backfill', () => {
  const walk = {
    environment: 'live',
    outcome: 'complete',
    detail: null,
    sinceMs: Date.parse('2026-11-01T00:00:00Z'),
    firstPage: '',
    pages: 10,
    rows: 1_000,
    created: 2,
    createdReferences: ['RFD_0123456789ABCDEF0123456789ABCDEF0123456789', 'R2'],
    known: 998,
    news: 14,
    older: 3,
    unreadable: 1,
    missed: 2,
    absent: 1,
    tookMs: 61_000,
  } as const;
  printBackfill({ dryRun: false, walks: [walk] });
  expect(longest()).toBeLessThanOrEqual(COLUMNS);
  expect(written).toMatch(/^live: 1000 rows on 10 pages in 1 min.*\n/);
  expect(written).toContain('  RFD_0123456789ABCDEF0123456789ABCDEF0123456789\n  R2\n');
});
