import { expect, test } from 'vitest';
import { HeldLines } from '../../../../src/reconcile/held-lines.ts';
import { rivalsIn } from '../../../../src/reconcile/matching/rival-breaks.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';

/** Exports of one day with the same balances: each has one line, which no other one has. */
const exportsOf = (imported: readonly number[]) =>
  imported.map(
    (statement, index) =>
      ({
        statement,
        covers: { from: '2026-10-01', to: '2026-10-01' },
        file: { name: `${index}.csv` },
        balances: [{ currency: 'NGN', opening: 0n, closing: 100n }],
        ...{ lines: 1, new: 1, unparsed: 0 },
      }) as unknown as StatementSummary,
  );

async function namesOf(files: readonly StatementSummary[]) {
  const shown = files.map(({ statement }) => ({ statements: [statement], lines: 1, minor: 100n }));
  const held = new HeldLines({ shownLines: async () => shown }, 'NGN');
  const rivals = [...(await rivalsIn(held, files, 'NGN')).values()].flat();
  return rivals.map(({ one, other, rivalry }) => `${rivalry.how}: ${one.file.name}, ${other.file.name}`);
}

test('400 exports of one day are named once each, by the first one they contradict, whatever the order of import', async () => {
  const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
  const named = await namesOf(exportsOf(numbers));
  expect(named).toEqual(numbers.slice(1).map((number) => `contradicting: 0.csv, ${number - 1}.csv`));
  expect(await namesOf(exportsOf(numbers.toReversed()))).toEqual(named);
});
