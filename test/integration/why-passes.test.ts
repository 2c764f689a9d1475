import { beforeAll, expect, test } from 'vitest';
import { triedPasses } from '../../src/reconcile/pass/tried.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import { passesOfLines, passesOfRows } from '../../src/why/passes.ts';
import type { TriedLeg } from '../../src/why/tried-pass.ts';
import { undocumentedFields } from '../support/commands.ts';
import { fillInBulk } from '../support/month/bulk.ts';
import { OCTOBER } from '../support/month/days.ts';
import { importAll } from '../support/month/import.ts';
import { type Month, makeMonth } from '../support/month/month.ts';
import { toldOf } from '../support/month/tell.ts';
import { readerOf } from '../support/reader.ts';
import { Shop } from '../support/shop/shop.ts';

// What `why` says of passes is held against the matches that the engine kept of the same month.

const rules = await loadRules();

interface Kept {
  readonly leg: string;
  readonly kind: string;
  readonly environment: string;
  readonly reference: string;
  readonly statement_id: number;
  readonly row: number;
  readonly pass: string;
  readonly state: string;
}

interface Reconciled {
  readonly month: Month;
  readonly shop: Shop;
  readonly kept: readonly Kept[];
  /** What `why` says of the rows of a reference since the last run, asked for once. */
  readonly said: Map<string, Promise<readonly TriedLeg[]>>;
}

async function reconciled(month: Month, shop: Shop): Promise<Reconciled> {
  await importAll(shop, month.files);
  await shop.reconcile(OCTOBER);
  const kept = readerOf(shop.database).prepare('SELECT * FROM matches').all() as Kept[];
  return { month, shop, kept, said: new Map() };
}

let [bulk, real] = [null as unknown as Reconciled, null as unknown as Reconciled];
beforeAll(async () => {
  const many = makeMonth({ seed: 77, clean: 15, each: 1, findings: false });
  bulk = await reconciled(many, Shop.at(fillInBulk(many.book.records).folder));
  // Only what webhooks and answers brought can be seen to be there twice.
  const few = makeMonth({ seed: 78, clean: 5, each: 1 });
  real = await reconciled(few, await Shop.of(few.book.records.map(toldOf)));
});
async function tried(
  { shop: { archive } }: Reconciled,
  reference: string,
): Promise<{ rows: TriedLeg[]; lines: TriedLeg[] }> {
  const dayRule = { zone: 'Africa/Lagos', cutOffMinutes: 1_440 };
  const found = await triedPasses(archive, { reference, rules, dayRule });
  if (found === null) throw new Error('no statement is there');
  return { rows: passesOfRows(found), lines: passesOfLines(found) };
}

function rowsOf(one: Reconciled, reference: string): Promise<readonly TriedLeg[]> {
  const rows = one.said.get(reference) ?? tried(one, reference).then((legs) => legs.rows);
  one.said.set(reference, rows);
  return rows;
}

/** What `why` says was taken or suggested of a row, in the form of a kept match. */
function takenBy(legs: readonly TriedLeg[]): string[] {
  return legs
    .flatMap(({ leg, kind, environment, passes }) =>
      passes.flatMap(({ pass, outcome, lines }) =>
        outcome === 'taken' || outcome === 'suggested'
          ? lines.map((line) => `${leg} ${kind} ${environment} ${line.statement}:${line.row} ${pass} ${outcome}`)
          : [],
      ),
    )
    .toSorted();
}

const keptText = ({ leg, kind, environment, statement_id, row, pass, state }: Kept) =>
  `${leg} ${kind} ${environment} ${statement_id}:${row} ${pass} ${state === 'suggested' ? state : 'taken'}`;

/** References of which something else is said than the run kept. */
async function disagreements(one: Reconciled): Promise<unknown[]> {
  const { month, kept } = one;
  const references = new Set([
    ...month.book.records.map(({ reference }) => reference),
    ...kept.map(({ reference }) => reference),
  ]);
  const differing: unknown[] = [];
  for (const reference of references) {
    const said = takenBy(await rowsOf(one, reference));
    const expected = kept
      .filter((match) => match.reference === reference)
      .map(keptText)
      .toSorted();
    if (JSON.stringify(said) !== JSON.stringify(expected)) differing.push({ reference, said, expected });
  }
  return differing;
}

test('for every record, batch and top-up and every leg, what is said to be taken is what the run kept', async () => {
  expect(await disagreements(bulk)).toEqual([]);
  expect(bulk.kept.length).toBeGreaterThan(150);
  expect(new Set(bulk.kept.map(({ pass }) => pass)).size).toBeGreaterThan(3);
});

test('so it is where payouts are there twice, and where witnesses contradict each other', async () => {
  expect(await disagreements(real)).toEqual([]);
});

test('every pass of every leg has an outcome and a clause', async () => {
  const outcomes = new Map<string, string>();
  for (const { reference } of bulk.month.book.records) {
    for (const { leg, passes } of await rowsOf(bulk, reference)) {
      const own = rules.legs.find(({ name }) => name === leg)?.passes ?? [];
      expect(passes.map(({ pass }) => pass)).toEqual(own);
      for (const { outcome, text } of passes) outcomes.set(outcome, text);
    }
  }
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining(['taken', 'earlier_pass', 'no_key', 'no_line', 'suggested']),
  );
  for (const text of outcomes.values()) expect(text).not.toBe('');
});

test('a line that no record has tells what each pass looked for', async () => {
  const free = readerOf(bulk.shop.database)
    .prepare(`
      SELECT l.reference FROM statement_lines l
      WHERE l.reference IS NOT NULL AND l.type = 'collection' AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.line_id = l.id)
        AND NOT EXISTS (SELECT 1 FROM collections c WHERE c.reference = l.reference) LIMIT 1`)
    .pluck()
    .get() as string;
  const { rows, lines } = await tried(bulk, free);
  expect(rows).toEqual([]);
  expect(lines[0]?.passes[0]).toMatchObject({ pass: 'reference', outcome: 'no_record' });
});

test('why prints the passes of each leg, and documents their fields', async () => {
  const { shop, kept } = bulk;
  const run = (...words: string[]) => shop.run('why', ...words);
  const one = kept.find(({ leg, pass, kind }) => leg === 'records-wallet' && pass === 'reference' && kind === 'payout');
  const { code, stdout } = await run(one?.reference ?? '', '--json');
  expect(code).toBe(0);
  const story = JSON.parse(stdout);
  expect(undocumentedFields(story, ['why', 'refunds, payouts, collections'])).toEqual([]);
  expect(story.records[0].matching[0]).toMatchObject({
    leg: 'records-wallet',
    kind: 'payout',
    line: null,
    passes: expect.arrayContaining([
      {
        pass: 'reference',
        outcome: 'taken',
        text: expect.stringMatching(/^found row \d+ of statement \d+/),
        lines: expect.arrayContaining([{ statement: one?.statement_id, row: one?.row }]),
      },
    ]),
  });
  const text = (await run(one?.reference ?? '')).stdout;
  expect(text).toMatch(/^Passes of records-wallet\nfor the payout/m);
  expect(text).toMatch(/^reference {2,}found row \d+ of statement \d+/m);
});

test('what a person confirmed comes first, and what a person took apart is not suggested again', async () => {
  const { shop, month, kept } = bulk;
  const suggested = kept.filter(({ state }) => state === 'suggested').slice(0, 2) as (Kept & { readonly id: number })[];
  for (const [index, verdict] of (['together', 'apart'] as const).entries()) {
    await shop.decide(suggested[index]?.id ?? 0, verdict);
  }
  await shop.reconcile(OCTOBER);
  const now = readerOf(shop.database).prepare('SELECT * FROM matches').all() as Kept[];
  expect(await disagreements({ ...bulk, month, kept: now, said: new Map() })).toEqual([]);
  const [first] = (await tried(bulk, suggested[0]?.reference ?? '')).rows;
  expect(first?.passes[0]).toMatchObject({ pass: 'person', outcome: 'taken' });
});
