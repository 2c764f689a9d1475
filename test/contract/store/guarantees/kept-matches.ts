import { expect } from 'vitest';
import { imported, removed } from '../importing.ts';
import { begunRun, lineId, matched, matchIds, matchOf, wholeRun } from '../matching.ts';
import type { Guarantee } from '../world.ts';

const PAGE = { limit: 100, order: 'oldest' } as const;

/** A match is valid from the run that made it until the run that ended it, or until its line is gone. */
export const KEPT_MATCHES: readonly Guarantee[] = [
  {
    guarantee: 'a match has its line and the row of ours, with the sums of the line exact',
    async prove(world) {
      const { statement } = await imported(world.here, 'ab');
      const match = await matchOf(world.here, 'b', { pass: 'amount_and_date', state: 'suggested' });
      const run = await wholeRun(world.here, { matches: [match] });
      const archive = await world.there.archive();
      const [found] = await archive.matches({}, PAGE);
      expect(found).toEqual({
        ...match,
        id: expect.any(Number),
        environment: 'test',
        account: 'wallet',
        statement,
        row: 3,
        date: '2026-11-15',
        currency: 'NGN',
        amount: 98n,
        run,
        decision: null,
      });
      expect(await archive.match(found?.id ?? 0)).toEqual({ ...found, endedIn: null });
      expect(await archive.match((found?.id ?? 0) + 1)).toBeNull();
    },
  },
  {
    guarantee: 'a match that a run ended is valid no more, and says which run ended it',
    async prove(world) {
      await imported(world.here, 'ab');
      await wholeRun(world.here, { matches: [await matchOf(world.here, 'a'), await matchOf(world.here, 'b')] });
      const [a = 0, b = 0] = await matchIds(world.here);
      const second = await wholeRun(world.here, {
        ended: [a],
        matches: [await matchOf(world.here, 'a', { reference: 'z' })],
      });
      await wholeRun(world.here, { ended: [a] }); // ended already: the first end counts
      const archive = await world.there.archive();
      expect(await matched(world.there)).toEqual(['b', 'z']);
      expect([(await archive.match(a))?.endedIn, (await archive.match(b))?.endedIn]).toEqual([second, null]);
    },
  },
  {
    guarantee:
      'matches are found by reference, of whichever call and run, and by leg, kind, state, environment and statement',
    async prove(world) {
      const { runs } = await world.here.operations();
      const { statement } = await imported(world.here, 'abc');
      const live = { account: { name: 'bank', kind: 'bank', environment: 'live' } } as const;
      const bank = await imported(world.here, 'xy', live);
      const run = await begunRun(world.here);
      for (const [letter, over] of [
        ['a', {}],
        ['b', { reference: 'a', kind: 'refund', recordId: null }],
        ['x', { leg: 'batch-bank', kind: 'batch', reference: 'B1', recordId: null, state: 'suggested' }],
      ] as const) {
        await runs.keepMatches({ run, matches: [await matchOf(world.here, letter, over)] });
      }
      await runs.finishRun({ run, report: '{}' });
      await wholeRun(world.here, { matches: [await matchOf(world.here, 'c', { reference: 'a' })] });
      const archive = await world.there.archive();
      const rowsOf = async (filter: Parameters<typeof archive.matches>[0]) => {
        const found = await archive.matches(filter, PAGE);
        expect(await archive.countMatches(filter)).toBe(found.length);
        return found.map((one) => `${one.statement}:${one.row}`);
      };
      const [a, b, c, x] = [`${statement}:2`, `${statement}:3`, `${statement}:4`, `${bank.statement}:2`];
      expect(await rowsOf({ reference: 'a' })).toEqual([a, b, c]);
      expect(await rowsOf({ reference: 'a', kinds: ['refund'] })).toEqual([b]);
      expect(await rowsOf({ reference: 'nothing' })).toEqual([]);
      expect(await rowsOf({ leg: 'batch-bank' })).toEqual([x]);
      expect(await rowsOf({ states: ['suggested'] })).toEqual([x]);
      expect(await rowsOf({ environment: 'test' })).toEqual([a, b, c]);
      expect(await rowsOf({ statement: bank.statement })).toEqual([x]);
      const page = await archive.matches({ reference: 'a' }, { limit: 1, order: 'newest', afterId: 4 });
      expect(page.map((one) => `${one.statement}:${one.row}`)).toEqual([b]);
    },
  },
  {
    guarantee:
      'the matches of a removed statement are undone with its lines; a line that passes to another statement keeps its match',
    async prove(world) {
      const first = await imported(world.here, 'abc');
      const second = await imported(world.here, 'bd');
      const matches = [await matchOf(world.here, 'a'), await matchOf(world.here, 'b'), await matchOf(world.here, 'c')];
      await wholeRun(world.here, { matches });
      const [, b = 0, c = 0] = await matchIds(world.here);
      await wholeRun(world.here, { ended: [c] });
      expect(await removed(world.there, first.statement)).toEqual({ lines: 2, left: 1, matches: 1 });
      const archive = await world.here.archive();
      expect(await archive.matches({}, PAGE)).toMatchObject([{ id: b, statement: second.statement, row: 2 }]);
      expect(await archive.match(c)).toBeNull();
      expect(await removed(world.there, second.statement)).toEqual({ lines: 2, left: 0, matches: 1 });
      expect(await matched(world.here)).toEqual([]);
    },
  },
  {
    guarantee: 'a line that was removed while a run is written gets no match, nor does a later line take its place',
    async prove(world) {
      const { runs } = await world.here.operations();
      const { statement } = await imported(world.here, 'ab');
      const matches = [await matchOf(world.here, 'a'), await matchOf(world.here, 'b')];
      const run = await begunRun(world.here);
      await runs.keepMatches({ run, matches: matches.slice(0, 1) });
      expect(await removed(world.there, statement)).toMatchObject({ matches: 0 });
      await imported(world.there, 'yz');
      expect(matches.map((match) => match.lineId)).not.toContain(await lineId(world.there, 'y'));
      await runs.keepMatches({ run, matches });
      await runs.finishRun({ run, report: '{}' });
      expect(await matched(world.there)).toEqual([]);
    },
  },
];
