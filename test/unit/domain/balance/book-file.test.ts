import { expect, test } from 'vitest';
import { type AccountFile, bookFiles, currencyOf } from '../../../../src/domain/balance/book-file.ts';

/** A file of one day; `sha256` alone would order files of the same day. */
function ofDay(statement: number, opening: bigint, closing: bigint, day = '2026-10-05'): AccountFile {
  return {
    ...{ statement, account: { name: 'wallet', kind: 'wallet', environment: 'test' } },
    file: { name: `${statement}.csv`, sha256: `${statement}` },
    ...{
      covers: { from: day, to: day },
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
  [
    'one goes on from the day before',
    [3, 2, 1],
    [ofDay(1, 1n, 2n), ofDay(2, 50n, 60n), ofDay(3, 40n, 50n, '2026-10-04')],
  ],
  ['none meets another one: by their contents', [1, 2, 3], [ofDay(3, 1n, 2n), ofDay(1, 5n, 6n), ofDay(2, 3n, 4n)]],
])('files of one day: %s', (_what, order, files) => {
  expect(bookFiles(files, 'NGN').map(({ statement }) => statement)).toEqual(order);
});

const stated = (currency: string, closing: bigint) => ({ currency, opening: 0n, closing, sum: 1n });
test.each<[string, string | null, AccountFile['balances'], string[], string | null]>([
  ['its own', 'GHS', [stated('USD', 2n)], ['KES'], 'GHS'],
  [
    'else the first one whose lines do not make its closing balance',
    null,
    [stated('NGN', 1n), stated('USD', 2n)],
    [],
    'USD',
  ],
  ['else the first one of the file', null, [stated('USD', 1n), stated('NGN', 1n)], ['KES'], 'NGN'],
  ['else the first one of the account', null, [], ['KES', 'USD'], 'KES'],
  ['there is none yet', null, [], [], null],
])('the currency of an unreadable row: %s', (_what, own, balances, ofAccount, expected) => {
  expect(currencyOf({ currency: own }, balances, ofAccount)).toBe(expected);
});
