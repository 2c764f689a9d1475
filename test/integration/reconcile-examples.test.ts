import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { carryOut, filesOf } from '../support/month/examples.ts';
import type { Report } from '../support/month/judge.ts';
import { PROOF_ROWS } from '../support/month/story.ts';

const ZERO = ['0.00', '0.00', '0.00'];

const EXAMPLES = ['fee-and-vat', 'refund-across-the-month', 'batch-to-the-bank', 'open-before'];

test.each(EXAMPLES)('the files of %s stand in the documentation as they are read', (name) => {
  const documentation = readFileSync(packageFile('docs/reconciliation.md'), 'utf8');
  for (const text of filesOf(name)) expect(documentation).toContain(`\`\`\`csv\n${text}\`\`\``);
});

/** Figures of docs/reconciliation.md, computed by hand. */
test.each(EXAMPLES)('the example %s', async (name) => {
  await carryOut(name, (expected, { code, report }) => {
    const { proof, matched } = report as Report;
    for (const list of ['breaks', 'timing', 'carried', 'reserved'] as const) {
      const items = expected[list];
      if (items !== undefined)
        expect([list, report[list]]).toEqual([list, items.map((one) => expect.objectContaining(one))]);
    }
    for (const [account, rows] of Object.entries(expected.proof)) {
      const actual = proof.find((one) => one.account === account);
      const shown = new Map(
        actual?.rows.map(({ name, ours, theirs, difference }) => [name, [ours, theirs, difference]]),
      );
      const of = (get: (row: string) => unknown) => PROOF_ROWS.map((row) => [row, get(row)]);
      expect([account, of((row) => shown.get(row) ?? ZERO)]).toEqual([account, of((row) => rows[row] ?? ZERO)]);
      expect([account, actual?.unexplained]).toEqual([account, '0.00']);
    }
    if (expected.matched !== undefined) expect(matched).toMatchObject(expected.matched);
    if (expected.exit !== undefined) expect(code).toBe(expected.exit);
  });
});
