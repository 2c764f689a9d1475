import { expect } from 'vitest';
import type { IntakeEntry } from '../../../../src/domain/statements/statement-intake.ts';
import { MOST_FORGOTTEN } from '../../../../src/store/intake.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import { imported } from '../importing.ts';
import type { Guarantee } from '../world.ts';

const entry = (path: string, over: Partial<IntakeEntry> = {}): IntakeEntry => ({
  path,
  outcome: 'refused',
  bytes: 10,
  modifiedAtMs: START_MS - 1,
  seenAtMs: START_MS,
  sinceMs: START_MS,
  sha256: 'f'.repeat(64),
  profileDigest: 'e'.repeat(64),
  statement: null,
  reason: 'It is wrong.',
  hint: 'Mend it.',
  ...over,
});

/** What became of the files of the statements folder. */
export const INTAKE: readonly Guarantee[] = [
  {
    guarantee: 'what is noted of a file takes the place of what was noted before, and is read by path',
    async prove(world) {
      const { intake } = await world.here.operations();
      const { statement } = await imported(world.here, 'ab');
      const waiting = entry('b/é.csv', { outcome: 'waiting', sha256: null, profileDigest: null, hint: null });
      const taken = entry('a/x.csv', { outcome: 'taken', statement, reason: null, hint: null, profileDigest: null });
      for (const one of [waiting, entry('a/x.csv'), taken]) await intake.note(one);
      expect(await (await world.there.archive()).intake()).toEqual([taken, waiting]);
    },
  },
  {
    guarantee: 'files that are gone are forgotten, in transactions of a bounded size; others stay',
    async prove(world) {
      const { intake } = await world.here.operations();
      for (const path of ['a', 'b', 'c']) await intake.note(entry(path));
      await intake.forget({ paths: ['a', 'c', 'never'] });
      expect((await (await world.there.archive()).intake()).map(({ path }) => path)).toEqual(['b']);
      const many = Array.from({ length: MOST_FORGOTTEN + 1 }, (_, index) => String(index));
      await expect(intake.forget({ paths: many })).rejects.toThrow(/501 files/);
    },
  },
];
