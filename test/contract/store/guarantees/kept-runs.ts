import { expect } from 'vitest';
import { RUN_LEASE_MS } from '../../../../src/domain/jobs/process-lease.ts';
import {
  MOST_BREAKS_KEPT,
  MOST_MATCHES_ENDED,
  MOST_MATCHES_KEPT,
  RUNS_WITH_BREAKS,
} from '../../../../src/store/runs.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { digestOf, imported } from '../importing.ts';
import { begunRun, breakOf, broken, cleared, matched, matchIds, matchOf, runOf, wholeRun } from '../matching.ts';
import type { Guarantee } from '../world.ts';

/** A run shows whole or not at all, and one run at a time is written. */
export const KEPT_RUNS: readonly Guarantee[] = [
  {
    guarantee: 'a run shows from its end on, whole, and nothing of it before',
    async prove(world) {
      await imported(world.here, 'ab');
      await wholeRun(world.here, { matches: [await matchOf(world.here, 'a')], breaks: [breakOf('b')] });
      const [old = 0] = await matchIds(world.here);
      const { runs } = await world.here.operations();
      const archive = await world.there.archive();
      const run = await begunRun(world.here, { to: '2026-12-31', environment: 'test', account: 'wallet' });
      const seen = async () => [
        (await archive.lastRun())?.run,
        (await archive.run(run))?.run,
        await matched(world.there),
        (await broken(world.there)).map(({ reference }) => reference),
        (await archive.runs({ limit: 10, order: 'newest' })).length,
        (await archive.match(old))?.endedIn,
        await archive.countBreaks({ run }),
        await archive.breakOf(breakOf('c').id),
      ];
      const before = [1, undefined, ['a'], ['b'], 1, null, 0, null];
      await runs.keepMatches({ run, matches: [await matchOf(world.here, 'b')] });
      await runs.endMatches({ run, ids: [old] });
      await runs.keepBreaks({ run, breaks: [breakOf('c')] });
      expect(await seen()).toEqual(before);
      world.clock.ms += 5;
      await runs.finishRun({ run, report: '{"from":"2026-11-01"}' });
      expect((await seen()).slice(0, 7)).toEqual([run, run, ['b'], ['c'], 2, run, 1]);
      expect(await archive.lastRun()).toEqual({
        ...runOf({ to: '2026-12-31', environment: 'test', account: 'wallet' }),
        run,
        carriedOut: expect.any(Number),
        begunAtMs: START_MS,
        finishedAtMs: START_MS + 5,
        breaks: 1,
        report: '{"from":"2026-11-01"}',
      });
      expect((await archive.runs({ limit: 1, order: 'newest', afterId: run })).map((one) => one.run)).toEqual([1]);
    },
  },
  {
    guarantee: 'a second run is refused while another is written, and begins once that one ended or was given up',
    async prove(world) {
      const { runs } = await world.here.operations();
      const first = await begunRun(world.here);
      await expect(begunRun(world.there)).rejects.toMatchObject({
        fault: 'busy',
        message: expect.stringContaining(new Date(START_MS).toISOString()),
      });
      await runs.finishRun({ run: first, report: '{}' });
      const second = await begunRun(world.there);
      await runs.abandonRun({ run: second });
      const third = await begunRun(world.here);
      expect([second, third]).toEqual([first + 1, first + 2]);
      await runs.abandonRun({ run: first }); // whole: it stays
      expect((await (await world.there.archive()).lastRun())?.run).toBe(first);
    },
  },
  {
    guarantee: 'of two runs that begin at the same time one is written',
    async prove(world) {
      const both = [await world.here.operations(), await world.there.operations()];
      const begun = await Promise.allSettled(both.map(({ runs }) => runs.beginRun(runOf())));
      expect(begun.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    },
  },
  {
    guarantee: 'a silent run is taken over when its lease is over, counts for nothing, and cannot go on',
    async prove(world) {
      const { runs } = await world.here.operations();
      await imported(world.here, 'ab');
      await wholeRun(world.here, { matches: [await matchOf(world.here, 'a')] });
      const [old = 0] = await matchIds(world.here);
      const dead = await begunRun(world.here);
      const lost = { run: dead, matches: [await matchOf(world.here, 'b')] };
      world.clock.ms += RUN_LEASE_MS - 1;
      await runs.keepMatches(lost);
      await runs.endMatches({ run: dead, ids: [old] });
      await runs.keepBreaks({ run: dead, breaks: [breakOf('x')] });
      world.clock.ms += RUN_LEASE_MS - 1;
      await expect(begunRun(world.there)).rejects.toMatchObject({ fault: 'busy' });
      world.clock.ms += 1;
      const next = await begunRun(world.there);
      for (const late of [
        runs.keepMatches(lost),
        runs.endMatches({ run: dead, ids: [old] }),
        runs.keepBreaks({ run: dead, breaks: [breakOf('x')] }),
        runs.finishRun({ run: dead, report: '{}' }),
      ]) {
        await expect(late).rejects.toThrow(/not being written any more/);
      }
      await (await world.there.operations()).runs.finishRun({ run: next, report: '{}' });
      expect([await matched(world.here), await broken(world.here)]).toEqual([['a'], []]);
      expect(await cleared(world.there)).toBe(1);
      expect(await matched(world.here)).toEqual(['a']);
      await wholeRun(world.here, { ended: [old] });
      expect(await matched(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'what a dead run left is cleared away beside a run that is written, which stays whole',
    async prove(world) {
      const { runs } = await world.there.operations();
      await imported(world.here, 'a');
      const match = await matchOf(world.here, 'a');
      const many = Array.from({ length: MOST_MATCHES_KEPT }, (_, n) => ({ ...match, reference: `dead ${n}` }));
      const breaks = Array.from({ length: MOST_BREAKS_KEPT }, (_, n) => breakOf(`dead ${n}`));
      const dead = await begunRun(world.here);
      await (await world.here.operations()).runs.keepMatches({ run: dead, matches: many });
      await (await world.here.operations()).runs.keepBreaks({ run: dead, breaks });
      world.clock.ms += RUN_LEASE_MS;
      const run = await begunRun(world.there);
      await runs.keepMatches({ run, matches: [match] });
      expect((await runs.clear()).done).toBe(false);
      await runs.keepBreaks({ run, breaks: [breakOf('y')] });
      expect(await cleared(world.here)).toBeGreaterThan(1);
      await runs.finishRun({ run, report: '{}' });
      expect(await cleared(world.here)).toBe(0);
      expect(await matched(world.there)).toEqual(['a']);
      expect((await broken(world.there)).map(({ reference }) => reference)).toEqual(['y']);
    },
  },
  {
    guarantee: 'breaks stay of the latest runs and of the last run of each scope; matches and figures stay of all',
    async prove(world) {
      await imported(world.here, 'a');
      const matches = [await matchOf(world.here, 'a')];
      const breaks = [breakOf('x')];
      const other = await wholeRun(world.here, { breaks }, { account: 'bank' });
      const numbers: number[] = [];
      for (let n = 0; n <= RUNS_WITH_BREAKS + 1; n++) {
        numbers.push(await wholeRun(world.here, { matches: n === 0 ? matches : [], breaks }));
      }
      await cleared(world.there);
      const kept = await Promise.all(numbers.map(async (run) => (await broken(world.here, run)).length));
      expect(kept).toEqual([0, 0, ...Array.from({ length: RUNS_WITH_BREAKS }, () => 1)]);
      expect(await broken(world.here, other)).toHaveLength(1);
      const archive = await world.here.archive();
      expect(await archive.run(numbers[0] ?? 0)).toMatchObject({ breaks: 1 });
      expect(await matched(world.here)).toEqual(['a']);
    },
  },
  {
    guarantee: 'each run has the rules that it used, also when their name stands for another text later',
    async prove(world) {
      const rules = { name: 'standard', digest: digestOf('others'), text: 'version: 2\n' };
      const numbers = [await wholeRun(world.here, {}), await wholeRun(world.here, {}, { rules })];
      const archive = await world.there.archive();
      const used = await Promise.all(numbers.map(async (run) => (await archive.run(run))?.rules));
      expect(used).toEqual([runOf().rules, rules]);
    },
  },
  {
    guarantee: 'a call with more rows than it may have is refused, and writes nothing',
    async prove(world) {
      const { runs } = await world.here.operations();
      await imported(world.here, 'a');
      const match = await matchOf(world.here, 'a');
      const run = await begunRun(world.here);
      const matches = Array.from({ length: MOST_MATCHES_KEPT + 1 }, () => match);
      const breaks = Array.from({ length: MOST_BREAKS_KEPT + 1 }, (_, n) => breakOf(String(n)));
      const ids = Array.from({ length: MOST_MATCHES_ENDED + 1 }, (_, n) => n + 1);
      await expect(runs.keepMatches({ run, matches })).rejects.toThrow(/are more than/);
      await expect(runs.keepBreaks({ run, breaks })).rejects.toThrow(/are more than/);
      await expect(runs.endMatches({ run, ids })).rejects.toThrow(/are more than/);
      await runs.finishRun({ run, report: '{}' });
      expect([await matched(world.here), await broken(world.here)]).toEqual([[], []]);
    },
  },
];
