import { expect } from 'vitest';
import { START_MS } from '../../../support/fixed-clock.ts';
import { imported, removed } from '../importing.ts';
import { lineId, matchOf, wholeRun } from '../matching.ts';
import type { Guarantee, World } from '../world.ts';

async function decide(world: World, letter: string, over: { verdict?: 'together' | 'apart'; by?: string } = {}) {
  const { runs } = await world.here.operations();
  const about = { leg: 'records-wallet', kind: 'collection', environment: 'test', reference: letter } as const;
  const said = { verdict: 'apart', by: 'ada', comment: null, ...over } as const;
  return runs.decide({ ...about, ...said, lineId: await lineId(world.here, letter) });
}

/** What persons say of matches stays, and the last word counts. */
export const MATCH_DECISIONS: readonly Guarantee[] = [
  {
    guarantee: 'the last word on a pair counts, with who said it and when',
    async prove(world) {
      await imported(world.here, 'ab');
      await wholeRun(world.here, { matches: [await matchOf(world.here, 'a'), await matchOf(world.here, 'b')] });
      await decide(world, 'a');
      world.clock.ms += 5;
      const last = await decide(world, 'a', { verdict: 'together', by: 'grace' });
      const b = await decide(world, 'b');
      expect(last).toMatchObject({ verdict: 'together', by: 'grace', atMs: START_MS + 5, comment: null });
      const archive = await world.there.archive();
      expect(await archive.decisions()).toEqual([last, b]);
      const [first, second] = await archive.matches({}, { limit: 9, order: 'oldest' });
      expect(first?.decision).toEqual({ verdict: 'together', by: 'grace', atMs: START_MS + 5, comment: null });
      expect(second?.decision).toMatchObject({ verdict: 'apart', by: 'ada' });
    },
  },
  {
    guarantee: 'what was said of a line holds again when its statement is removed and imported again',
    async prove(world) {
      const { statement } = await imported(world.here, 'aab');
      await decide(world, 'b');
      await removed(world.there, statement);
      const archive = await world.there.archive();
      expect(await archive.decisions()).toEqual([]);
      await imported(world.there, 'xb');
      expect(await archive.decisions()).toMatchObject([{ reference: 'b', lineId: await lineId(world.there, 'b') }]);
    },
  },
  {
    guarantee: 'nothing is said of a line that is gone',
    async prove(world) {
      const { statement } = await imported(world.here, 'a');
      const gone = await lineId(world.here, 'a');
      await removed(world.there, statement);
      const { runs } = await world.here.operations();
      const about = { leg: 'l', lineId: gone, kind: 'batch', environment: 'test', reference: 'B' } as const;
      expect(await runs.decide({ ...about, verdict: 'apart', by: 'ada', comment: 'no' })).toBeNull();
    },
  },
];
