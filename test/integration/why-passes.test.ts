import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { triedPasses } from '../../src/reconcile/matching/tried.ts';
import { loadRules } from '../../src/reconcile/rules/load.ts';
import type { Archive } from '../../src/store/archive.ts';
import { openArchive } from '../../src/store/sqlite/read/archive.ts';
import { passesOfLines } from '../../src/why/line-passes.ts';
import { passesOfRows } from '../../src/why/row-passes.ts';
import type { TriedLeg } from '../../src/why/tried-pass.ts';
import { undocumentedFields } from '../support/commands.ts';
import { fillInBulk } from '../support/month/bulk.ts';
import { commandEnv } from '../support/month/fill.ts';
import { importAll } from '../support/month/import.ts';
import { makeMonth } from '../support/month/month.ts';
import { reconcileMonth } from '../support/month/reconcile.ts';
import { readerOf } from '../support/receiver.ts';
import { tallyhook } from '../support/tallyhook.ts';

// What `why` says of passes is held against the matches that the engine kept of the same month.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const month = makeMonth({ seed: 77, clean: 220, each: 2, findings: false });
let place: { readonly folder: string; readonly database: string };
let archive: Archive;
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
let kept: Kept[] = [];

beforeAll(async () => {
  place = fillInBulk(month.book.records);
  await importAll(place.folder, place.database, month.files);
  await reconcileMonth(place.folder, place.database);
  kept = readerOf(place.database).prepare('SELECT * FROM matches').all() as Kept[];
  archive = openArchive(place.database);
});
afterAll(() => archive.close());

async function tried(reference: string): Promise<{ rows: TriedLeg[]; lines: TriedLeg[] }> {
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
  `${leg} ${kind} ${environment} ${statement_id}:${row} ${pass} ${state === 'confirmed' ? 'taken' : state}`;

test('for every record, batch and top-up and every leg, what is said to be taken is what the run kept', async () => {
  const references = new Set([
    ...month.book.records.map(({ reference }) => reference),
    ...kept.map((one) => one.reference),
  ]);
  const differing: unknown[] = [];
  for (const reference of references) {
    const said = takenBy((await tried(reference)).rows);
    const expected = kept
      .filter((one) => one.reference === reference)
      .map(keptText)
      .toSorted();
    if (JSON.stringify(said) !== JSON.stringify(expected)) differing.push({ reference, said, expected });
  }
  expect(differing).toEqual([]);
  expect(kept.length).toBeGreaterThan(400);
  expect(new Set(kept.map(({ pass }) => pass)).size).toBeGreaterThan(3);
});

test('every pass of every leg has an outcome and a clause', async () => {
  const outcomes = new Map<string, string>();
  for (const { reference } of month.book.records) {
    for (const { leg, passes } of (await tried(reference)).rows) {
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
  const free = readerOf(place.database)
    .prepare(`
      SELECT l.reference FROM statement_lines l
      WHERE l.reference IS NOT NULL AND l.type = 'collection' AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.line_id = l.id)
        AND NOT EXISTS (SELECT 1 FROM collections c WHERE c.reference = l.reference) LIMIT 1`)
    .pluck()
    .get() as string;
  const { rows, lines } = await tried(free);
  expect(rows).toEqual([]);
  expect(lines[0]?.passes[0]).toMatchObject({ pass: 'reference', outcome: 'no_record' });
});

test('why prints the passes of each leg, and documents their fields', async () => {
  const run = (...words: string[]) =>
    tallyhook(['why', ...words], { cwd: place.folder, env: commandEnv(place.database) });
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
  expect(text).toMatch(/^Passes of records-wallet for the payout/m);
  expect(text).toMatch(/^reference {2,}found row \d+ of statement \d+/m);
});
