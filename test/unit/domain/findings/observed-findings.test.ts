import { describe, expect, test } from 'vitest';
import type { RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { fold } from '../../../../src/domain/records/observe.ts';
import { api, at, findings, other, webhook } from '../observations.ts';

const refund = (status: string, clock: string | null, data: Record<string, unknown> = {}): Observation =>
  webhook('refund', status, clock === null ? data : { ...at(clock), ...data });

describe('statuses', () => {
  test.each<[string, RecordKind, [string, string | null][], string[]]>([
    [
      'another status at the winner’s time is a tie',
      'refund',
      [
        ['pending', '10:00'],
        ['processing', '10:00'],
      ],
      ['tie pending'],
    ],
    [
      'a tie below the winner’s time is none',
      'refund',
      [
        ['pending', '10:00'],
        ['processing', '10:00'],
        ['failed', '10:01'],
      ],
      [],
    ],
    [
      'one status twice at one time is no tie',
      'refund',
      [
        ['pending', '10:00'],
        ['pending', '10:00'],
      ],
      [],
    ],
    [
      'two observations without a time are no tie',
      'payout',
      [
        ['pending', null],
        ['success', null],
      ],
      [],
    ],
    [
      'three at one time are two ties',
      'refund',
      [
        ['pending', '10:00'],
        ['processing', '10:00'],
        ['failed', '10:00'],
      ],
      ['tie pending', 'tie processing'],
    ],
    [
      'an observation after a final one',
      'refund',
      [
        ['success', '10:00'],
        ['failed', '10:01'],
      ],
      ['final_regressed failed'],
    ],
    [
      'an observation before a final one is history',
      'refund',
      [
        ['success', '10:00'],
        ['failed', '09:59'],
      ],
      [],
    ],
    [
      'an observation after a final one without a time: not known',
      'refund',
      [
        ['success', null],
        ['failed', '10:01'],
      ],
      [],
    ],
    [
      'an observation without a time after a final one: not known',
      'refund',
      [
        ['success', '10:00'],
        ['failed', null],
      ],
      [],
    ],
    [
      'failed is not final for a refund',
      'refund',
      [
        ['failed', '10:00'],
        ['processing', '10:01'],
      ],
      [],
    ],
    [
      'a success after a reversal',
      'payout',
      [
        ['reversed', '10:00'],
        ['success', '10:01'],
      ],
      ['final_regressed success'],
    ],
    [
      'two finals',
      'refund',
      [
        ['success', '10:00'],
        ['rejected', '10:01'],
      ],
      ['final_conflict rejected+success'],
    ],
    [
      'two finals at one time',
      'refund',
      [
        ['success', '10:00'],
        ['rejected', '10:00'],
      ],
      ['tie rejected', 'final_conflict rejected+success'],
    ],
    [
      'a payout both failed and paid',
      'payout',
      [
        ['failed', null],
        ['success', null],
      ],
      ['final_conflict failed+success'],
    ],
    [
      'a payout both failed and completed',
      'payout',
      [
        ['failed', null],
        ['completed', null],
      ],
      ['final_conflict failed+completed'],
    ],
    [
      'a collection both failed and paid, then reversed',
      'collection',
      [
        ['failed', null],
        ['success', null],
        ['reversed', null],
      ],
      ['final_conflict failed+success'],
    ],
    [
      'a payout paid and reversed is its lifecycle',
      'payout',
      [
        ['success', null],
        ['reversed', null],
      ],
      [],
    ],
  ])('%s', (_name, kind, observations, expected) => {
    const set = observations.map(([status, clock], index) =>
      webhook(kind, status, { ...(clock === null ? {} : at(clock)), narration: `${index}` }),
    );
    expect(findings(kind, set).filter((finding) => !finding.startsWith('variant'))).toEqual(expected);
  });
});

describe('the service against the webhooks', () => {
  const pending = '00:00';
  test.each<[string, RecordKind, [string, string | null], [string, number, string?][], string[]]>([
    [
      'behind for five minutes',
      'refund',
      ['success', pending],
      [
        ['processing', 1],
        ['processing', 6],
      ],
      ['webhook_vs_api processing'],
    ],
    [
      'behind for less',
      'refund',
      ['success', pending],
      [
        ['processing', 1],
        ['processing', 5.999],
      ],
      [],
    ],
    ['behind in one answer', 'refund', ['success', pending], [['processing', 60]], []],
    [
      'behind all the time, checked every minute',
      'refund',
      ['success', pending],
      [
        ['processing', 1],
        ['processing', 3],
        ['pending', 5],
        ['processing', 7],
      ],
      ['webhook_vs_api processing'],
    ],
    [
      'behind, then level',
      'refund',
      ['success', pending],
      [
        ['processing', 1],
        ['processing', 9],
        ['success', 10],
      ],
      [],
    ],
    [
      'behind again for a moment after being level',
      'refund',
      ['failed', pending],
      [
        ['processing', 1],
        ['failed', 9],
        ['processing', 10],
        ['processing', 11],
      ],
      [],
    ],
    [
      'behind only before the webhook was written',
      'refund',
      ['success', '01:00'],
      [
        ['processing', 1],
        ['processing', 59],
      ],
      [],
    ],
    [
      'behind since the webhook was written',
      'refund',
      ['success', '01:00'],
      [
        ['processing', 1],
        ['processing', 61],
        ['processing', 66],
      ],
      ['webhook_vs_api processing'],
    ],
    [
      'behind from the very time at which the webhook was written',
      'refund',
      ['success', '01:00'],
      [
        ['processing', 60],
        ['processing', 65],
      ],
      ['webhook_vs_api processing'],
    ],
    [
      'ahead: a webhook was lost',
      'refund',
      ['processing', pending],
      [
        ['success', 1],
        ['success', 60],
      ],
      [],
    ],
    [
      'ahead by rank, with no time of its own',
      'refund',
      ['pending', pending],
      [
        ['processing', 1],
        ['processing', 60],
      ],
      [],
    ],
    [
      'ahead by time: a retry after a failure',
      'refund',
      ['failed', pending],
      [
        ['processing', 1, '00:01'],
        ['processing', 60, '00:01'],
      ],
      [],
    ],
    [
      'behind by time',
      'refund',
      ['processing', '00:02'],
      [
        ['failed', 3, '00:01'],
        ['failed', 60, '00:01'],
      ],
      ['webhook_vs_api failed'],
    ],
    [
      'beside: the other final outcome',
      'refund',
      ['rejected', pending],
      [
        ['success', 1, '00:01'],
        ['success', 6, '00:01'],
      ],
      ['webhook_vs_api success'],
    ],
    [
      'beside: another status of the same rank',
      'collection',
      ['abandoned', pending],
      [
        ['cancelled', 1],
        ['cancelled', 6],
      ],
      ['webhook_vs_api cancelled'],
    ],
    [
      'beside: two unknown words',
      'payout',
      ['on_hold', pending],
      [
        ['parked', 1],
        ['parked', 6],
      ],
      ['webhook_vs_api parked'],
    ],
    [
      'two words for one outcome',
      'payout',
      ['success', pending],
      [
        ['completed', 1],
        ['completed', 60],
      ],
      [],
    ],
    [
      'a payout the service calls failed',
      'payout',
      ['success', null],
      [
        ['failed', 1],
        ['failed', 6],
      ],
      ['webhook_vs_api failed'],
    ],
    [
      'a payout the service calls paid',
      'payout',
      ['failed', null],
      [
        ['success', 1],
        ['success', 6],
      ],
      [],
    ],
    [
      'a payout the service calls reversed',
      'payout',
      ['success', null],
      [
        ['reversed', 1],
        ['reversed', 6],
      ],
      [],
    ],
  ])('%s', (_name, kind, [status, clock], answers, expected) => {
    const set = answers.map(([answered, minutes, time], index) =>
      api(kind, index, answered, time === undefined ? {} : at(time), minutes),
    );
    expect(findings(kind, [webhook(kind, status, clock === null ? {} : at(clock)), ...set])).toEqual(expected);
  });

  test('without a webhook there is nothing to be behind', () => {
    expect(findings('refund', [api('refund', 1, 'pending', {}, 1), api('refund', 2, 'pending', {}, 60)])).toEqual([]);
  });

  test('list rows and requests are no answers', () => {
    const rows = ['1', '2'].map((identity) => other('refund', 'list', identity, { status: 'pending' }));
    expect(findings('refund', [refund('success', '00:00'), ...rows])).toEqual([]);
  });

  test('an answer that names no status neither opens nor closes it', () => {
    const set = [
      refund('success', '00:00'),
      api('refund', 1, 'pending', {}, 1),
      api('refund', 2, null, {}, 4),
      api('refund', 3, 'pending', {}, 6),
    ];
    expect(findings('refund', set)).toEqual(['webhook_vs_api pending']);
  });
});

describe('the text of a finding', () => {
  const details = (kind: RecordKind, set: readonly Observation[]) =>
    fold(kind, set).findings.map(({ code, subject, detail }) => `${code} ${subject}: ${detail}`);

  test.each<[string, RecordKind, Observation[], string[]]>([
    [
      'has both statuses of one time',
      'refund',
      [refund('pending', '10:00'), refund('failed', '10:00')],
      ['tie pending: failed and pending both at 2026-07-01T10:00:00Z'],
    ],
    [
      'has the status after a final one',
      'refund',
      [refund('success', '10:00'), refund('failed', '10:01')],
      ['final_regressed failed: failed is stated after success'],
    ],
    [
      'has the outcomes that exclude each other',
      'refund',
      [refund('success', '10:00'), refund('rejected', '10:01')],
      ['final_conflict rejected+success: both rejected and success are stated'],
    ],
    [
      'has both witnesses',
      'refund',
      [refund('success', '00:00'), api('refund', 1, 'pending', {}, 1), api('refund', 2, 'processing', {}, 6)],
      ['webhook_vs_api processing: the webhooks report success, the service answers processing'],
    ],
    [
      'has the values of a fact',
      'refund',
      [refund('failed', '10:00', { amount: '10' }), refund('failed', '10:01', { amount: '12.50' })],
      ['fact_conflict amount: 10.00 ≠ 12.50'],
    ],
    [
      'names the field whose amount cannot be read',
      'refund',
      [refund('failed', '10:00', { fee: 'free', amount: '1e3' })],
      [
        'unreadable_amount amount: amount is not an exact amount; its raw text is in the event',
        'unreadable_amount fee: fee is not an exact amount; its raw text is in the event',
      ],
    ],
    [
      'names a currency that is no text',
      'refund',
      [refund('failed', '10:00', { currency: 840 })],
      ['unreadable_amount currency: the currency is not a text; its raw form is in the event'],
    ],
    [
      'has the funding that does not add up',
      'refund',
      [refund('failed', '10:00', { amount: '10', fee: '1', total_reserved: '12' })],
      ['reserve_mismatch amount + fee = total_reserved: does not hold: amount + fee = total_reserved'],
    ],
    [
      'has the charge below the request',
      'collection',
      [webhook('collection', 'success', { requested_amount: '40', amount: '0.40', fees: '0' })],
      ['underpaid amount: 40.00 requested, 0.40 charged (fees 0.00)'],
    ],
  ])('%s', (_case, kind, set, expected) => {
    expect(details(kind, set)).toEqual(expected);
  });

  test('shows five values of a fact, and counts the others', () => {
    const amounts = (count: number) =>
      Array.from({ length: count }, (_, index) => refund('failed', `10:0${index}`, { amount: `1${index}` }));
    const five = '10.00 ≠ 11.00 ≠ 12.00 ≠ 13.00 ≠ 14.00';
    expect(details('refund', amounts(5))).toEqual([`fact_conflict amount: ${five}`]);
    expect(details('refund', amounts(7))).toEqual([`fact_conflict amount: ${five} ≠ 2 more`]);
  });

  test('counts the contents of a key, with their statuses in order', () => {
    const one = refund('failed', '10:00');
    const contents = ['pending', null, 'pending'].map((status, index) => ({
      ...one,
      identity: `${index}`,
      stated: { ...one.stated, status },
    }));
    expect(details('refund', contents)[0]).toBe(`variant ${one.eventKey}: 3 contents state none, pending`);
  });

  test('joins what a key contradicts', () => {
    const one = refund('failed', '10:00');
    const of = (stated: Partial<Observation['stated']>) =>
      details('refund', [{ ...one, stated: { ...one.stated, ...stated } }]);
    const [inName, elsewhere] = [
      'the event name and data.status say different things',
      'a content names the other environment',
    ];
    expect(of({ contradiction: true })).toEqual([`contradiction ${one.eventKey}: ${inName}`]);
    expect(of({ otherEnvironment: true })).toEqual([`contradiction ${one.eventKey}: ${elsewhere}`]);
    expect(of({ contradiction: true, otherEnvironment: true })).toEqual([
      `contradiction ${one.eventKey}: ${inName}; ${elsewhere}`,
    ]);
  });
});

describe('a payment of less than was requested', () => {
  const charged = (status: string, data: Record<string, unknown> = {}) =>
    webhook('collection', status, { requested_amount: '40', amount: '30', currency: 'USD', ...data });
  test.each<[string, Observation[], string[]]>([
    ['by the webhook', [charged('success')], ['underpaid amount']],
    [
      'by the answer',
      [api('collection', 1, 'completed', { requested_amount: '40', amount: '30' })],
      ['underpaid amount'],
    ],
    ['in full', [charged('success', { amount: '40' })], []],
    ['not paid', [charged('failed')], []],
    ['without a requested amount', [charged('success', { requested_amount: null })], []],
    ['without a charge', [charged('success', { amount: null })], []],
    [
      'by the webhook alone',
      [charged('success'), api('collection', 1, 'success', { requested_amount: '40', amount: '40' })],
      ['underpaid amount'],
    ],
  ])('%s', (_case, set, expected) => {
    expect(findings('collection', set).filter((one) => one.startsWith('underpaid'))).toEqual(expected);
  });

  test('is a finding of a collection alone', () => {
    expect(findings('payout', [webhook('payout', 'success', { requested_amount: '40', amount: '30' })])).toEqual([]);
  });
});
