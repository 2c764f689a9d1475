import { describe, expect, it } from 'vitest';
import { Books } from '../../../../src/reconcile/matching/book.ts';
import { gapAtEnd, gapAtStart } from '../../../../src/reconcile/matching/file-gaps.ts';
import { type MatchRun, newFindings } from '../../../../src/reconcile/matching/run.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

/* October; days at its ends that no statement covers. A statement of the last five days may still be on its way. */

const OCTOBER = { from: '2026-10-01', until: '2026-10-31' };

function listed(
  check: typeof gapAtStart,
  covers: { readonly from: string; readonly to: string },
  { asAtDay = '2026-11-22', statesDays = true, lastDays = {} } = {},
) {
  const found = newFindings();
  const window = { ...OCTOBER, asAtDay };
  const run = {
    ...{ window, found, books: new Books(), late: { statements: new Set() } },
    lastDays: new Map(Object.entries(lastDays)),
  } as unknown as MatchRun;
  const account = { name: 'bank', environment: 'test', kind: 'bank' };
  const statement = { statement: 1, account, covers, statesDays } as unknown as StatementSummary;
  check(run, statement, 'NGN');
  return found.breaks.map(({ facts, firstSeen, place }) => [facts.detail, place?.names, firstSeen, place?.effect]);
}

describe('days that no statement covers', () => {
  it('at the beginning: named by the day of the opening', () => {
    expect(listed(gapAtStart, { from: '2026-10-05', to: '2026-10-31' })).toEqual([
      ['no statement covers 2026-10-01 to 2026-10-04', '2026-10-05', '2026-10-04', 0n],
    ]);
    expect(listed(gapAtStart, { from: '2026-10-01', to: '2026-10-31' })).toEqual([]);
    expect(listed(gapAtStart, { from: '2026-09-20', to: '2026-10-31' })).toEqual([]);
  });

  it('at the end: named by the end of the period', () => {
    expect(listed(gapAtEnd, { from: '2026-10-01', to: '2026-10-30' })).toEqual([
      ['no statement covers 2026-10-31', '2026-10-31', '2026-10-31', 0n],
    ]);
    expect(listed(gapAtEnd, { from: '2026-10-01', to: '2026-11-02' })).toEqual([]);
  });

  it('not where files do not state their days', () => {
    expect(listed(gapAtStart, { from: '2026-10-05', to: '2026-10-31' }, { statesDays: false })).toEqual([]);
    expect(listed(gapAtEnd, { from: '2026-10-01', to: '2026-10-20' }, { statesDays: false })).toEqual([]);
  });

  it('at the end not after the last day of an account that was given up', () => {
    const covers = { from: '2026-10-01', to: '2026-10-20' };
    expect(listed(gapAtEnd, covers, { lastDays: { bank: '2026-10-20' } })).toEqual([]);
    expect(listed(gapAtEnd, covers, { lastDays: { bank: '2026-10-22' } })).toEqual([
      ['no statement covers 2026-10-21 to 2026-10-22', '2026-10-31', '2026-10-22', 0n],
    ]);
    // A statement of later days shows that it goes on.
    expect(listed(gapAtEnd, covers, { lastDays: { bank: '2026-10-19' } })).toHaveLength(1);
    expect(listed(gapAtEnd, covers, { lastDays: { other: '2026-10-20' } })).toHaveLength(1);
  });

  it('not of the five days before the as-at time, and those alone are named that are older', () => {
    const covers = { from: '2026-10-01', to: '2026-10-20' };
    expect(listed(gapAtEnd, covers, { asAtDay: '2026-10-26' })).toEqual([]);
    expect(listed(gapAtEnd, covers, { asAtDay: '2026-10-27' })).toEqual([
      ['no statement covers 2026-10-21', '2026-10-31', '2026-10-21', 0n],
    ]);
    expect(listed(gapAtEnd, covers, { asAtDay: '2026-11-01' })).toEqual([
      ['no statement covers 2026-10-21 to 2026-10-26', '2026-10-31', '2026-10-26', 0n],
    ]);
  });
});
