import { describe, expect, test } from 'vitest';
import { someOf } from '../../support/random-runs.ts';
import { ENGINES, type Engine } from './engines.ts';
import { GUARANTEES } from './guarantees/all.ts';
import { World } from './world.ts';
import { lateCommits, lostLock, ownClock } from './wrong-engines.ts';

// The suite is worth as much as the engines that it refuses. That the right one keeps the same guarantees, the suite proves.

interface Refusal {
  readonly fault: string;
  readonly wrong: (engine: Engine) => Engine;
  readonly group: string;
  /** The guarantees of the group that it breaks. */
  readonly guarantees: readonly string[];
}

const WRONG_CURSOR = {
  fault: 'ids committed out of order and cursors after the last id',
  wrong: (engine: Engine) => lateCommits(engine, 'after the last'),
};
const OWN_CLOCK = { fault: 'a clock of its own', wrong: ownClock };
const LOST_LOCK = { fault: 'a lost lock', wrong: lostLock };

const REFUSALS: readonly Refusal[] = [
  {
    ...WRONG_CURSOR,
    group: 'walks',
    guarantees: ['a reader that follows two receiving processes misses nothing and sees nothing twice'],
  },
  {
    ...OWN_CLOCK,
    group: 'leases',
    guarantees: [
      'a due record is leased once, whichever process asks',
      'a lease that is over frees the record, with a higher counter, for another process',
      'a check that is finished under a stale counter writes nothing',
      'a check that is finished after its lease writes nothing, although no other process has leased it',
    ],
  },
  {
    ...OWN_CLOCK,
    group: 'checks',
    guarantees: [
      'news makes a record due by the clock of the store, not by that of the receiver',
      'after a check the next due time counts from the clock of the store when it was finished',
      'the confirmed status is that of the latest answer, as old as the clock of the store says',
    ],
  },
  {
    ...OWN_CLOCK,
    group: 'jobs',
    guarantees: [
      'a job is planned from now by the clock of the store, in its own zone',
      'a job is leased when its planned time has come, once, and only where it is named',
      'a run whose lease is over is lost, and the job runs again',
    ],
  },
  {
    ...OWN_CLOCK,
    group: 'tracking',
    guarantees: ['a date passes by the clock of the store, once: a finding, which the first observation closes'],
  },
  {
    ...OWN_CLOCK,
    group: 'statements',
    guarantees: [
      'a statement shows from its end on, whole, and nothing of it before',
      'imports into one account exclude each other, and each chunk renews the lease',
    ],
  },
  {
    ...OWN_CLOCK,
    group: 'matching',
    guarantees: [
      'a run shows from its end on, whole, and nothing of it before',
      'the last word on a pair counts, with who said it and when',
    ],
  },
  { ...LOST_LOCK, group: 'matching', guarantees: ['of two runs that begin at the same time one is written'] },
  { ...LOST_LOCK, group: 'statements', guarantees: ['of two processes that begin at the same time, one imports'] },
  {
    ...LOST_LOCK,
    group: 'leases',
    guarantees: ['two processes that lease at the same time never get the same record'],
  },
  { ...LOST_LOCK, group: 'jobs', guarantees: ['of two processes that lease a job at the same time, one gets it'] },
  {
    ...LOST_LOCK,
    group: 'records',
    guarantees: ['two processes that observe one record at the same time lose no observation'],
  },
];

/** Of the named guarantees of a group, those that are false of an engine. Another error than a broken guarantee is thrown. */
async function refusedBy(group: string, names: readonly string[], engine: Engine): Promise<string[]> {
  const refused: string[] = [];
  for (const name of names) {
    const guarantee = GUARANTEES[group]?.find((one) => one.guarantee === name);
    if (guarantee === undefined) throw new Error(`There is no guarantee ${JSON.stringify(name)} about ${group}.`);
    await World.prove(guarantee, engine).catch((error: Error) => {
      if (error.name !== 'AssertionError') throw error;
      refused.push(name);
    });
  }
  return refused;
}

describe.each(someOf(1, ENGINES))('$name', (engine) => {
  const refusals = REFUSALS.filter(({ fault }) => !(engine.hasSharedLog && fault === 'a clock of its own'));
  test.each(refusals)('with $fault is refused by guarantees about $group', async ({ wrong, group, guarantees }) => {
    expect(await refusedBy(group, guarantees, wrong(engine))).toEqual(guarantees);
  });

  test('with ids committed out of order is right when its cursors end behind the oldest open transaction', async () => {
    const right = lateCommits(engine, 'behind the oldest open');
    const names = (GUARANTEES.walks ?? []).map(({ guarantee }) => guarantee);
    // Bodies and places of this engine are not what was changed.
    const changed = names.filter((name) => !/bodies|another engine/.test(name));
    expect(changed.length).toBeGreaterThan(8);
    expect(await refusedBy('walks', changed, right)).toEqual([]);
  });
});
