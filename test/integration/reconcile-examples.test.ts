import { expect, test, vi } from 'vitest';
import { carryOut } from '../support/month/examples.ts';
import type { Report } from '../support/month/judge.ts';
import { PROOF_ROWS } from '../support/month/story.ts';

vi.setConfig({ testTimeout: 240_000 });

const ZERO = ['0.00', '0.00', '0.00'];

/** Figures of docs/reconciliation.md, computed by hand. */
test.each(['fee-and-vat', 'refund-across-the-month', 'batch-to-the-bank', 'open-before'])(
  'the example %s',
  async (name) => {
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
  },
);
