import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceptionSums } from '../../../../src/reconcile/report/exception-sums.ts';
import { CLAIM_COLUMNS, claimsFiles } from '../../../../src/reconcile/sheet/claims.ts';
import type { Exception } from '../../../../src/store/exceptions.ts';
import { FILLED_EXCEPTIONS } from '../../../support/filled-report.ts';
import { sheetException } from '../../../support/sheets/exceptions.ts';

/* Fees that are too high by some kobo each, of which a settlement statement says some again. */

interface Fee {
  readonly over: number;
  readonly isRepeated: boolean;
}

const text = (minor: number) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
const fee = fc.record({ over: fc.integer({ min: 1, max: 999_999 }), isRepeated: fc.boolean() });
const [, charge] = FILLED_EXCEPTIONS;

function claimsOf(fees: readonly Fee[]): Exception[] {
  return fees.flatMap(({ over, isRepeated }, index) => {
    const money = { ours: '15.00', theirs: text(1_500 + over), variance: text(over), effect: `-${text(over)}` };
    const one: Exception = {
      ...sheetException({
        ...money,
        id: `x-${index}`,
        reference: `C-${index}`,
        status: 'resolved',
        resolution: 'claim',
      }),
      ...{ sub: null, kind: 'collection', leg: 'records-wallet', account: 'wallet', environment: 'live', field: 'fee' },
      ...{
        line: null,
        candidates: [],
        recordId: null,
        resolutionReference: 'CLM-9',
        attachments: [],
        resolvedBy: 'ada',
      },
      ...{ resolvedAtMs: 0, approval: null, payment: null, firstRun: 1, lastRun: 1 },
    };
    const again = { ...one, id: `x-${index}-again`, account: 'settled', leg: 'records-settlement', sameAs: one.id };
    return isRepeated ? [again, one] : [one];
  });
}

/** The one claim of a file, and its total. */
function rowsOf(values: Partial<Exception>): Record<string, string>[] {
  const claims = claimsOf([{ over: 1, isRepeated: false }]).map((one) => ({ ...one, ...values }));
  const [file] = claimsFiles(claims, { files: new Map(), followers: new Map(), scheduled: new Map() });
  return parse(file?.text ?? '', { bom: true, columns: true });
}

test.each<[name: string, values: Partial<Exception>, charged: string, schedule: string, difference: string]>([
  [
    'a failed payout that was debited and never reversed was charged, and nothing was due',
    { code: 'status_mismatch', kind: 'payout', ours: 'failed', theirs: 'success', variance: null, effect: '-26303.56' },
    ...(['26303.56', '0.00', '26303.56'] as const),
  ],
  [
    'a refund that was paid and whose reserve was not released was charged the reserve',
    { code: 'status_mismatch', kind: 'refund', ours: 'success', theirs: 'reserved', variance: null, effect: '-50.00' },
    ...(['50.00', '0.00', '50.00'] as const),
  ],
  [
    'a payout made twice was charged, and nothing was due',
    { code: 'duplicate_external', kind: 'payout', ours: null, theirs: '74.00', variance: null, effect: '-74.00' },
    ...(['74.00', '0.00', '74.00'] as const),
  ],
  [
    'a collection whose money the statement took back is money that should have come in',
    { code: 'status_mismatch', ours: 'success', theirs: 'reversed', variance: null, effect: '-985.00' },
    ...(['0.00', '-985.00', '985.00'] as const),
  ],
  [
    'a collection that is missing with its fee is money that should have come in',
    { code: 'missing_external', ours: '1000.00', theirs: null, variance: null, effect: '-985.00' },
    ...(['0.00', '-985.00', '985.00'] as const),
  ],
])('%s', (_, values, charged, schedule, difference) => {
  expect(rowsOf(values)).toMatchObject([
    { charged, schedule, difference },
    { id: 'total', charged, schedule, difference },
  ]);
});

test('the columns of the claims file end with what their amounts are by, and how the claim stands', () => {
  expect(CLAIM_COLUMNS.slice(-3)).toEqual(['claim', 'basis', 'state']);
});

test('the claims file and the page ask for each amount once, whatever a settlement says again', () => {
  fc.assert(
    fc.property(fc.array(fee, { minLength: 1, maxLength: 12 }), (fees) => {
      const claims = claimsOf(fees);
      const owed = text(fees.reduce((sum, { over }) => sum + over, 0));
      const followers = new Map(claims.flatMap((one) => (one.sameAs === null ? [] : [[one.sameAs, [one]]])));
      const counted = claims.filter(({ sameAs }) => sameAs === null);
      const [file] = claimsFiles(counted, { files: new Map(), followers, scheduled: new Map() });
      expect(file).toMatchObject({ claims: fees.length, difference: owed });
      expect(file?.text.match(/again in settled/g)?.length ?? 0).toBe(
        fees.filter(({ isRepeated }) => isRepeated).length,
      );

      const sums = exceptionSums(() => true);
      for (const { sameAs, variance, effect } of claims) {
        if (charge !== undefined) sums.add({ ...charge, sameAs, variance, effect });
      }
      const { byCode, repeated } = sums.figures().exceptions;
      const again = fees.filter(({ isRepeated }) => isRepeated).length;
      expect(byCode).toMatchObject([{ count: fees.length, variance: owed }]);
      expect(repeated).toMatchObject(again === 0 ? [] : [{ count: again }]);
      expect(sums.figures().claimed).toMatchObject([{ claims: fees.length, amount: owed }]);
    }),
  );
});
