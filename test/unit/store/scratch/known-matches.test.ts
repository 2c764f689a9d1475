import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scratch } from '../../../../src/store/scratch/scratch.ts';
import { ourRow, theirLine } from '../../../support/matching/groups.ts';
import { putLine, putRow, take } from '../../../support/matching/scratch.ts';

/* What a run hands to the store: the matches that are not kept, and those that it no longer finds. */

const DAYS = { from: '2026-01-01', until: '2026-12-31' };
const LEGS = ['records-wallet'];

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  scratch.setSides([], [], null);
});
afterEach(() => scratch.close());

/** Lines that the run matched with rows of ours, by their references. */
function found(...references: readonly string[]): number[] {
  const lines = references.map((reference, index) => {
    const row = putRow(scratch, { ...ourRow('payout', 'completed', { amount: '100.00' }), reference });
    const line = putLine(scratch, theirLine('payout', '-100.00', { row: index + 2 }), { kind: 'payout' });
    take(scratch, line, row);
    return line;
  });
  scratch.passes.finish();
  scratch.matches.nameLegs(LEGS);
  return lines;
}

/** As the engine puts in what is kept. */
function kept(
  ...matches: readonly {
    readonly id: number;
    readonly line: number;
    readonly reference: string;
    readonly leg?: string;
  }[]
) {
  const insert = scratch.database.prepare(`
    INSERT INTO known (id, line, leg, kind, reference, pass, state)
    VALUES (@id, @line, @leg, 'payout', @reference, 'reference', 'confirmed')`);
  for (const match of matches) insert.run({ leg: LEGS[0], ...match });
}

function difference() {
  const added = [...scratch.matches.added()].flat();
  return {
    added: added.map(({ reference }) => reference),
    ended: [...scratch.matches.ended(DAYS, added.length)].flat(),
  };
}

describe('of the matches of a run', () => {
  it('all are handed over where none is kept', () => {
    const [line] = found('A');
    expect([...scratch.matches.added()].flat()).toEqual([
      {
        ...{ leg: 'records-wallet', lineId: line, kind: 'payout', recordId: 1, reference: 'A' },
        ...{ pass: 'reference', state: 'confirmed' },
      },
    ]);
  });

  it('none is handed over, and none ends, where all are kept', () => {
    const [one = 0, two = 0] = found('A', 'B');
    kept({ id: 1, line: one, reference: 'A' }, { id: 2, line: two, reference: 'B' });
    expect(difference()).toEqual({ added: [], ended: [] });
  });

  it('another one of the same line is handed over, and the kept one ends, although they are as many', () => {
    const [one = 0, two = 0] = found('A', 'B');
    kept({ id: 1, line: one, reference: 'A' }, { id: 2, line: two, reference: 'C' });
    expect(difference()).toEqual({ added: ['B'], ended: [2] });
  });

  it('one of another leg is another one', () => {
    const [one = 0] = found('A');
    kept({ id: 1, line: one, reference: 'A', leg: 'records-ledger' });
    expect(difference()).toEqual({ added: ['A'], ended: [1] });
  });

  it('a kept one ends that nothing takes the place of', () => {
    const [one = 0] = found('A');
    kept({ id: 1, line: one, reference: 'A' }, { id: 2, line: one, reference: 'B' });
    expect(difference()).toEqual({ added: [], ended: [2] });
  });

  it('all are handed over again, and all kept ones of the days end, where they are kept anew', () => {
    const [one = 0] = found('A');
    kept({ id: 1, line: one, reference: 'A' });
    scratch.matches.outdate(DAYS);
    expect(difference()).toEqual({ added: ['A'], ended: [1] });
  });
});
