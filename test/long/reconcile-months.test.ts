import { expect, test } from 'vitest';
import { fillInBulk } from '../support/month/bulk.ts';
import { OCTOBER } from '../support/month/days.ts';
import { importAll } from '../support/month/import.ts';
import { disagreements } from '../support/month/judge.ts';
import { makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { live } from '../support/months/live.ts';
import { makeWorld } from '../support/months/make.ts';
import { PERIODS } from '../support/months/world.ts';
import { makeFates } from '../support/residuals/fates.ts';
import { live as liveFates } from '../support/residuals/live.ts';
import { Shop } from '../support/shop/shop.ts';

const CLOSED_MONTHS = Number(process.env.TALLYHOOK_CLOSED_MONTHS ?? 10_000);
const FATED_MONTHS = Number(process.env.TALLYHOOK_FATED_MONTHS ?? 3_000);
const MONTHS = Number(process.env.TALLYHOOK_RECONCILE_MONTHS ?? 40);
const LINES = Number(process.env.TALLYHOOK_RECONCILE_LINES ?? 1_000_000);
const seed = Number(process.env.TALLYHOOK_TEST_SEED ?? Date.now() % 2 ** 31);

/** Every fifth month becomes known by webhooks and answers, and has findings. */
test('many months: every planted fault is found with its values, and nothing else', async () => {
  let [items, records, lines] = [0, 0, 0];
  for (let number = 0; number < MONTHS; number++) {
    const findings = number % 5 === 0;
    const month = makeMonth({ seed: seed + number, clean: 150 + 25 * (number % 7), each: 1 + (number % 3), findings });
    const { book, files } = month;
    const shop = findings ? await Shop.of(book.records.map(toldOf)) : Shop.at(fillInBulk(book.records).folder);
    const places = await importAll(shop, files);
    const report = await shop.reconcile(OCTOBER);
    shop.rest();
    expect([seed + number, disagreements(report, month, places)]).toEqual([seed + number, []]);
    items += book.expected.length;
    records += book.records.length;
    lines += book.lines.length;
  }
  console.log(`${MONTHS} months from seed ${seed}: ${records} records, ${lines} lines, ${items} planted items`);
});

test('months that are closed one after the other: what each must say, and nothing else', async () => {
  for (let month = 0; month < CLOSED_MONTHS; month += PERIODS.length)
    expect([seed + month, (await live(makeWorld(seed + month))).differences]).toEqual([seed + month, []]);
  console.log(`${CLOSED_MONTHS} closed months from seed ${seed}`);
});

test('groups that nobody designed: what is listed of each is what it moved', async () => {
  for (let number = 0; number < FATED_MONTHS; number += PERIODS.length) {
    const fated = seed + number;
    expect([fated, await liveFates(makeFates(fated, 40), { seed: fated, reopened: number % 2 === 0 })]).toEqual([
      fated,
      [],
    ]);
  }
  console.log(`${FATED_MONTHS} months of fates from seed ${seed}`);
});

test('a large month: the same', async () => {
  // A piece of business has 1.85 lines when the own books are no statement.
  const clean = Math.round(LINES / 1.85);
  const month = makeMonth({ seed, clean, each: Math.ceil(clean / 2_000), books: false, findings: false });
  const { book, files } = month;
  const shop = Shop.at(fillInBulk(book.records).folder);
  const places = await importAll(shop, files);
  const report = await shop.reconcile(OCTOBER);
  const wrong = disagreements(report, month, places);
  console.log(
    `seed ${seed}: ${book.records.length} records, ${book.lines.length} lines, ${book.expected.length} planted`,
  );
  expect([seed, wrong.length, wrong.slice(0, 50)]).toEqual([seed, 0, []]);
});
