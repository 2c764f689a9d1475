import { describe, test } from 'vitest';
import { CLAIMS } from './claims/all.ts';
import { ENGINES } from './engines.ts';
import { World } from './world.ts';

/** Makes a test of every claim of these groups, for every engine. Several files share the groups, so that several processes do. */
export function proveClaims(...groups: readonly string[]): void {
  describe.each(ENGINES)('$name', (engine) => {
    describe.each(groups)('%s', (group) => {
      const claims = CLAIMS[group];
      if (claims === undefined) throw new Error(`There are no claims about ${JSON.stringify(group)}.`);
      test.each(claims)('$claim', (claim) => World.prove(claim, engine));
    });
  });
}
