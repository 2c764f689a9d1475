import { STANDARD_CHECK_RULES } from '../../src/domain/checks/next-check.ts';
import { parseAmount } from '../../src/domain/money/amount.ts';
import type { RecordKind } from '../../src/domain/records/lifecycle.ts';
import type { Delivery } from '../../src/store/inbox.ts';
import { checked } from './check.ts';
import { collection, type EventParts, payout, refund } from './deliveries.ts';
import { FixedClock } from './fixed-clock.ts';
import { openOperations } from './operations.ts';
import { TestDatabase } from './test-database.ts';

/** A month in which every break is planted that two witnesses can have, each under a reference of its own. */

export const october = ['--from', '2026-10-01', '--to', '2026-10-31'] as const;

export const PLANTED = {
  breaks: [
    'status_mismatch/tie R-tie',
    'status_mismatch/final_regressed R-regressed',
    'status_mismatch/final_conflict P-conflict',
    'status_mismatch/contradiction R-contradiction',
    'status_mismatch/variant R-variant',
    'status_mismatch/webhook_vs_api P-against',
    'amount_mismatch R-amount',
    'currency_mismatch R-currency',
    'fact_mismatch P-account',
    'reserve_mismatch R-reserve',
    'unparsed R-unreadable',
    'missing_external/never_seen C-never',
    'missing_external/absent R-absent',
    'amount_mismatch/expected C-expected',
    'currency_mismatch/expected C-dollars',
    'stuck/unaskable C-unaskable',
    'stuck R-stuck',
    'amount_mismatch/charge C-underpaid',
    'fee_mismatch P-fee',
    'duty_mismatch P-duty',
    'duplicate_internal P-twice-2',
    'amount_mismatch/over_refunded C-over',
  ],
  timing: ['timing/unsettled R-reserve', 'timing/unconfirmed R-young'],
} as const;

const day = (number: number, time = '09:00:00') => `2026-10-${String(number).padStart(2, '0')}T${time}Z`;
const RECEIVED_MS = Date.parse('2026-11-01T08:00:00Z');
const ANSWERED_MS = Date.parse('2026-11-01T10:00:00Z');

/** What each witness says of one record; without an answer the service was not asked. */
interface Told {
  readonly reference: string;
  readonly kind: RecordKind;
  readonly webhooks: readonly (readonly [status: string, parts?: EventParts])[];
  readonly answer?: readonly [status: string, data?: Record<string, unknown>];
  readonly environment?: 'live';
}

const MAKE = { refund, payout, collection } as const;
const ten = { updatedAt: day(10) };
const SUCCESS = [['success', ten]] as const;

const TOLD: readonly Told[] = [
  {
    reference: 'C-fine',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '100.00', fees: '2.00' } }]],
    answer: ['success', { requested_amount: '100.00', amount: '100.00', fees: '2.00' }],
  },
  // The charge may be stated with its fee or without.
  {
    reference: 'C-net',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '100.00', amount: '98.00', fees: '2.00' } }]],
    answer: ['success', { requested_amount: '100.00', amount: '100.00', fees: '2.00' }],
  },
  // Its webhook was lost: the check repaired it.
  {
    reference: 'R-lost',
    kind: 'refund',
    webhooks: [['processing', { updatedAt: day(9) }]],
    answer: ['success', { updated_at: day(10) }],
  },
  {
    reference: 'R-tie',
    kind: 'refund',
    webhooks: [
      ['failed', ten],
      ['processing', ten],
    ],
    answer: ['success', { updated_at: day(11) }],
  },
  {
    reference: 'R-regressed',
    kind: 'refund',
    webhooks: [
      ['success', ten],
      ['processing', { updatedAt: day(11) }],
    ],
    answer: ['success'],
  },
  {
    reference: 'P-conflict',
    kind: 'payout',
    webhooks: [
      ['failed', { updatedAt: day(9) }],
      ['success', ten],
    ],
    answer: ['success'],
  },
  {
    reference: 'R-contradiction',
    kind: 'refund',
    webhooks: [['failed', { ...ten, event: 'refund.success' }]],
    answer: ['success', { updated_at: day(10) }],
  },
  {
    reference: 'R-variant',
    kind: 'refund',
    webhooks: [
      ['processing', { ...ten, data: { funding: { status: 'funded' } } }],
      ['processing', { ...ten, data: { funding: { status: 'pending' } } }],
      ['success', { updatedAt: day(11) }],
    ],
    answer: ['success'],
  },
  { reference: 'P-against', kind: 'payout', webhooks: SUCCESS, answer: ['failed', { updated_at: day(10) }] },
  {
    reference: 'R-amount',
    kind: 'refund',
    webhooks: SUCCESS,
    answer: ['success', { amount: '5.00', currency: 'USD' }],
  },
  {
    reference: 'R-currency',
    kind: 'refund',
    webhooks: [
      ['processing', { updatedAt: day(9), data: { currency: 'NGN' } }],
      ['success', ten],
    ],
    answer: ['success'],
  },
  {
    reference: 'P-account',
    kind: 'payout',
    webhooks: [['success', { ...ten, data: { account_number: '0123456789' } }]],
    answer: ['success', { account_number: '9876543210' }],
  },
  {
    reference: 'R-reserve',
    kind: 'refund',
    webhooks: [
      ['processing', { updatedAt: day(28), data: { requested_at: day(27), fee: '0.20', total_reserved: '51.00' } }],
    ],
    answer: ['processing', { fee: '0.20', total_reserved: '51.00', updated_at: day(28) }],
  },
  {
    reference: 'R-unreadable',
    kind: 'refund',
    webhooks: [['success', { ...ten, data: { amount: '1,00' } }]],
    answer: ['success'],
  },
  { reference: 'R-absent', kind: 'refund', webhooks: SUCCESS, answer: ['success'] },
  {
    reference: 'C-expected',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '100.00' } }]],
    answer: ['success', { requested_amount: '100.00' }],
  },
  {
    reference: 'C-dollars',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '100.00' } }]],
    answer: ['success', { requested_amount: '100.00' }],
  },
  {
    reference: 'C-unaskable',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '100.00' } }]],
  },
  {
    reference: 'R-stuck',
    kind: 'refund',
    webhooks: [['processing', { updatedAt: day(3), data: { requested_at: day(2) } }]],
    answer: ['processing'],
  },
  // Requested on the 25th: the service has ten days.
  {
    reference: 'R-young',
    kind: 'refund',
    webhooks: [['success', { updatedAt: day(26), data: { requested_at: day(25) } }]],
  },
  {
    reference: 'C-underpaid',
    kind: 'collection',
    webhooks: [['success', { ...ten, data: { requested_amount: '40.00', amount: '0.40', fees: '0.00' } }]],
    answer: ['success', { requested_amount: '40.00', amount: '0.40', fees: '0.00' }],
  },
  {
    reference: 'P-fee',
    kind: 'payout',
    webhooks: [['success', { ...ten, data: { fee: '15.00' } }]],
    answer: ['success', { amount: '100.00', currency: 'NGN', fee: '12.50' }],
  },
  {
    reference: 'P-duty',
    kind: 'payout',
    webhooks: [['success', { ...ten, data: { stamp_duty: '50.00' } }]],
    answer: ['success', { stamp_duty: '0.00' }],
  },
  {
    reference: 'P-twice-1',
    kind: 'payout',
    webhooks: [['success', { ...ten, data: { sessionid: 'S1', bank_code: '1', account_number: '5' } }]],
    answer: ['success', { sessionid: 'S1' }],
  },
  {
    reference: 'P-twice-2',
    kind: 'payout',
    webhooks: [['success', { updatedAt: day(11), data: { sessionid: 'S1', bank_code: '1', account_number: '5' } }]],
    answer: ['success', { sessionid: 'S1' }],
  },
  // One session id, but another amount or destination: other payouts.
  {
    reference: 'P-session-3',
    kind: 'payout',
    webhooks: [['success', { ...ten, data: { sessionid: 'S1', amount: '7.00' } }]],
    answer: ['success', { sessionid: 'S1' }],
  },
  {
    reference: 'C-over',
    kind: 'collection',
    webhooks: [
      ['success', { updatedAt: day(5), data: { requested_amount: '10.00', amount: '10.00', currency: 'USD' } }],
    ],
    answer: ['success'],
  },
  ...['R-over-1', 'R-over-2'].map(
    (reference): Told => ({
      reference,
      kind: 'refund',
      webhooks: [['success', { ...ten, data: { amount: '6.00', transaction_reference: 'C-over' } }]],
      answer: ['success'],
    }),
  ),
  {
    reference: 'R-rejected',
    kind: 'refund',
    webhooks: [['rejected', { ...ten, data: { amount: '6.00', transaction_reference: 'C-over' } }]],
    answer: ['rejected'],
  },
  // Outside the month.
  {
    reference: 'P-september',
    kind: 'payout',
    webhooks: [['success', { updatedAt: '2026-09-30T22:59:59Z', data: { fee: '1.00' } }]],
    answer: ['success', { fee: '2.00' }],
  },
  {
    reference: 'C-live',
    kind: 'collection',
    environment: 'live',
    webhooks: [
      [
        'success',
        {
          updatedAt: day(14, '23:30:00'),
          data: { requested_amount: '90071992547409.93', amount: '90071992547409.93', channel: 'card' },
        },
      ],
    ],
    answer: ['success', { requested_amount: '90071992547409.93', amount: '90071992547409.93', channel: 'card' }],
  },
];

/** Fills the database with that month: webhooks through the inbox, answers through finished checks. */
async function plantOctober(db: TestDatabase): Promise<void> {
  await track(db);
  db.keepAndApply(...TOLD.flatMap(deliveriesOf));
  for (const { reference, kind, answer, environment } of TOLD) {
    if (answer === undefined) continue;
    const [status, data = {}] = answer;
    await checked(db, reference, status, { kind, data, nowMs: ANSWERED_MS, ...(environment && { environment }) });
  }
  await checked(db, 'C-unaskable', null, { kind: 'collection', nowMs: ANSWERED_MS, outcome: 'unaskable' });
  db.database.exec(`
    INSERT OR IGNORE INTO proven_endpoints (environment, endpoint, proven_at)
    VALUES ('test', 'payout', 1), ('test', 'collection', 1), ('live', 'collection', 1);
    INSERT INTO findings (kind, record_id, environment, reference, code, subject, detail, opened_at)
    SELECT 'refund', id, 'test', reference, 'absent', 'reference', 'not listed', ${ANSWERED_MS} FROM refunds WHERE reference = 'R-absent'`);
}

export function deliveriesOf({ reference, kind, webhooks, environment = 'test' as never }: Told): Delivery[] {
  const over = { receivedAtMs: RECEIVED_MS, ...(environment === 'live' && { environment }) };
  return webhooks.map(([status, parts]) => MAKE[kind](reference, status, parts, over));
}

/** What the merchant expects. */
async function track({ path }: TestDatabase): Promise<void> {
  const operations = openOperations(path, STANDARD_CHECK_RULES, new FixedClock(Date.parse('2026-10-01T00:00:00Z')));
  const expected = (reference: string, amount: string, currency: string, expectedBy: string | null) => ({
    kind: 'collection' as const,
    environment: 'test' as const,
    reference,
    amount: parseAmount(amount),
    currency,
    expectedByMs: expectedBy === null ? null : Date.parse(expectedBy),
  });
  try {
    await operations.tracking.track({
      expected: [
        expected('C-never', '70.00', 'NGN', day(20)),
        expected('C-later', '70.00', 'NGN', '2026-11-20T00:00:00Z'),
        expected('C-expected', '99.00', 'NGN', null),
        expected('C-dollars', '100.00', 'USD', null),
      ],
    });
  } finally {
    await operations.close();
  }
}

/** The path of a closed database with October planted, once for the worker: begin each test with a copy of it. */
export function plantedOctober(): Promise<string> {
  planted ??= (async () => {
    const db = new TestDatabase();
    await plantOctober(db);
    db.database.close();
    return db.path;
  })();
  return planted;
}
let planted: Promise<string> | undefined;
