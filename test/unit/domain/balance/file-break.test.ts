import { expect, test } from 'vitest';
import { controlFacts } from '../../../../src/domain/balance/file-break.ts';
import { itemWords } from '../../../../src/reconcile/recon-break.ts';

type Check = Parameters<typeof controlFacts>[1];

function reasonOf(check: Check): string {
  return itemWords({
    facts: controlFacts('october.csv', check),
    ...{ kind: null, environment: 'live', reference: null, recordId: null, currency: 'NGN', minor: null },
    ...{ firstSeen: '2026-10-31' },
    place: { leg: null, account: 'main', effect: 0n, line: null, candidates: [], names: '' },
  }).reason;
}

test.each<[Check, string]>([
  [
    { control: 'closing', stated: 98000n, computed: 98100n, cell: { row: 9, column: 'Balance' }, row: null },
    'closing: the file says 980.00, its lines make 981.00 (october.csv, row 9, column Balance)',
  ],
  [
    { control: 'rows', stated: 12n, computed: 11n, cell: { row: 1, column: '2' }, row: null },
    'rows: the file says 12, its lines make 11 (october.csv, row 1, column 2)',
  ],
  [
    { control: 'running', stated: 301n, computed: 300n, cell: { row: 3, column: 'Balance' }, row: 3 },
    'running: the file says 3.01, its lines make 3.00 (october.csv, from row 3 on, column Balance)',
  ],
])('a control that fails names the file and the cell that states it', (check, sentence) => {
  expect(reasonOf(check)).toBe(sentence);
});
