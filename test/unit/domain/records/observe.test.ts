import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import { type Fields, showValue } from '../../../../src/domain/records/fields.ts';
import { RECORD_KINDS, type RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import type { Observation } from '../../../../src/domain/records/observation.ts';
import { fold, type RecordState } from '../../../../src/domain/records/observe.ts';
import { leastMet, randomRuns } from '../../../support/random-runs.ts';
import { naiveState } from '../naive.ts';
import { api, at, foldInManyOrders, observationSets, other, permutations, textOf, webhook } from '../observations.ts';

const reported = (kind: RecordKind, ...set: Observation[]): string | null => fold(kind, set).reported?.status ?? null;
const confirmed = (kind: RecordKind, ...statuses: (string | null)[]): string | null =>
  fold(
    kind,
    statuses.map((status, index) => api(kind, index, status)),
  ).confirmed?.status ?? null;

describe('what the webhooks report', () => {
  test.each<[string, string, RecordKind, [string, string | null][]]>([
    ['nothing before any webhook', 'none', 'refund', []],
    [
      'the later of two',
      'processing',
      'refund',
      [
        ['processing', '10:01'],
        ['pending', '10:00'],
      ],
    ],
    [
      'the later, even when its rank is lower',
      'processing',
      'refund',
      [
        ['failed', '10:00'],
        ['processing', '10:01'],
      ],
    ],
    [
      'failed again after a retry',
      'failed',
      'refund',
      [
        ['failed', '10:00'],
        ['processing', '10:01'],
        ['failed', '10:02'],
      ],
    ],
    [
      'the higher rank at one time',
      'processing',
      'refund',
      [
        ['processing', '10:00'],
        ['pending', '10:00'],
      ],
    ],
    [
      'a success, with any later observation',
      'success',
      'refund',
      [
        ['success', '10:00'],
        ['pending', '10:01'],
        ['failed', '10:02'],
      ],
    ],
    [
      'a rejection, with any later observation',
      'rejected',
      'refund',
      [
        ['rejected', '10:00'],
        ['processing', '10:01'],
      ],
    ],
    [
      'the later of two finals',
      'rejected',
      'refund',
      [
        ['success', '10:00'],
        ['rejected', '10:01'],
      ],
    ],
    [
      'success of two finals at one time',
      'success',
      'refund',
      [
        ['success', '10:00'],
        ['rejected', '10:00'],
      ],
    ],
    [
      'a timed observation before an untimed one',
      'pending',
      'refund',
      [
        ['failed', null],
        ['pending', '10:00'],
      ],
    ],
    [
      'a final one, timed or not',
      'success',
      'refund',
      [
        ['success', null],
        ['processing', '10:00'],
      ],
    ],
    [
      'a fraction of a second later',
      'pending',
      'refund',
      [
        ['processing', '10:00:00.1'],
        ['pending', '10:00:00.12'],
      ],
    ],
    [
      'a known status before an unknown one of its time',
      'pending',
      'refund',
      [
        ['zzz', '10:00'],
        ['pending', '10:00'],
      ],
    ],
    [
      'an unknown status, when it is later',
      'zzz',
      'refund',
      [
        ['zzz', '10:01'],
        ['pending', '10:00'],
      ],
    ],
    [
      'the greater text, when all else is equal',
      'zzz',
      'refund',
      [
        ['aaa', '10:00'],
        ['zzz', '10:00'],
      ],
    ],
    [
      'an untimed success over a timed pending',
      'success',
      'payout',
      [
        ['success', null],
        ['pending', '10:00'],
      ],
    ],
    [
      'a reversal over an earlier success',
      'reversed',
      'payout',
      [
        ['success', null],
        ['reversed', null],
      ],
    ],
    [
      'a reversal over a later success',
      'reversed',
      'payout',
      [
        ['reversed', '10:00'],
        ['success', '10:01'],
      ],
    ],
    [
      'success over failed',
      'success',
      'payout',
      [
        ['failed', '10:01'],
        ['success', '10:00'],
      ],
    ],
    [
      'failed over abandoned',
      'failed',
      'collection',
      [
        ['abandoned', '10:01'],
        ['failed', '10:00'],
      ],
    ],
    [
      'the later of two words of one rank',
      'cancelled',
      'collection',
      [
        ['abandoned', '10:00'],
        ['cancelled', '10:01'],
      ],
    ],
    [
      'completed level with success, by time',
      'completed',
      'payout',
      [
        ['success', '10:00'],
        ['completed', '10:01'],
      ],
    ],
  ])('is %s: %s', (_name, status, kind, observations) => {
    const set = observations.map(([named, clock]) => webhook(kind, named, clock === null ? {} : at(clock)));
    for (const order of permutations(set)) expect(reported(kind, ...order) ?? 'none').toBe(status);
  });

  test('a refund that succeeded cannot go back to pending', () => {
    const set = ['10:00', '11:00', '12:00'].map((clock) => webhook('refund', 'pending', at(clock)));
    expect(reported('refund', ...set, webhook('refund', 'success', at('09:00')))).toBe('success');
  });

  test('nothing else reports: no answer, request or list row', () => {
    const set = (['request', 'list'] as const).map((witness) => other('refund', witness, '1', { status: 'success' }));
    const state = fold('refund', [...set, api('refund', 1, 'success')]);
    expect(state.reported).toBeNull();
    expect(fold('refund', set).confirmed).toBeNull();
  });

  test('one key with several contents states its status only if all of them agree', () => {
    const [one, two] = ['1.00', '2.00'].map((amount) => webhook('refund', 'success', { ...at('10:00'), amount }));
    const pending = webhook('refund', 'pending', at('09:00'));
    expect(reported('refund', one as Observation, two as Observation, pending)).toBe('success');
    const paid = webhook('payout', 'success', { ...at('10:00') });
    const contrary = webhook('payout', 'success', { ...at('10:00'), status: 'failed' });
    expect(contrary.eventKey).toBe(paid.eventKey);
    expect(reported('payout', paid, contrary)).toBeNull();
    expect(reported('payout', contrary, paid, webhook('payout', 'pending'))).toBe('pending');
  });

  test('an event that contradicts itself states no status', () => {
    const contrary = webhook('refund', 'success', { ...at('11:00'), status: 'failed' });
    expect(reported('refund', contrary)).toBeNull();
    expect(reported('refund', contrary, webhook('refund', 'pending', at('10:00')))).toBe('pending');
  });
});

describe('what the service confirms', () => {
  test.each<[string, RecordKind, (string | null)[], string | null]>([
    ['nothing before an answer', 'refund', [], null],
    ['nothing by an answer without a status', 'refund', [null], null],
    ['the latest answer', 'refund', ['pending', 'processing', 'failed', 'processing'], 'processing'],
    ['the latest usable answer', 'refund', ['pending', 'processing', null], 'processing'],
    ['a final one against a single other answer', 'refund', ['success', 'pending'], 'success'],
    [
      'a final one against single answers that do not agree',
      'refund',
      ['success', 'pending', 'processing', 'failed'],
      'success',
    ],
    [
      'a final one against two that are not consecutive',
      'refund',
      ['success', 'failed', 'success', 'failed'],
      'success',
    ],
    ['what two consecutive answers agree on after a final one', 'refund', ['success', 'failed', 'failed'], 'failed'],
    ['two agreeing answers with an unusable one between', 'refund', ['success', 'failed', null, 'failed'], 'failed'],
    ['the other final one, answered twice', 'refund', ['success', 'rejected', 'rejected'], 'rejected'],
    ['the first final one, while the other is answered once', 'refund', ['success', 'rejected'], 'success'],
    ['what follows two agreeing answers', 'refund', ['success', 'failed', 'failed', 'processing'], 'processing'],
    ['a payout success is left at once: it is settled, not final', 'payout', ['success', 'failed'], 'failed'],
    ['a reversal is left only after two', 'payout', ['reversed', 'success'], 'reversed'],
  ])('is %s', (_name, kind, answers, status) => {
    expect(confirmed(kind, ...answers)).toBe(status);
  });

  test.each<[string, (string | null)[], number | null]>([
    ['nothing', [], null],
    ['the first answer', ['pending'], 1],
    ['the answer that changed it, not those that repeat it', ['pending', 'success', 'success', 'success'], 2],
    ['the answer that was followed, when a final status is left', ['success', 'failed', 'failed'], 3],
    ['the final one, while it is contradicted once', ['success', 'failed', 'success'], 1],
    ['the later one of two stays of the same status', ['failed', 'processing', 'failed'], 3],
  ])('is confirmed since %s', (_name, statuses, counter) => {
    const { confirmedAtMs } = fold(
      'refund',
      statuses.map((status, index) => api('refund', index + 1, status)),
    );
    expect(confirmedAtMs).toBe(counter === null ? null : api('refund', counter, null).answer?.atMs);
  });

  test('goes by the counter, not by the clock or the order of arrival', () => {
    const early = api('refund', 1, 'pending', {}, 90);
    const late = api('refund', 2, 'processing', {}, 10);
    expect(fold('refund', [late, early]).confirmed?.status).toBe('processing');
    expect(fold('refund', [api('refund', 10, 'failed'), api('refund', 9, 'pending')]).confirmed?.status).toBe('failed');
  });

  test('nothing but an answer of the status endpoint, not even one that is counted like it', () => {
    for (const witness of ['request', 'list'] as const) {
      expect(fold('refund', [{ ...api('refund', 1, 'success'), witness }]).confirmed).toBeNull();
    }
  });

  test('no webhook', () => {
    expect(fold('refund', [webhook('refund', 'success', at('10:00'))]).confirmed).toBeNull();
  });
});

describe('facts', () => {
  test('hold the value on which all witnesses agree, however it was written', () => {
    const state = fold('refund', [
      webhook('refund', 'pending', { ...at('10:00'), amount: '10.00', currency: 'usd' }),
      api('refund', 1, 'pending', { amount: 10, currency: 'USD', transaction_reference: 'TX_1' }),
      other('refund', 'list', '1', { amount: '10.000' }),
    ]);
    expect(state.facts).toEqual({ amount: parseAmount('10'), currency: 'USD', transactionReference: 'TX_1' });
  });

  test('are blank where witnesses disagree, in any order', () => {
    const set = [
      webhook('refund', 'pending', { ...at('10:00'), amount: '10.00' }),
      api('refund', 1, 'pending', { amount: '10.01' }),
    ];
    for (const order of permutations(set)) expect(fold('refund', order).facts.amount).toBeNull();
  });

  test('an unreadable amount blanks its own observation only, and the status counts', () => {
    const odd = webhook('refund', 'success', { ...at('10:00'), amount: '-5.00' });
    expect(fold('refund', [odd])).toMatchObject({ reported: { status: 'success' }, facts: { amount: null } });
    expect(fold('refund', [odd, webhook('refund', 'pending', { ...at('09:00'), amount: '5' })]).facts.amount).toEqual(
      parseAmount('5'),
    );
  });

  test('a phone number that the service rewrites is one account', () => {
    const set = [
      other('payout', 'request', '1', { status: 'pending', currency: 'GHS', account_number: '0241234567' }),
      webhook('payout', 'success', { currency: 'GHS', account_number: '233241234567' }),
    ];
    expect(fold('payout', set)).toMatchObject({ facts: { accountNumber: '233241234567' }, findings: [] });
  });
});

describe('details', () => {
  const detail = (set: Observation[], name: string): string | null =>
    showValue(fold('refund', set).details[name] ?? null);

  test('come whole from the winner, never merged field by field', () => {
    const first = webhook('refund', 'pending', { ...at('10:00'), fee: '1.00', external_reference: 'X1' });
    const second = webhook('refund', 'processing', { ...at('10:01'), fee: '2.00' });
    for (const order of permutations([first, second])) {
      expect(detail(order, 'fee')).toBe('2.00');
      expect(detail(order, 'externalReference')).toBeNull();
    }
  });

  test('are blank where the winning key has contents that differ in them', () => {
    const set = ['1.00', '2.00'].map((fee) => webhook('refund', 'success', { ...at('10:00'), fee }));
    const state = fold('refund', set);
    expect(state.reported?.status).toBe('success');
    expect(state.details).toEqual({});
  });

  test.each<[string, Observation[], string]>([
    [
      'the service, when its status is the same',
      [webhook('refund', 'failed', { ...at('10:00'), fee: '1' }), api('refund', 1, 'failed', { fee: '2' })],
      '2.00',
    ],
    [
      'the service, when it is ahead',
      [webhook('refund', 'pending', { ...at('10:00'), fee: '1' }), api('refund', 1, 'success', { fee: '2' })],
      '2.00',
    ],
    [
      'the service, when it is ahead by rank and names no time',
      [webhook('refund', 'pending', { ...at('10:00'), fee: '1' }), api('refund', 1, 'processing', { fee: '2' })],
      '2.00',
    ],
    [
      'the webhooks, when the service is behind',
      [webhook('refund', 'success', { ...at('10:00'), fee: '1' }), api('refund', 1, 'processing', { fee: '2' })],
      '1.00',
    ],
    [
      'the webhooks, when the service has the same status with an earlier time',
      [
        webhook('refund', 'failed', { ...at('10:00'), fee: '1' }),
        api('refund', 1, 'failed', { ...at('09:00'), fee: '2' }),
      ],
      '1.00',
    ],
    [
      'the service, when both are final and differ',
      [
        webhook('refund', 'success', { ...at('10:00'), fee: '1' }),
        api('refund', 1, 'rejected', { ...at('09:00'), fee: '2' }),
      ],
      '2.00',
    ],
  ])('come from %s', (_name, set, fee) => {
    for (const order of permutations(set)) expect(detail(order, 'fee')).toBe(fee);
  });

  test('come from a request or list row only while no webhook or answer has a status', () => {
    const request = other('refund', 'request', '1', { status: 'pending', fee: '3.00' });
    const row = other('refund', 'list', '1', { status: 'processing', fee: '4.00' });
    expect(detail([request], 'fee')).toBe('3.00');
    expect(detail([request, row], 'fee')).toBe('4.00');
    expect(detail([row, request, webhook('refund', 'pending', { ...at('10:00'), fee: '1.00' })], 'fee')).toBe('1.00');
  });
});

describe('the order of deliveries does not matter', () => {
  test.each(RECORD_KINDS)('every order of a %s set, with duplicates, ends in one state', (kind) => {
    let folded = 0;
    fc.assert(
      fc.property(fc.oneof(observationSets(kind, 5), observationSets(kind, 10)), fc.integer(), (set, seed) => {
        const state = textOf(fold(kind, set));
        folded += foldInManyOrders(kind, set, seed, 60, (text) => {
          if (text !== state) expect(JSON.parse(text)).toEqual(JSON.parse(state));
        });
      }),
      { numRuns: randomRuns(800) },
    );
    // Three kinds: 50,000 and more in every `npm test`; `test:long` takes millions.
    expect(folded).toBeGreaterThanOrEqual(leastMet(17_000));
  });

  test('nothing a set already holds changes it', () => {
    fc.assert(
      fc.property(observationSets('refund', 8), (set) => {
        const copies = set.map((one) => structuredClone(one));
        expect(textOf(fold('refund', [...copies, ...set]))).toBe(textOf(fold('refund', set)));
      }),
      { numRuns: randomRuns(300) },
    );
  });
});

describe('an observation that is alone', () => {
  test.each(RECORD_KINDS)('alone makes the same state of a %s as beside an equal one', (kind) => {
    const seen = new Set<string>();
    const isAsBesideAnEqualOne = (alone: Observation, otherEvent: boolean) => {
      seen.add(`${alone.witness} ${otherEvent}`);
      const echo = { ...alone, identity: 'echo', ...(otherEvent && { eventKey: 'echo' }) };
      const { findings, ...state } = fold(kind, [alone]);
      const { findings: echoed, ...both } = fold(kind, [alone, echo]);
      expect(both).toEqual(state);
      const found = new Set(echoed.map(({ code, detail }) => `${code}: ${detail}`));
      found.delete(`variant: 2 contents state ${alone.stated.status ?? 'none'}`);
      expect([...found]).toEqual(findings.map(({ code, detail }) => `${code}: ${detail}`));
      expect(state.facts).toEqual(alone.stated.facts);
    };
    fc.assert(
      fc.property(observationSets(kind, 6), (set) => {
        for (const alone of set) for (const otherEvent of [false, true]) isAsBesideAnEqualOne(alone, otherEvent);
      }),
      { numRuns: randomRuns(600) },
    );
    expect(seen.size).toBe(4 * 2); // every witness, in one event and in two
  });
});

describe('a second, naive reading of the design', () => {
  const comparable = new Set([
    'variant',
    'contradiction',
    'fact_conflict',
    'unreadable_amount',
    'tie',
    'final_regressed',
    'final_conflict',
  ]);
  const shown = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, showValue(value)]));
  const plain = ({ reported, confirmed, facts, money, times, findings }: RecordState): unknown => ({
    reported: reported?.status ?? null,
    confirmed: confirmed?.status ?? null,
    facts: shown(facts),
    money: { reported: shown(money.reported), confirmed: shown(money.confirmed) },
    times: Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time && `${time.utc} ${time.text}`])),
    findings: findings
      .filter(({ code }) => comparable.has(code))
      .map(({ code, subject }) => `${code} ${subject}`)
      .sort(),
  });

  test.each(RECORD_KINDS)('comes to the same state of a %s', (kind) => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(observationSets(kind, 12), (set) => {
        const expected = naiveState(kind, set);
        expect(plain(fold(kind, set))).toEqual(expected);
        for (const finding of expected.findings) {
          const code = finding.split(' ')[0] ?? '';
          seen.set(code, (seen.get(code) ?? 0) + 1);
        }
      }),
      { numRuns: randomRuns(2_000) },
    );
    for (const code of comparable) expect(seen.get(code) ?? 0, code).toBeGreaterThan(leastMet(10));
  });
});
