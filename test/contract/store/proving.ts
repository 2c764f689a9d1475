import { describe, test } from 'vitest';
import { ENGINES } from './engines.ts';
import { GUARANTEES } from './guarantees/all.ts';
import { isOfOneMachine, World } from './world.ts';

/** Makes a test of every guarantee of these groups, for every engine. Several files share the groups, so that several processes do. */
export function proveGuarantees(...groups: readonly string[]): void {
  describe.each(ENGINES)('$name', (engine) => {
    describe.each(groups)('%s', (group) => {
      const guarantees = GUARANTEES[group];
      if (guarantees === undefined) throw new Error(`There are no guarantees about ${JSON.stringify(group)}.`);
      const applying = guarantees.filter((guarantee) => !(engine.hasSharedLog && isOfOneMachine(guarantee)));
      test.each(applying)('$guarantee', (guarantee) => World.prove(guarantee, engine));
    });
  });
}
