import { expect } from 'vitest';
import type { FrozenGroup } from '../../../../src/store/runs.ts';
import { RUNS_WITH_BREAKS } from '../../../../src/store/runs.ts';
import { digestOf } from '../importing.ts';
import { begunRun, breakOf, broken, cleared, wholeRun } from '../matching.ts';
import type { Guarantee } from '../world.ts';

const OPEN: FrozenGroup = {
  ...{ key: 'first', environment: 'test', account: 'wallet', currency: 'NGN' },
  rows: { collections: -9_007_199_254_740_993n, fees: 200n },
  verdicts: [],
  ...{ ours: ['a "quoted" one'], lines: ['l 1', 'l 2'] },
};

/** The breaks of a run, as it found them, and what it leaves open. */
export const KEPT_BREAKS: readonly Guarantee[] = [
  {
    guarantee:
      'what a run leaves open is given back as it was kept, once the run is whole; of a run that kept none there is none',
    async prove(world) {
      const { runs } = await world.here.operations();
      const archive = await world.there.archive();
      const plain = await wholeRun(world.here, { breaks: [breakOf('a')] });
      const run = await begunRun(world.here);
      await runs.keepGroups({ run, groups: [OPEN, { ...OPEN, key: 'second', rows: {}, verdicts: [breakOf('b')] }] });
      expect(await archive.frozenGroups(run)).toBeNull();
      await runs.finishRun({ run, report: '{}' });
      expect(await archive.frozenGroups(run)).toEqual([
        OPEN,
        { ...OPEN, key: 'second', rows: {}, verdicts: [breakOf('b')] },
      ]);
      const nothing = await begunRun(world.here);
      await runs.keepGroups({ run: nothing, groups: [] });
      await runs.finishRun({ run: nothing, report: '{}' });
      expect([await archive.frozenGroups(nothing), await archive.frozenGroups(plain)]).toEqual([[], null]);
    },
  },
  {
    guarantee: 'what a run left open is cleared away with its breaks',
    async prove(world) {
      const { runs } = await world.here.operations();
      const first = await begunRun(world.here);
      await runs.keepGroups({ run: first, groups: [OPEN] });
      await runs.finishRun({ run: first, report: '{}' });
      for (let later = 0; later < RUNS_WITH_BREAKS; later++) await wholeRun(world.here, {});
      expect(await (await world.there.archive()).frozenGroups(first)).toEqual([OPEN]);
      await wholeRun(world.here, {});
      expect(await cleared(world.here)).toBeGreaterThan(0);
      expect(await (await world.there.archive()).frozenGroups(first)).toEqual([]);
    },
  },
  {
    guarantee: 'a break is given back as it was kept, in the order of the run',
    async prove(world) {
      const full = breakOf('b', {
        code: 'fee_mismatch',
        sub: 'schedule',
        side: 'theirs',
        field: 'fee',
        theirs: '92233720368547758070.15',
        variance: '-0.00000001',
        line: { statement: 3, row: 17, fingerprint: digestOf('line'), occurrence: 2 },
        candidates: ['a "quoted" one', 'another'],
        recordId: null,
      });
      const bare = breakOf('z', { leg: null, kind: null, account: null, reference: null, currency: null });
      const run = await wholeRun(world.here, { breaks: [full, bare, breakOf('a')] });
      const found = await broken(world.there);
      expect(found.map(({ place: _, ...one }) => one)).toEqual(
        [full, bare, breakOf('a')].map((one) => ({ ...one, run })),
      );
      const archive = await world.there.archive();
      expect(await archive.breakOf(full.id)).toEqual(found[0]);
      const after = { limit: 1, order: 'oldest', afterId: found[0]?.place ?? 0 } as const;
      expect(await archive.breaks({}, after)).toEqual([found[1]]);
    },
  },
  {
    guarantee:
      'breaks are those of the last run, or of the run that is asked for; a break is as the latest run found it',
    async prove(world) {
      const first = await wholeRun(world.here, { breaks: [breakOf('a'), breakOf('b')] });
      const second = await wholeRun(world.here, { breaks: [breakOf('a', { reason: 'changed' })] });
      const empty = await wholeRun(world.here, {});
      const archive = await world.there.archive();
      const of = async (run?: number) => (await broken(world.there, run)).map(({ reference }) => reference);
      expect([await of(), await of(empty), await of(first), await of(99)]).toEqual([[], [], ['a', 'b'], []]);
      expect(await archive.breakOf(breakOf('a').id)).toMatchObject({ run: second, reason: 'changed' });
      expect(await archive.breakOf(breakOf('b').id)).toMatchObject({ run: first });
      expect(await archive.breakOf('x-0')).toBeNull();
    },
  },
  {
    guarantee: 'breaks are filtered by code, leg, environment, account and reference, and counted',
    async prove(world) {
      const { runs } = await world.here.operations();
      const run = await begunRun(world.here);
      await runs.keepBreaks({ run, breaks: [breakOf('a'), breakOf('b', { code: 'stuck', leg: null })] });
      await runs.keepBreaks({ run, breaks: [breakOf('a', { id: 'x-2', environment: 'live', account: 'bank' })] });
      await runs.finishRun({ run, report: '{}' });
      await wholeRun(world.here, { breaks: [breakOf('a', { id: 'x-3' })] });
      const archive = await world.there.archive();
      const idsOf = async (filter: Parameters<typeof archive.breaks>[0]) => {
        const found = await archive.breaks({ run, ...filter }, { limit: 10, order: 'newest' });
        expect(await archive.countBreaks({ run, ...filter })).toBe(found.length);
        return found.map(({ id }) => id);
      };
      const [a, b] = [breakOf('a').id, breakOf('b').id];
      expect(await idsOf({})).toEqual(['x-2', b, a]);
      expect(await idsOf({ codes: ['stuck', 'ambiguous'] })).toEqual([b]);
      expect(await idsOf({ leg: 'records-wallet' })).toEqual(['x-2', a]);
      expect(await idsOf({ environment: 'live' })).toEqual(['x-2']);
      expect(await idsOf({ account: 'wallet' })).toEqual([b, a]);
      expect(await idsOf({ reference: 'a' })).toEqual(['x-2', a]);
      expect(await idsOf({ reference: 'a', account: 'bank' })).toEqual(['x-2']);
      expect(await idsOf({ reference: 'c' })).toEqual([]);
    },
  },
  {
    guarantee: 'what is carried from earlier days is read apart, of each run its own',
    async prove(world) {
      const { runs } = await world.here.operations();
      const keepRun = async (...carried: readonly string[]) => {
        const run = await begunRun(world.here);
        await runs.keepBreaks({ run, breaks: [breakOf('now')] });
        await runs.keepBreaks({ run, breaks: carried.map((reference) => breakOf(reference)), carried: true });
        await runs.finishRun({ run, report: '{}' });
        return run;
      };
      const first = await keepRun('a', 'b');
      const none = await keepRun();
      const last = await keepRun('b');
      const archive = await world.there.archive();
      const of = async (run?: number, carried?: boolean) => {
        const filter = { ...(run !== undefined && { run }), ...(carried !== undefined && { carried }) };
        const found = await archive.breaks(filter, { limit: 10, order: 'oldest' });
        expect(await archive.countBreaks(filter)).toBe(found.length);
        return found.map(({ reference }) => reference);
      };
      expect(await Promise.all([first, none, last, undefined].map((run) => of(run, true)))).toEqual([
        ...[['a', 'b'], [], ['b'], ['b']],
      ]);
      expect(await of(first)).toEqual(['now']);
    },
  },
];
