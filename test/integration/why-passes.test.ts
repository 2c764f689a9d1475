import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { triedPasses } from '../../src/reconcile/matching/tried.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { openArchive } from '../../src/store/sqlite/read/archive.ts';
import { passesOfLines } from '../../src/why/line-passes.ts';
import { passesOfRows } from '../../src/why/row-passes.ts';
import type { TriedLeg } from '../../src/why/tried-pass.ts';
import { command } from '../support/command.ts';
import { commandEnv } from '../support/command-env.ts';
import { undocumentedFields } from '../support/commands.ts';
import { fillInBulk } from '../support/month/bulk.ts';
import { fill } from '../support/month/fill.ts';
import { importAll } from '../support/month/import.ts';
import { type Month, makeMonth } from '../support/month/month.ts';
import { reconcileMonth } from '../support/month/reconcile.ts';
import { toldOf } from '../support/month/tell.ts';
import { readerOf } from '../support/reader.ts';

// What `why` says of passes is held against the matches that the engine kept of the same month.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const rules = await loadRules();

interface Place {
  readonly folder: string;
  readonly database: string;
}

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
  readonly place: Place;
  readonly archive: Archive;
  readonly kept: readonly Kept[];
}

async function reconciled(month: Month, place: Place): Promise<Reconciled> {
  await importAll(place.folder, place.database, month.files);
  await reconcileMonth(place.folder, place.database);
  const kept = readerOf(place.database).prepare('SELECT * FROM matches').all() as Kept[];
  return { month, place, archive: openArchive(place.database), kept };
}

let [bulk, real] = [null as unknown as Reconciled, null as unknown as Reconciled];
beforeAll(async () => {
  const many = makeMonth({ seed: 77, clean: 60, each: 1, findings: false });
  bulk = await reconciled(many, fillInBulk(many.book.records));
  // Only what webhooks and answers brought can be seen to be there twice.
  const few = makeMonth({ seed: 78, clean: 20, each: 1 });
  real = await reconciled(few, await fill(few.book.records.map(toldOf)));
});
afterAll(async () => {
  for (const { archive } of [bulk, real]) await archive.close();
});

async function tried({ archive }: Reconciled, reference: string): Promise<{ rows: TriedLeg[]; lines: TriedLeg[] }> {
  const dayRule = { zone: 'Africa/Lagos', cutOffMinutes: 1_440 };
  const found = await triedPasses(archive, { reference, rules, dayRule });
  if (found === null) throw new Error('no statement is there');
  return { rows: passesOfRows(found), lines: passesOfLines(found) };
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
    const said = takenBy((await tried(one, reference)).rows);
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
    for (const { leg, passes } of (await tried(bulk, reference)).rows) {
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
  const free = readerOf(bulk.place.database)
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
  const { place, kept } = bulk;
  const run = (...words: string[]) =>
    command(['why', ...words], { cwd: place.folder, env: commandEnv(place.database) });
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
  const { place, month, kept } = bulk;
  const env = commandEnv(place.database);
  const suggested = kept.filter(({ state }) => state === 'suggested').slice(0, 2) as (Kept & { readonly id: number })[];
  for (const [index, word] of ['confirm', 'undo'].entries()) {
    const id = String(suggested[index]?.id);
    const { code, stderr } = await command(['matches', word, id, '--as', 'Ada'], { cwd: place.folder, env });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  }
  await reconcileMonth(place.folder, place.database);
  const now = readerOf(place.database).prepare('SELECT * FROM matches').all() as Kept[];
  expect(await disagreements({ ...bulk, month, kept: now })).toEqual([]);
  const [first] = (await tried(bulk, suggested[0]?.reference ?? '')).rows;
  expect(first?.passes[0]).toMatchObject({ pass: 'person', outcome: 'taken' });
});
