import fc from 'fast-check';
import { expect } from 'vitest';
import { randomRuns } from '../../../support/random-runs.ts';
import { abandoned, begun, imported, lineOf, linesIn, linesOf, listed, orderOf, removed } from '../importing.ts';
import type { Guarantee, World } from '../world.ts';

/** What happens to an account; a file is a text whose letters are its lines. */
type Act =
  | { readonly act: 'import' | 'abandon'; readonly file: string }
  /** The statement at this place of those that show, as often as it takes. */
  | { readonly act: 'remove'; readonly at: number };

const file = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('import' as const), file }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('abandon' as const), file }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), at: fc.nat(3) }) },
);

/** How many lines an account has: of each letter as many as the statement that shows it most often. */
function linesOfAll(files: readonly string[]): number {
  const most = (letter: string) => Math.max(0, ...files.map((text) => text.split(letter).length - 1));
  return most('a') + most('b') + most('c');
}

interface Showing {
  readonly statement: number;
  readonly text: string;
}

/** Of each letter, two statements share as many lines as the one that shows it less often. */
async function expectShared(world: World, account: string, one: Showing, other: Showing): Promise<void> {
  const archive = await world.there.archive();
  for (const letter of 'abc') {
    const { date, amount } = lineOf(letter, 2);
    const book = { account: { name: account, kind: 'bank', environment: 'test' }, currency: 'NGN' } as const;
    const shown = await archive.bookLines({ ...book, from: date, to: date });
    const both = shown.filter(({ statements }) =>
      [one, other].every(({ statement }) => statements.includes(statement)),
    );
    const count = Math.min(...[one, other].map(({ text }) => text.split(letter).length - 1));
    const [lines, minor] = [
      both.reduce((sum, part) => sum + part.lines, 0),
      both.reduce((sum, part) => sum + part.minor, 0n),
    ];
    expect({ letter, lines, minor }).toEqual({ letter, lines: count, minor: BigInt(count) * amount });
  }
}

async function play(world: World, account: string, acts: readonly Act[]): Promise<void> {
  const { statements } = await world.here.operations();
  const over = { account: { name: account, kind: 'bank', environment: 'test' } } as const;
  const showing: Showing[] = [];
  const total = () => linesOfAll(showing.map(({ text }) => text));
  for (const [index, one] of acts.entries()) {
    const before = total();
    if (one.act === 'import') {
      // Of its own digest: equal lines in another file are another statement.
      const fileOf = { ...over, file: { ...orderOf(one.file).file, sha256: `${account} ${index}` } };
      const { statement, ...counts } = await imported(world.here, one.file, fileOf);
      showing.push({ statement, text: one.file });
      const fresh = total() - before;
      expect(counts).toEqual({ new: fresh, known: one.file.length - fresh });
    } else if ('file' in one) {
      const statement = await begun(world.here, { ...orderOf(`${account} ${index}`), ...over });
      await statements.keep({ statement, lines: linesOf(one.file), unparsed: [] });
      await abandoned(world.here, statement);
    } else {
      const [gone] = showing.splice(one.at, 1);
      if (gone === undefined) continue;
      const lines = before - total();
      expect(await removed(world.there, gone.statement)).toEqual({ lines, left: gone.text.length - lines, matches: 0 });
    }
    expect(await listed(world.there, { account })).toEqual(showing.map(({ statement }) => statement));
    for (const { statement, text } of showing) expect(await linesIn(world.there, statement)).toEqual(linesOf(text));
    for (const one of showing) for (const other of showing) await expectShared(world, account, one, other);
  }
}

/** Lines of an account are those of a model that knows nothing but the files. */
export const LINE_SETS: readonly Guarantee[] = [
  {
    guarantee:
      'whatever is imported, cut short and removed in whatever order, every statement has its lines, and each is kept once',
    async prove(world) {
      let run = 0;
      const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), (acts) =>
        play(world, `account ${run++}`, acts),
      );
      await fc.assert(property, { numRuns: randomRuns(25) });
    },
  },
  {
    guarantee: 'files give the same lines in every order of import',
    async prove(world) {
      let run = 0;
      const files = fc.array(file, { minLength: 2, maxLength: 4 });
      const shuffled = files.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
      const property = fc.asyncProperty(shuffled, async (all) => {
        const over = { account: { name: `order ${run++}`, kind: 'bank', environment: 'test' } } as const;
        let fresh = 0;
        for (const [index, text] of all.entries()) {
          const fileOf = { ...orderOf(text).file, sha256: `${over.account.name} ${index}` };
          fresh += (await imported(world.here, text, { ...over, file: fileOf })).new;
        }
        expect(fresh).toBe(linesOfAll(all));
      });
      await fc.assert(property, { numRuns: randomRuns(10) });
    },
  },
];
