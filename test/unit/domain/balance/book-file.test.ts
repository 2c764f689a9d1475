import { expect, test } from 'vitest';
import { type AccountFile, bookFiles } from '../../../../src/domain/balance/book-file.ts';

/** A file of one day; `sha256` alone would order files of the same day. */
function ofDay(statement: number, opening: bigint, closing: bigint): AccountFile {
  return {
    ...{ statement, account: { name: 'wallet', kind: 'wallet', environment: 'test' } },
    file: { name: `${statement}.csv`, sha256: `${statement}` },
    ...{
      covers: { from: '2026-10-05', to: '2026-10-05' },
      statesDays: true,
      lines: 1,
      new: 1,
      unparsed: 0,
      controls: [],
    },
    balances: [{ currency: 'NGN', opening, closing, sum: closing - opening }],
  };
}

test.each<[string, number[], AccountFile[]]>([
  ['the one goes on where the other one closes', [2, 1], [ofDay(1, 20n, 30n), ofDay(2, 10n, 20n)]],
  ['each closes where another one opens: by their contents', [1, 2], [ofDay(1, 20n, 10n), ofDay(2, 10n, 20n)]],
  ['none meets another one: by their contents', [1, 2, 3], [ofDay(3, 1n, 2n), ofDay(1, 5n, 6n), ofDay(2, 3n, 4n)]],
])('files of one day: %s', (_what, order, files) => {
  expect(bookFiles(files, 'NGN').map(({ statement }) => statement)).toEqual(order);
});
