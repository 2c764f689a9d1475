import fc from 'fast-check';
import { expect, test } from 'vitest';
import { abandoned, begun, linesOf, orderOf, removed } from '../../../../contract/store/importing.ts';
import { wholeRun } from '../../../../contract/store/matching.ts';
import { AuditedDatabase } from '../../../../support/audited-database.ts';
import { randomRuns } from '../../../../support/random-runs.ts';

// Whatever is done by the program, in any order, the chain says that nothing else was done.

type Step = (audited: AuditedDatabase, imported: number[]) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  import: async (audited, imported) => {
    const letters = ['aab', 'abc', 'bcd', 'ddd', 'a'][imported.length % 5] ?? 'a';
    imported.push(await audited.import(`${letters}${'e'.repeat(imported.length)}`, { first: imported.length === 0 }));
  },
  'import and abandon': async ({ operations, handle }) => {
    const statement = await begun(handle, orderOf('abandoned'));
    await operations.statements.keep({ statement, lines: linesOf('abx'), unparsed: [] });
    await abandoned(handle, statement);
  },
  remove: async ({ handle }, imported) => {
    const statement = imported.find((one) => one > 0);
    if (statement === undefined) return;
    imported[imported.indexOf(statement)] = 0;
    await removed(handle, statement);
  },
  run: async ({ handle }) => void (await wholeRun(handle, {})),
  'run by other rules': async ({ handle }) => {
    await wholeRun(handle, {}, { rules: { name: 'other', digest: 'other', text: 'other' } });
  },
  decide: async (audited) => {
    const found = audited.db.database.prepare('SELECT 1 FROM imported_lines WHERE id = 1').get();
    if (found !== undefined) await audited.decide('together');
  },
  prune: async (audited) => void audited.append('prune', 'prune:2026-11-01T00:00:00.000Z'),
};

test('any order of imports, removals, runs and decisions leaves every row as its last entry says', async () => {
  const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, async (names) => {
      const audited = new AuditedDatabase();
      try {
        const imported: number[] = [];
        for (const name of names) {
          await STEPS[name]?.(audited, imported);
          expect([name, audited.verdict().firstBad]).toEqual([name, null]);
        }
      } finally {
        await audited.remove();
      }
    }),
    { numRuns: randomRuns(15) },
  );
});

test('a statement of many lines is entered with the digest that the rows have, though it is taken in pieces', async () => {
  const audited = new AuditedDatabase();
  const { statements } = audited.operations;
  const many = Array.from({ length: 4_100 }, (_, index) => ({
    ...linesOf('a')[0],
    row: index + 2,
    occurrence: index + 1,
  }));
  const statement = await begun(audited.handle, orderOf('many'));
  for (let at = 0; at < many.length; at += 500) {
    await statements.keep({ statement, lines: many.slice(at, at + 500) as ReturnType<typeof linesOf>, unparsed: [] });
  }
  const totals = { lines: many.length, unparsed: 0, balances: [], covers: null, statesDays: false, controls: [] };
  const answers = [];
  do answers.push((await statements.finish({ statement, totals })).done);
  while (answers.at(-1) === false);
  expect(answers).toEqual([false, false, true]);
  expect(audited.verdict().firstBad).toBeNull();
  const before = await audited.db.database.prepare('SELECT count(*) FROM imported_lines').pluck().get();
  expect(before).toBe(many.length);
  while (!(await statements.remove({ statement, by: 'Ada' }))?.done) expect(audited.verdict().firstBad).toBeNull();
  expect(audited.verdict().firstBad).toBeNull();
  const acts = audited.db.database.prepare("SELECT act || ' ' || who FROM audit_entries WHERE subject = 'statement:1'");
  expect(acts.pluck().all()).toEqual([
    'statement.import tallyhook',
    'statement.remove Ada',
    'statement.clear tallyhook',
  ]);
  await audited.remove();
});
