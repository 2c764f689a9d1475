import type {
  PeriodSignOff,
  Report,
  ReportedException,
  ReportProofRow,
  ShownReport,
} from '../../src/reconcile/report/model.ts';

/* A month with something in every part of a report. Its figures add up, by hand: a rendering may be held against them. */

const LIVE = { environment: 'live' } as const;
const NGN = { ...LIVE, currency: 'NGN' } as const;
const WALLET = { ...NGN, account: 'wallet-main' } as const;
const BANK = { ...NGN, account: 'bank-main' } as const;
const DOLLARS = { ...LIVE, account: 'wallet-main', currency: 'USD' } as const;

const row = (name: ReportProofRow['name'], ours: string, theirs = ours, difference = '0.00'): ReportProofRow => ({
  name,
  ours,
  theirs,
  difference,
});
const zero = (name: ReportProofRow['name']) => row(name, '0.00');

const FROM_BEFORE = { variance: '0.00', effect: '-50.00', effectOutside: '0.00' } as const;

export const FILLED_REPORT: Report = {
  report: 'month',
  period: '2026-10',
  from: '2026-10-01',
  to: '2026-10-31',
  zone: 'Africa/Lagos',
  cutOff: '24:00',
  set: 'live',
  environment: 'live',
  asAt: '2026-11-03T08:00:00.000Z',
  proof: [
    {
      ...BANK,
      isBalanceStated: true,
      covers: { from: '2026-10-01', to: '2026-10-31' },
      rows: [
        zero('opening'),
        ...[zero('collections'), zero('fees'), zero('tax'), zero('duty'), zero('refunds'), zero('refund_fees')],
        ...[zero('reserves'), zero('payouts'), zero('reversals'), zero('top_ups')],
        row('settlements', '150000.00'),
        ...[zero('chargebacks'), zero('adjustments')],
        row('other', '0.00', '25.00', '25.00'),
        row('closing', '150000.00', '150025.00', '25.00'),
      ],
      explained: [{ by: 'exceptions', count: 1, effect: '25.00' }],
      unexplained: '0.00',
    },
    {
      ...WALLET,
      isBalanceStated: true,
      covers: { from: '2026-10-01', to: '2026-10-31' },
      rows: [
        row('opening', '100000.00', '99950.00', '-50.00'),
        row('collections', '250000.00', '249000.00', '-1000.00'),
        row('fees', '-3750.00', '-3765.00', '-15.00'),
        row('tax', '-281.25', '-282.38', '-1.13'),
        row('duty', '-50.00'),
        row('refunds', '-12000.00'),
        row('refund_fees', '-100.00'),
        zero('reserves'),
        row('payouts', '-80000.00', '-80040.00', '-40.00'),
        ...[zero('reversals'), zero('top_ups')],
        row('settlements', '-150000.00'),
        row('chargebacks', '-2500.00'),
        ...[zero('adjustments'), zero('other')],
        row('closing', '1318.75', '212.62', '-1106.13'),
      ],
      explained: [
        { by: 'exceptions', count: 4, effect: '-756.13' },
        { by: 'timing', count: 1, effect: '-300.00' },
        { by: 'carried', count: 1, effect: '-50.00' },
      ],
      unexplained: '0.00',
    },
    {
      ...DOLLARS,
      isBalanceStated: true,
      covers: { from: '2026-10-01', to: '2026-10-31' },
      rows: [
        row('opening', '50.00'),
        row('collections', '10.00'),
        ...[zero('fees'), zero('tax'), zero('duty'), zero('refunds'), zero('refund_fees'), zero('reserves')],
        ...[zero('payouts'), zero('reversals'), zero('top_ups'), zero('settlements'), zero('chargebacks')],
        ...[zero('adjustments'), zero('other')],
        row('closing', '60.00'),
      ],
      explained: [],
      unexplained: '0.00',
    },
  ],
  inTransit: {
    batches: [
      { ...NGN, account: 'bank-main', reference: 'BATCH-7', date: '2026-10-30', age: '1-3d', amount: '1200.00' },
    ],
    byAge: [
      { ...NGN, age: '<24h', collections: 2, amount: '1800.00' },
      { ...NGN, age: '1-3d', collections: 1, amount: '700.00' },
      { ...NGN, age: '>7d', collections: 1, amount: '950.25' },
    ],
    byDay: Array.from({ length: 31 }, (_, index) => ({
      ...NGN,
      date: `2026-10-${String(index + 1).padStart(2, '0')}`,
      collections: index === 30 ? 4 : 3 + (index % 5),
      amount: index === 30 ? '3450.25' : `${2000 + ((index * 713) % 2600)}.00`,
    })),
  },
  reserved: [
    { ...NGN, status: 'pending', age: '<24h', refunds: 1, reserved: '500.00', broken: 0, withoutReserve: 0 },
    { ...NGN, status: 'processing', age: '3-7d', refunds: 2, reserved: '1250.50', broken: 1, withoutReserve: 0 },
  ],
  fees: {
    charged: [
      {
        ...WALLET,
        ...{ fees: '3765.00', refundFees: '100.00', tax: '282.38', duty: '50.00', total: '4197.38' },
        ...{ ours: '4181.25', difference: '16.13' },
      },
    ],
    audit: [
      {
        ...NGN,
        ...{ rows: 312, agreed: 310, withoutRule: 0, unstated: 0 },
        ...{ overLines: 2, overcharged: '16.13', underLines: 0, undercharged: '0.00', difference: '16.13' },
      },
    ],
    claimed: [{ ...NGN, claims: 2, amount: '16.13' }],
  },
  exceptions: {
    byCode: [
      {
        ...NGN,
        code: 'missing_external',
        count: 1,
        open: 1,
        variance: '0.00',
        effect: '-700.00',
        effectOutside: '0.00',
      },
      { ...NGN, code: 'fee_mismatch', count: 1, open: 0, variance: '15.00', effect: '-15.00', effectOutside: '0.00' },
      { ...NGN, code: 'tax_mismatch', count: 1, open: 0, variance: '1.13', effect: '-1.13', effectOutside: '0.00' },
      { ...NGN, code: 'status_mismatch', count: 1, open: 1, variance: '0.00', effect: '0.00', effectOutside: '0.00' },
      { ...NGN, code: 'unclassified', count: 1, open: 0, variance: '0.00', effect: '25.00', effectOutside: '0.00' },
      { ...NGN, code: 'late_arrival', count: 1, open: 1, variance: '0.00', effect: '-40.00', effectOutside: '0.00' },
    ],
    byAge: [
      { ...NGN, age: '<24h', count: 1, open: 0, variance: '0.00', effect: '25.00', effectOutside: '0.00' },
      { ...NGN, age: '1-3d', count: 1, open: 1, variance: '0.00', effect: '0.00', effectOutside: '0.00' },
      { ...NGN, age: '>7d', count: 4, open: 2, variance: '16.13', effect: '-756.13', effectOutside: '0.00' },
    ],
    byResolution: [
      {
        ...NGN,
        resolution: null,
        reasonCode: null,
        count: 3,
        open: 3,
        variance: '0.00',
        effect: '-740.00',
        effectOutside: '0.00',
      },
      {
        ...NGN,
        ...{
          resolution: 'accept',
          reasonCode: 'bank_charge',
          count: 1,
          open: 0,
          variance: '0.00',
          effect: '25.00',
          effectOutside: '0.00',
        },
      },
      {
        ...NGN,
        ...{
          resolution: 'claim',
          reasonCode: 'service_error',
          count: 2,
          open: 0,
          variance: '16.13',
          effect: '-16.13',
          effectOutside: '0.00',
        },
      },
    ],
    repeated: [],
  },
  carried: {
    byCode: [{ ...NGN, code: 'duplicate_external', count: 1, open: 0, ...FROM_BEFORE }],
    byAge: [{ ...NGN, age: '>7d', count: 1, open: 0, ...FROM_BEFORE }],
    repeated: [],
    claims: [{ ...NGN, claims: 1, amount: '50.00' }],
    items: [
      {
        ...{
          ...WALLET,
          id: 'x-0a0000000000000000000007',
          code: 'duplicate_external',
          sub: null,
          leg: 'records-wallet',
        },
        ...{ kind: 'payout', reference: 'P-61', date: '2026-09-19', since: '2026-09', age: '>7d' },
        ...{ ours: null, theirs: '50.00', effect: '-50.00', isInProof: true, status: 'resolved', resolution: 'claim' },
        ...{ reasonCode: 'service_error', needsApproval: false, followUp: '2026-11-14', sameAs: null },
      },
    ],
    more: 0,
  },
  waiting: [
    { list: 'timing', ...WALLET, count: 1, effect: '-300.00' },
    { list: 'carried', ...WALLET, count: 1, effect: '-50.00' },
    { list: 'not_confirmed', ...NGN, account: null, count: 12, effect: '0.00' },
  ],
  atRisk: [{ ...NGN, records: 5, amount: '4265.00' }],
  matchRate: {
    legs: [
      {
        ...NGN,
        ...{ leg: 'records-wallet', matched: 311, unmatched: 1, notDue: 1, noStatement: 0, rate: '99.67' },
      },
      { ...NGN, leg: 'batch-bank', matched: 4, unmatched: 0, notDue: 0, noStatement: 0, rate: '100.00' },
      {
        ...{ ...LIVE, currency: 'USD', leg: 'records-wallet' },
        ...{ matched: 1, unmatched: 0, notDue: 0, noStatement: 3, rate: '100.00' },
      },
    ],
    byDay: [
      { ...LIVE, leg: 'records-wallet', date: '2026-10-11', matched: 150, unmatched: 0, rate: '100.00' },
      { ...LIVE, leg: 'records-wallet', date: '2026-10-12', matched: 161, unmatched: 1, rate: '99.38' },
      { ...LIVE, leg: 'records-wallet', date: '2026-10-13', matched: 1, unmatched: 0, rate: '100.00' },
      { ...LIVE, leg: 'batch-bank', date: '2026-10-15', matched: 4, unmatched: 0, rate: '100.00' },
    ],
  },
  uncompared: [{ ...WALLET, type: 'top_up', leg: 'topup-bank', lacks: 'bank', lines: 2, moved: '250.00' }],
  late: [{ ...WALLET, count: 1, effect: '-40.00' }],
  prepared: { who: 'Ada Obi', at: '2026-11-03T09:12:00.000Z' },
  approved: null,
  digests: {
    rules: { name: 'standard', sha256: '3f'.repeat(32) },
    profiles: [
      { name: 'bank', sha256: 'b1'.repeat(32) },
      { name: 'wallet', sha256: 'a7'.repeat(32) },
    ],
    files: [
      {
        ...{ ...LIVE, account: 'bank-main', kind: 'bank', name: 'bank-october.csv', sha256: 'c0'.repeat(32) },
        ...{ from: '2026-10-01', to: '2026-10-31', lines: 5, unparsed: 0 },
      },
      {
        ...{ ...LIVE, account: 'wallet-main', kind: 'wallet', name: 'wallet-october.xlsx', sha256: 'd9'.repeat(32) },
        ...{ from: '2026-10-01', to: '2026-10-31', lines: 330, unparsed: 0 },
      },
    ],
    exceptions: 'e5'.repeat(32),
  },
  controlTotals: [
    {
      ...NGN,
      ...{ lines: 334, moved: '50287.62', closingOurs: '151318.75' },
      ...{ closingTheirs: '150237.62', unexplained: '0.00', exceptions: 6, variance: '16.13', effect: '-731.13' },
      ...{ carried: 1, carriedEffect: '-50.00' },
    },
    {
      ...{ ...LIVE, currency: 'USD', lines: 1, moved: '10.00', closingOurs: '60.00' },
      ...{ closingTheirs: '60.00', unexplained: '0.00', exceptions: 0, variance: '0.00', effect: '0.00' },
      ...{ carried: 0, carriedEffect: '0.00' },
    },
  ],
};

const OPEN = {
  ...{ status: 'open', resolution: null, reasonCode: null, assignee: null, comment: null, followUp: null },
  needsApproval: false,
  sameAs: null,
  line: null,
};
const CLAIMED = {
  ...{ ...OPEN, status: 'resolved', resolution: 'claim', reasonCode: 'service_error', assignee: 'Ada Obi' },
  ...{ comment: 'ref: CLM-7; charged above the schedule', followUp: '2026-11-14' },
};
const OF_COLLECTION = { ...WALLET, leg: 'records-wallet', kind: 'collection', sub: null, side: 'ours' } as const;

export const FILLED_EXCEPTIONS: readonly ReportedException[] = [
  {
    ...{ ...BANK, ...OPEN, id: 'x-0a0000000000000000000001', code: 'unclassified', sub: null, side: 'theirs' as const },
    ...{ what: 'the profile does not know the word "ALERT FEE"', kind: null, leg: null, reference: null },
    ...{ date: '2026-10-31', ours: null, theirs: '25.00', variance: null, effect: '25.00', ageDays: 0, age: '<24h' },
    ...{
      nextStep: 'Add the word to the profile.',
      status: 'resolved',
      resolution: 'accept',
      reasonCode: 'bank_charge',
    },
    line: { statement: 1, row: 4 },
  },
  {
    ...{ ...OF_COLLECTION, ...CLAIMED, id: 'x-0a0000000000000000000002', code: 'fee_mismatch', reference: 'C-1031' },
    ...{ what: 'fee 27.50, schedule says 12.50', date: '2026-10-20', ageDays: 11, age: '>7d' },
    ...{ ours: '12.50', theirs: '27.50', variance: '15.00', effect: '-15.00', nextStep: 'Claim 15.00 NGN.' },
    line: { statement: 2, row: 31 },
  },
  {
    ...{ ...OF_COLLECTION, ...OPEN, id: 'x-0a0000000000000000000003', code: 'late_arrival', reference: 'P-77' },
    ...{ kind: 'payout' as const, what: 'dated 2026-09-28, in a closed period', date: '2026-09-28', ageDays: 33 },
    ...{
      age: '>7d',
      ours: null,
      theirs: '40.00',
      variance: null,
      effect: '-40.00',
      nextStep: 'Nothing: it posts here.',
    },
  },
  {
    ...{ ...OF_COLLECTION, ...OPEN, id: 'x-0a0000000000000000000004', code: 'missing_external', reference: 'C-1007' },
    ...{ what: 'no line of the wallet names it', date: '2026-10-12', ageDays: 19, age: '>7d', ours: '700.00' },
    ...{ theirs: null, variance: null, effect: '-700.00', nextStep: 'Ask the service where C-1007 is.' },
  },
  {
    ...{ ...OF_COLLECTION, ...OPEN, id: 'x-0a0000000000000000000005', code: 'status_mismatch', sub: 'webhook_vs_api' },
    ...{ account: null, leg: null, kind: 'refund' as const, reference: '=R-1"><b>', date: '2026-10-29', ageDays: 2 },
    ...{ what: 'the webhook says success, the service failed', age: '1-3d', ours: 'success', theirs: 'failed' },
    ...{ variance: null, effect: '0.00', nextStep: 'Check it again: tallyhook sweep --reference R-1' },
  },
  {
    ...{ ...OF_COLLECTION, ...CLAIMED, id: 'x-0a0000000000000000000006', code: 'tax_mismatch', reference: 'C-1031' },
    ...{ what: 'tax 2.07, schedule says 0.94', date: '2026-10-20', ageDays: 11, age: '>7d', ours: '0.94' },
    ...{ theirs: '2.07', variance: '1.13', effect: '-1.13', nextStep: 'Claim 1.13 NGN.' },
    line: { statement: 2, row: 31 },
  },
];

export const FILLED_CARRIED: readonly ReportedException[] = [
  {
    ...{
      ...OF_COLLECTION,
      ...CLAIMED,
      id: 'x-0a0000000000000000000007',
      code: 'duplicate_external',
      reference: 'P-61',
    },
    ...{ what: 'another line of this reference says the same', kind: 'payout', side: 'theirs', date: '2026-09-19' },
    ...{ ageDays: 42, age: '>7d', ours: null, theirs: '50.00', variance: null, effect: '-50.00' },
    ...{ nextStep: 'Claim 50.00 NGN.', line: { statement: 1, row: 44 } },
  },
];

export const FILLED_SIGN_OFF: PeriodSignOff = {
  state: 'approved',
  closing: 1,
  digest: 'f0'.repeat(32),
  head: `41:${'7c'.repeat(32)}`,
  approved: { who: 'Bola Ade', at: '2026-11-04T10:00:00.000Z' },
  sinceClose: [{ what: 'the collection was reversed', reference: 'C-1007', at: '2026-11-05T07:30:00.000Z' }],
};

export const FILLED_SHOWN: ShownReport = {
  report: FILLED_REPORT,
  signOff: FILLED_SIGN_OFF,
  async *exceptions() {
    yield* FILLED_EXCEPTIONS;
  },
  async *carried() {
    yield* FILLED_CARRIED;
  },
};
