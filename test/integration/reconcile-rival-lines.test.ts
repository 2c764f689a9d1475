import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-root.ts';
import { datedProfile } from '../support/month/dated-profile.ts';
import { sale } from '../support/month/told.ts';
import { Shop } from '../support/shop/shop.ts';

/* Each sale has two lines of its amount, one with the right fee: that one stands, whichever comes first by its content. */

const PROFILE = datedProfile('wallet', { Sale: 'collection' }, { file: undefined, covers: undefined, fee: 'Fee' });
const SCHEDULE = 'schedule:\n  - { from: 2026-01-01, kind: collection, currency: NGN, percent: 1.5 }\n';
const REFERENCES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

test('of two lines with the amount the one with our fee stands, and nothing is claimed of the other', async () => {
  const shop = await Shop.of(REFERENCES.map((reference) => sale(reference, '1000.00', '15.00')));
  const standard = readFileSync(packageFile('templates', 'rules', 'standard.yaml'), 'utf8');
  shop.file('rules.yaml', standard.replace('schedule: []\n', SCHEDULE));
  shop.file('wallet.yaml', PROFILE);
  const lines = REFERENCES.flatMap((name) => [
    `2026-10-05,${name},Sale,980.00,20.00`,
    `2026-10-05,${name},Sale,985.00,15.00`,
  ]);
  await shop.take('wallet', 'wallet.csv', `Date,Reference,Type,Amount,Fee\n${lines.join('\n')}\n`);
  const { breaks, audit, matched, proof } = await shop.reconcile(
    { from: '2026-10-01', to: '2026-10-31' },
    { rules: 'rules.yaml' },
  );
  expect(
    breaks.map(({ code, reference, theirs, line }: Record<string, unknown>) => ({ code, reference, theirs, line })),
  ).toEqual(
    REFERENCES.map((reference, index) => {
      return { code: 'duplicate_external', reference, theirs: '1000.00', line: { statement: 1, row: 2 * index + 2 } };
    }),
  );
  expect(matched['records-wallet']).toBe(REFERENCES.length);
  expect(audit.lines).toEqual([]);
  expect(proof).toMatchObject([{ unexplained: '0.00' }]);
});
