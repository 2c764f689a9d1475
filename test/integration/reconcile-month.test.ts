import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { OCTOBER } from '../support/month/days.ts';
import { SCHEDULE } from '../support/month/faults/schedule.ts';
import { importAll } from '../support/month/import.ts';
import { disagreements, type Report } from '../support/month/judge.ts';
import { makeMonth, makeScheduledMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { Shop } from '../support/shop/shop.ts';

/** A month of some hundred records and lines in twelve dialects, with every fault of the generator on records of its own. */
const month = makeMonth({ seed: 20_261_001, clean: 220, each: 1 });
let [report, places]: [Report, Awaited<ReturnType<typeof importAll>>] = [null as never, new Map()];

beforeAll(async () => {
  const shop = await Shop.of(month.book.records.map(toldOf));
  places = await importAll(shop, month.files);
  report = await shop.reconcile(OCTOBER);
});

test('every planted fault is found with its values, and nothing else; every balance is proven to the minor unit', () => {
  expect(disagreements(report, month, places)).toEqual([]);
});

test('every item has its own id, a reason and a next step', () => {
  const items = [...report.breaks, ...report.timing, ...report.suggested];
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  for (const { id, reason, nextStep } of items) {
    expect(id).toMatch(/^x-[0-9a-f]{24}$/);
    expect([String(reason).length > 0, String(nextStep).length > 0]).toEqual([true, true]);
  }
});

test('with a schedule, VAT is judged where fee and VAT are not ours, and what is agreed is audited', async () => {
  const scheduled = makeScheduledMonth(5);
  const shop = await Shop.of(scheduled.book.records.map(toldOf));
  const standard = readFileSync(packageFile('templates/rules/standard.yaml'), 'utf8');
  shop.file('rules.yaml', standard.replace('schedule: []\n', SCHEDULE));
  const where = await importAll(shop, scheduled.files);
  const given = await shop.reconcile(OCTOBER, { rules: 'rules.yaml' });
  expect(disagreements(given, scheduled, where)).toEqual([]);
});
