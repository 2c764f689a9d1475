import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { seededRandom } from '../support/random.ts';
import { Shop } from '../support/shop/shop.ts';

/* Files of one account that meet within a day: wherever the cut is, balances of every period are those of the whole. */

interface Line {
  readonly day: number;
  readonly minor: number;
}

const date = (day: number) => `2026-10-${String(day).padStart(2, '0')}`;
const money = (minor: number) =>
  `${minor < 0 ? '-' : ''}${Math.trunc(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
const total = (lines: readonly Line[]) => lines.reduce((sum, { minor }) => sum + minor, 0);

/** With the balances in the last row. */
const PROFILE = {
  file: { skipRows: 1, footer: 1 },
  balance: { opening: { row: -1, column: 3 }, closing: { row: -1, column: 4 } },
};

const OPENING = 70_000;

/** Cuts the lines before the rows of `cuts` into files, and imports them in the order of `imported`. */
async function cut(lines: readonly Line[], cuts: readonly number[], imported: readonly number[], hasDays = false) {
  const shop = await Shop.of();
  const settings = { ...PROFILE, ...(!hasDays && { covers: undefined }) };
  shop.file('wallet.yaml', datedProfile('wallet', { Transfer: 'transfer' }, settings));
  const starts = [0, ...cuts, lines.length];
  for (const part of imported) {
    const [start = 0, end = 0] = starts.slice(part, part + 2);
    const rows = lines
      .slice(start, end)
      .map(({ day, minor }, at) => `${date(day)},L${start + at},Transfer,${money(minor)}`);
    const opening = OPENING + total(lines.slice(0, start));
    const closing = opening + total(lines.slice(start, end));
    const text = [
      `From,${date(1)},To,${date(31)}`,
      'Date,Reference,Type,Amount',
      ...rows,
      `,,${money(opening)},${money(closing)}`,
    ];
    await shop.take('wallet', `${part}.csv`, `${text.join('\n')}\n`);
  }
  return async (from: number, begin?: number) => {
    const balances =
      begin === undefined
        ? ''
        : `reconcile: { begin: { date: ${date(begin)}, balances: { wallet: { NGN: "${money(OPENING)}" } } } }\n`;
    shop.file('tallyhook.yaml', balances);
    const { proof, breaks } = await shop.reconcile({ from: date(from), to: date(31) });
    const [{ rows, unexplained }] = proof;
    return [
      rows.at(0).theirs,
      rows.at(-1).theirs,
      unexplained,
      breaks.filter(({ code }: { code: string }) => code !== 'statement_gap').length,
      breaks.filter(({ effect }: { effect: string }) => effect !== '0.00').length,
    ];
  };
}

/** What the lines alone say: opening, closing, and nothing unexplained or broken. */
function whole(lines: readonly Line[], from: number) {
  const opening = OPENING + total(lines.filter(({ day }) => day < from));
  return [money(opening), money(OPENING + total(lines)), '0.00', 0, 0];
}

const LINES = [
  { day: 5, minor: 30_000 },
  { day: 12, minor: 10_000 },
  { day: 12, minor: 5_000 },
  { day: 12, minor: -40_000 },
  { day: 14, minor: 1_000 },
];

for (const imported of [
  [0, 1],
  [1, 0],
]) {
  test(`two files that meet within a day open every period right, file ${imported[0]} imported first`, async () => {
    const from = await cut(LINES, [3], imported);
    for (const day of [5, 6, 12, 13, 14]) expect([day, ...(await from(day))]).toEqual([day, ...whole(LINES, day)]);
  });

  test(`one day in two files goes on by their balances, file ${imported[0]} imported first`, async () => {
    const day = LINES.map(({ minor }) => ({ day: 12, minor }));
    const from = await cut(day, [2], imported);
    expect(await from(12)).toEqual(whole(day, 12));
  });

  test(`a month in two files that state the same days goes on by their balances, file ${imported[0]} imported first`, async () => {
    const from = await cut(LINES, [3], imported, true);
    for (const day of [1, 12, 13]) expect([day, ...(await from(day))]).toEqual([day, ...whole(LINES, day)]);
  });
}

test('an opening balance of our own goes on through files that meet within a day', async () => {
  const from = await cut(LINES, [3], [1, 0]);
  for (const day of [12, 13]) expect([day, ...(await from(day, 5))]).toEqual([day, ...whole(LINES, day)]);
});

test('a file cut into three at any rows gives the balances of the whole', async () => {
  const random = seededRandom(15);
  const next = (below: number) => Math.floor(random() * below);
  for (let round = 0; round < 2; round += 1) {
    const days = Array.from({ length: 9 }, () => 3 + next(4)).sort((one, other) => one - other);
    const lines = days.map((day, index) => ({ day, minor: (next(2) === 0 ? 1 : -1) * (1_000 * 2 ** index + 7) }));
    const cuts = [1 + next(4), 5 + next(4)];
    const hasDays = next(2) === 0;
    const from = await cut(
      lines,
      cuts,
      [
        [2, 0, 1],
        [1, 2, 0],
      ][next(2)] ?? [],
      hasDays,
    );
    for (const day of [...new Set(days)].slice(0, 3)) {
      expect([lines, cuts, hasDays, day, ...(await from(day))]).toEqual([
        lines,
        cuts,
        hasDays,
        day,
        ...whole(lines, day),
      ]);
    }
  }
});
