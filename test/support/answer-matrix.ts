// Every way an answer of the service can fail to be about the record asked for, with what must come of it at each place. Written
// from decision 105 and interface.md; it shares no code with the product.

export const KINDS = ['refund', 'payout', 'collection'] as const;
export type Kind = (typeof KINDS)[number];

/** What must come of an answer. The sentences are the table in docs/reliability.md. */
export const CONSEQUENCES = {
  taken: 'taken',
  'taken, finding': 'taken; finding about the amount',
  nothing: 'nothing moves',
  'nothing, finding': 'nothing moves; finding `other_answer`',
  waits: 'payout: still pending; else nothing moves',
  'usd only': 'refund: an error; else shown, and nothing is kept',
  unknown: 'outcome stays unknown',
  accepted: 'accepted, and no status of it is used; refund: outcome stays unknown',
  proven: 'proven',
  unproven: 'stays unproven',
  success: '`success`',
  pending: '`pending`',
} as const;
export type Consequence = keyof typeof CONSEQUENCES;

/** The places where the service is asked. */
export const PLACES = {
  sweep: 'Sweep',
  command: 'Status command',
  guessed: 'Guessed endpoint',
  request: 'Answer to the request itself',
  after502: 'Request after a 502',
  callback: 'Callback',
} as const;
export type Place = keyof typeof PLACES;

type Answer = readonly [httpStatus: number, body: unknown];
type Wire = Record<string, unknown>;

/** What the test's webhooks and requests say about each record. */
export const MONEY = {
  refund: { amount: '50.00', currency: 'USD' },
  payout: { amount: '100.00', currency: 'NGN' },
  collection: { requested_amount: '40.00', amount: '40.00', currency: 'USD' },
} as const satisfies Record<Kind, Wire>;

const NAME = { refund: 'refund_reference', payout: 'reference', collection: 'reference' } as const;
const WRONG_NAME = { refund: 'reference', payout: 'refund_reference', collection: 'id' } as const;
const WRAPPER = { refund: 'refund', payout: 'payout', collection: 'transaction' } as const;
const AMOUNT = { refund: 'amount', payout: 'amount', collection: 'requested_amount' } as const;

/** The whole record with status success; the account lets a payout be recognised after a 502. */
function whole(kind: Kind, reference: string): Wire {
  const more = {
    refund: { transaction_reference: 'TX_81' },
    payout: { account_number: '0000000001', bank_code: '1' },
    collection: {},
  };
  return { [NAME[kind]]: reference, status: 'success', ...MONEY[kind], ...more[kind] };
}

function without(wire: Wire, ...names: readonly string[]): Wire {
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !names.includes(name)));
}

export interface Row {
  readonly answer: string;
  readonly body: (kind: Kind, reference: string) => Answer;
  readonly expected: Readonly<Record<Place, Consequence>>;
  /** The records that can be answered so. */
  readonly kinds: readonly Kind[];
  /** It names one record, and another: the service assigns the reference of a new refund, so to its request it is no other one. */
  readonly namesAnother?: true;
}

const OWN = {
  sweep: 'taken',
  command: 'taken',
  guessed: 'proven',
  request: 'taken',
  after502: 'taken',
  callback: 'success',
} as const;
const WITHOUT = {
  sweep: 'nothing',
  command: 'nothing',
  guessed: 'unproven',
  request: 'accepted',
  after502: 'unknown',
  callback: 'pending',
} as const;
const ANOTHER = { ...WITHOUT, request: 'unknown' } as const;
const ELSEWHERE = { ...ANOTHER, sweep: 'nothing, finding' } as const;
/** A single status command knows no currency but that of refunds. */
const OTHER_CURRENCY = { ...ELSEWHERE, command: 'usd only' } as const;
const INCOMPLETE = { ...OWN, callback: 'pending' } as const;
/** A check of the status may find it; the request that was made is another one. */
const NOT_REQUESTED = { ...OWN, request: 'unknown', after502: 'unknown' } as const;

/** Less money came than was requested: a status, and no payment of the order. */
const UNDERPAID = { ...INCOMPLETE, sweep: 'taken, finding' } as const;

const row = (answer: string, expected: Row['expected'], body: Row['body']): Row => ({
  answer,
  body,
  expected,
  kinds: KINDS.filter((kind) => !/^(refund|payout|collection):/.test(answer) || answer.startsWith(kind)),
  ...(/^another reference(, 202)?$|reference in another/.test(answer) && { namesAnother: true }),
});
/** The whole record, changed. */
const data = (answer: string, expected: Row['expected'], change: (wire: Wire, kind: Kind) => Wire, status = 200): Row =>
  row(answer, expected, (kind, reference) => [status, { success: true, data: change(whole(kind, reference), kind) }]);

export const ROWS: readonly Row[] = [
  data('names the record', OWN, (wire) => wire),
  row('names it inside `data.refund`, `data.payout` or `data.transaction`', OWN, (kind, reference) => [
    200,
    { success: true, data: { [WRAPPER[kind]]: whole(kind, reference) } },
  ]),
  data('an empty object inside the record', OWN, (wire, kind) => ({ ...wire, [WRAPPER[kind]]: {} })),
  data('an object without a reference inside the record', OWN, (wire, kind) => ({
    ...wire,
    [WRAPPER[kind]]: { status: 'failed' },
  })),
  data('and `domain` of the key in another letter case', OWN, (wire) => ({ ...wire, domain: 'TEST' })),
  data('and `domain` is null', OWN, (wire) => ({ ...wire, domain: null })),
  data('and `domain` is empty', OWN, (wire) => ({ ...wire, domain: '' })),

  data('no reference', WITHOUT, (wire, kind) => without(wire, NAME[kind])),
  row('`{"success":true,"data":{"status":"success"}}`', WITHOUT, () => [
    200,
    { success: true, data: { status: 'success' } },
  ]),
  row('`{"status":"ok"}`', WITHOUT, () => [200, { status: 'ok' }]),
  row('`{"status":"success"}` without data', WITHOUT, () => [200, { status: 'success', message: 'ok' }]),
  data('no reference, and a status that settles nothing', WITHOUT, (wire, kind) => ({
    ...without(wire, NAME[kind]),
    status: 'pending',
  })),
  data('a reference that is null', WITHOUT, (wire, kind) => ({ ...wire, [NAME[kind]]: null })),
  data('a reference that is empty', WITHOUT, (wire, kind) => ({ ...wire, [NAME[kind]]: '' })),
  data('the reference in a list', WITHOUT, (wire, kind) => ({ ...wire, [NAME[kind]]: [wire[NAME[kind]]] })),
  data('the reference under another name', WITHOUT, (wire, kind) => ({
    ...without(wire, NAME[kind]),
    [WRONG_NAME[kind]]: wire[NAME[kind]],
  })),
  row('the reference beside `data`, and a status of the envelope', WITHOUT, (kind, reference) => [
    200,
    { status: 'success', [NAME[kind]]: reference, data: without(whole(kind, reference), NAME[kind], 'status') },
  ]),
  row('the record in a list', WITHOUT, (kind, reference) => [200, { success: true, data: [whole(kind, reference)] }]),
  row('202 without data', { ...WITHOUT, sweep: 'waits', command: 'waits' }, () => [
    202,
    { success: true, message: 'ok' },
  ]),
  data('202 with data and no reference', WITHOUT, (wire, kind) => without(wire, NAME[kind]), 202),

  data('another reference', ANOTHER, (wire, kind) => ({ ...wire, [NAME[kind]]: 'another-0001' })),
  data('the reference in another letter case', ANOTHER, (wire, kind) => ({
    ...wire,
    [NAME[kind]]: String(wire[NAME[kind]]).toUpperCase(),
  })),
  data('another reference, 202', ANOTHER, (wire, kind) => ({ ...wire, [NAME[kind]]: 'another-0001' }), 202),
  row('another reference around the record', ANOTHER, (kind, reference) => [
    200,
    { success: true, [NAME[kind]]: 'another-0001', data: whole(kind, reference) },
  ]),
  row('another reference around `data` without one', ANOTHER, (kind) => [
    200,
    { success: true, [NAME[kind]]: 'another-0001', data: { status: 'success', account_number: '9999999999' } },
  ]),
  row('another reference around an inner record without one', ANOTHER, (kind) => [
    200,
    { success: true, data: { [NAME[kind]]: 'another-0001', [WRAPPER[kind]]: { status: 'success' } } },
  ]),
  row('202 without a record, and another reference', ANOTHER, (kind) => [
    202,
    { success: true, [NAME[kind]]: 'another-0001', data: {} },
  ]),
  row('another record beside `data`', ANOTHER, (kind, reference) => [
    200,
    { success: true, [WRAPPER[kind]]: { [NAME[kind]]: 'another-0001' }, data: whole(kind, reference) },
  ]),
  data('another record inside the record', ANOTHER, (wire, kind) => ({
    ...wire,
    [WRAPPER[kind]]: whole(kind, 'another-0001'),
  })),

  data('`domain` of the other environment', ELSEWHERE, (wire) => ({ ...wire, domain: 'live' })),
  data('`domain` in another letter case', ELSEWHERE, (wire) => ({ ...wire, domain: ' LIVE ' })),
  data('`domain` as `production`', ELSEWHERE, (wire) => ({ ...wire, domain: 'Production' })),
  ...(['PROD', 'live_mode', ['live'], { name: 'live' }, 1, true] as const).map((domain) =>
    data(`\`domain\` as \`${JSON.stringify(domain)}\``, ELSEWHERE, (wire) => ({ ...wire, domain })),
  ),
  data('the name `domain` in another letter case', ELSEWHERE, (wire) => ({ ...wire, Domain: 'live' })),
  data('two domains', ELSEWHERE, (wire) => ({ ...wire, domain: 'test', DOMAIN: 'live' })),
  row('`domain` beside `data`', ELSEWHERE, (kind, reference) => [
    200,
    { success: true, domain: 'live', data: whole(kind, reference) },
  ]),
  row('`domain` beside the record inside `data`', ELSEWHERE, (kind, reference) => [
    200,
    { success: true, data: { domain: 'live', [WRAPPER[kind]]: whole(kind, reference) } },
  ]),
  row('202 without data, and `domain` of the other environment', ELSEWHERE, () => [
    202,
    { success: true, domain: 'live' },
  ]),

  data('another currency', OTHER_CURRENCY, (wire) => ({ ...wire, currency: 'KES' })),
  data('another currency in small letters', OTHER_CURRENCY, (wire) => ({ ...wire, currency: 'kes' })),
  ...([['USD'], { code: 'USD' }, 936, true] as const).map((currency) =>
    data(`a currency that is \`${JSON.stringify(currency)}\``, ELSEWHERE, (wire) => ({ ...wire, currency })),
  ),
  data('a currency that is empty', OTHER_CURRENCY, (wire) => ({ ...wire, currency: '' })),
  data('the name `currency` in another letter case, and another currency', OTHER_CURRENCY, (wire) => ({
    ...without(wire, 'currency'),
    Currency: 'KES',
  })),
  data('a second currency', ELSEWHERE, (wire) => ({ ...wire, Currency: 'KES' })),
  row('another currency beside `data`', ELSEWHERE, (kind, reference) => [
    200,
    { success: true, currency: 'KES', data: whole(kind, reference) },
  ]),
  row('another currency beside `data`, and none in it', OTHER_CURRENCY, (kind, reference) => [
    200,
    { success: true, currency: 'KES', data: without(whole(kind, reference), 'currency') },
  ]),
  row('another currency beside the record inside `data`', ELSEWHERE, (kind, reference) => [
    200,
    { success: true, data: { currency: 'KES', [WRAPPER[kind]]: whole(kind, reference) } },
  ]),
  row('202 without data, and another currency', { ...OTHER_CURRENCY, command: 'waits' }, () => [
    202,
    { success: true, currency: 'KES' },
  ]),
  row('the currency of a wallet and a list of currencies beside `data`', OWN, (kind, reference) => [
    200,
    { success: true, wallet: { currency: 'KES' }, currency: ['KES', 'NGN'], data: whole(kind, reference) },
  ]),
  data('two statuses under the reference', ANOTHER, (wire, kind) => ({
    ...wire,
    [WRAPPER[kind]]: { ...wire, status: 'failed' },
  })),
  row('two statuses under the reference, without `data`', ANOTHER, (kind, reference) => [
    200,
    { ...whole(kind, reference), [WRAPPER[kind]]: { ...whole(kind, reference), status: 'failed' } },
  ]),
  data('the record twice, with one status', OWN, (wire, kind) => ({ ...wire, [WRAPPER[kind]]: wire })),
  data(
    'another amount',
    { ...OWN, sweep: 'taken, finding', request: 'unknown', after502: 'unknown', callback: 'pending' },
    (wire, kind) => ({
      ...wire,
      [AMOUNT[kind]]: '1.00',
    }),
  ),
  data('no amount', INCOMPLETE, (wire) => without(wire, 'amount', 'requested_amount')),
  data(
    'an amount that cannot be read',
    { ...NOT_REQUESTED, sweep: 'taken, finding', callback: 'pending' },
    (wire, kind) => ({
      ...wire,
      [AMOUNT[kind]]: '1,00',
    }),
  ),
  data('no currency', INCOMPLETE, (wire) => without(wire, 'currency')),
  data('the whole record, with HTTP 206', ANOTHER, (wire) => wire, 206),

  data('refund: no transaction', NOT_REQUESTED, (wire) => without(wire, 'transaction_reference')),
  data('refund: neither transaction nor amount', NOT_REQUESTED, (wire) =>
    without(wire, 'transaction_reference', 'amount'),
  ),
  data('refund: the transaction in a list', NOT_REQUESTED, (wire) => ({ ...wire, transaction_reference: ['TX_81'] })),
  data('refund: another transaction', NOT_REQUESTED, (wire) => ({ ...wire, transaction_reference: 'TX_82' })),
  data('payout: another account number', NOT_REQUESTED, (wire) => ({ ...wire, account_number: '9999999999' })),
  data('payout: another bank code', NOT_REQUESTED, (wire) => ({ ...wire, bank_code: '2' })),
  data('collection: a charge below the requested amount', UNDERPAID, (wire) => ({
    ...wire,
    amount: '0.40',
    fees: '0.00',
  })),
  data('collection: a charge that only an impossible fee makes up for', UNDERPAID, (wire) => ({
    ...wire,
    amount: '0.40',
    fees: '39.60',
  })),
  data('collection: a charge with the fee on top', OWN, (wire) => ({ ...wire, amount: '41.20', fees: '1.20' })),
  data('collection: a charge with the fee taken off', OWN, (wire) => ({ ...wire, amount: '38.80', fees: '1.20' })),
];

/** The table of docs/reliability.md: a row for all answers of which the same must come. */
export function matrixTable(): string {
  const places = Object.keys(PLACES) as Place[];
  const consequences = ({ expected }: Row) => places.map((place) => CONSEQUENCES[expected[place]]).join(' | ');
  const rows = [...Map.groupBy(ROWS, consequences)].map(([of, same]) => [
    same.map(({ answer }) => answer).join('; '),
    of,
  ]);
  const head = ['The answer', ...places.map((place) => PLACES[place])];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}
