import fc from 'fast-check';
import { expect, test } from 'vitest';
import { follow } from '../../../cli/commands/events/follow.ts';
import { type Cursor, walk } from '../../../src/store/cursor.ts';
import type { EventSummary } from '../../../src/store/events.ts';
import { FixedClock } from '../../support/fixed-clock.ts';
import { type EndRule, type EventWalks, walksOverIds } from './late-commits.ts';

/*
 * Readers beside transactions that take their ids in one order and commit in another, as an engine with several writers has
 * them. The steps happen between any two calls of the reader.
 */

/** `begin` takes the next id; `commit` names one of the open transactions. */
type Step = { readonly do: 'begin' } | { readonly do: 'commit'; readonly which: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(fc.constant({ do: 'begin' } as const), fc.record({ do: fc.constant('commit' as const), which: fc.nat(5) })),
  { maxLength: 60 },
);
const limits = fc.integer({ min: 1, max: 4 });

class LateCommits {
  readonly committed = new Set<number>();
  readonly #open: number[] = [];
  readonly #steps: Step[];
  #lastId = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = [...steps];
  }

  /** The walks of this engine; at each call one more step happens first. */
  walks(rule: EndRule): EventWalks {
    const ids = async () => {
      this.step();
      return this.committed;
    };
    return walksOverIds(rule, ids, async (_filter, afterId, untilId, limit) => {
      this.step();
      const found = [...this.committed].filter((id) => id > afterId && id <= untilId).toSorted((a, b) => a - b);
      return found.slice(0, limit).map((id) => ({ id }) as EventSummary);
    });
  }

  step(): void {
    const step = this.#steps.shift();
    if (step?.do === 'begin') this.#open.push(++this.#lastId);
    else if (step?.do === 'commit') this.#commit(step.which);
  }

  /** The steps are over: commits what is open. True when that was so already. */
  settle(): boolean {
    if (this.#steps.length > 0) return false;
    const wasSettled = this.#open.length === 0;
    while (this.#open.length > 0) this.#commit(this.#open.length - 1);
    return wasSettled;
  }

  #commit(which: number): void {
    for (const id of this.#open.splice(which % Math.max(1, this.#open.length), 1)) this.committed.add(id);
  }
}

type Reader = (engine: LateCommits, rule: EndRule, limit: number) => Promise<number[]>;

/** Walks from the place of the last walk to the end, again and again, as an export that is continued. */
const continuedWalks: Reader = async (engine, rule, limit) => {
  const seen: number[] = [];
  const { eventEnd, nextEvents } = engine.walks(rule);
  let place: Cursor | null = null;
  for (let last = false; ; last = engine.settle()) {
    const until = await eventEnd();
    for await (const step of walk((stretch) => nextEvents({}, stretch), { after: place, until, limit })) {
      seen.push(...step.events.map(({ id }) => id));
      place = step.place;
    }
    if (last) return seen;
  }
};

/** `events tail`. It ends after some time in which nothing happens. */
const tail: Reader = async (engine, rule) => {
  const seen: number[] = [];
  const [clock, stop] = [new FixedClock(), new AbortController()];
  let quietMs = 0;
  const sleep = async (ms: number) => {
    await clock.sleep(ms);
    engine.step();
    quietMs = engine.settle() ? quietMs + ms : 0;
    if (quietMs > 10_000) stop.abort();
  };
  const parts = { archive: engine.walks(rule), signal: stop.signal, sleep };
  for await (const { id } of follow({}, null, parts)) seen.push(id);
  return seen;
};

const readers: [string, Reader][] = [
  ['walks that continue one another', continuedWalks],
  ['events tail', tail],
];

const everyEventOnce = (reader: Reader, rule: EndRule) =>
  fc.asyncProperty(steps, limits, async (happens, limit) => {
    const engine = new LateCommits(happens);
    const seen = await reader(engine, rule, limit);
    expect(seen.toSorted((a, b) => a - b)).toEqual([...engine.committed].toSorted((a, b) => a - b));
  });

test.each(readers)(
  '%s: behind the oldest open transaction nothing is missed and nothing comes twice',
  (_name, reader) => fc.assert(everyEventOnce(reader, 'behind the oldest open'), { numRuns: 1_000 }),
);

test.each(readers)('%s: after the last id an event is missed', async (_name, reader) => {
  const { failed } = await fc.check(everyEventOnce(reader, 'after the last'), { numRuns: 1_000 });
  expect(failed).toBe(true);
});

test('the smallest case: two begin, the second commits and is read, then the first commits', async () => {
  const happens: Step[] = [{ do: 'begin' }, { do: 'begin' }, { do: 'commit', which: 1 }];
  const seen = async (rule: EndRule) => {
    const engine = new LateCommits(happens);
    for (const _ of happens) engine.step();
    return continuedWalks(engine, rule, 10);
  };
  expect([await seen('after the last'), await seen('behind the oldest open')]).toEqual([[2], [1, 2]]);
});
