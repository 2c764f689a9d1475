import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/domain/money/amount.ts';
import {
  type EndpointState,
  judgeRecord,
  type WitnessedRecord,
} from '../../../../src/domain/reconciling/witnessed-record.ts';

const DAY_MS = 86_400_000;
const STARTED_MS = Date.parse('2026-10-01T00:00:00Z');
const payout: WitnessedRecord = {
  kind: 'payout',
  reported: 'success',
  confirmed: 'success',
  reportedTime: null,
  facts: { amount: parseAmount('10'), currency: 'USD' },
  details: {},
  money: { reported: {}, confirmed: {} },
  expected: null,
  findings: [],
  startedAtMs: STARTED_MS,
  answeredAtMs: STARTED_MS + 100,
  reportedAtMs: STARTED_MS + 50,
};
const judged = (record: Partial<WitnessedRecord>, endpoint: EndpointState = 'proven', afterMs = 1_000) =>
  judgeRecord({ ...payout, ...record }, { endpoint, judgedAtMs: STARTED_MS + afterMs });
const named = (judged: ReturnType<typeof judgeRecord>) => ({
  breaks: judged.breaks.map(({ code, sub, ours }) => [code, sub, ours].filter((one) => one !== null).join(' ')),
  waiting: judged.waiting && `${judged.waiting.code} ${judged.waiting.sub} ${judged.waiting.ours}`,
});

describe('a record waits', () => {
  test.each<[string, Partial<WitnessedRecord>, EndpointState, string | null]>([
    ['for nothing once the service has settled it', {}, 'proven', null],
    ['until the service has settled it', { confirmed: 'pending' }, 'proven', 'timing unsettled pending'],
    ['for a confirmation of a settled webhook', { confirmed: null }, 'proven', 'timing unconfirmed success'],
    [
      'for the end of what the webhooks report',
      { reported: 'pending', confirmed: null },
      'proven',
      'timing unsettled pending',
    ],
    ['for any status', { reported: null, confirmed: null }, 'proven', 'timing unsettled null'],
    ['without an end where nothing can be asked', { confirmed: null }, 'absent', 'not_confirmed no_endpoint success'],
    [
      'without an end where nothing was ever answered',
      { confirmed: null },
      'unproven',
      'not_confirmed unproven_endpoint success',
    ],
  ])('%s', (_case, record, endpoint, waiting) => {
    expect(named(judged(record, endpoint))).toEqual({ breaks: [], waiting });
  });

  test('by its status, which no witness contradicts', () => {
    expect(judged({ confirmed: 'pending' }).waiting).toEqual({
      ...{ code: 'timing', sub: 'unsettled', side: 'ours', field: 'status' },
      ...{ ours: 'pending', theirs: null, detail: null },
    });
  });
});

describe('webhooks that state both outcomes', () => {
  const conflict = {
    code: 'final_conflict',
    subject: 'failed+success',
    detail: 'both failed and success are stated',
  } as const;
  const other = { code: 'webhook_vs_api', subject: 'failed', detail: 'they differ' } as const;

  test.each([[[conflict]], [[conflict, other]], [[other, conflict]]])(
    'and a service that answers one are one break',
    (findings) => {
      const { breaks } = judged({ confirmed: 'failed', findings });
      expect(breaks).toMatchObject([{ sub: 'final_conflict', ours: 'failed', theirs: 'success' }]);
      expect(breaks[0]?.detail).toContain('both failed and success are stated; ');
      expect(breaks[0]?.detail).toContain('the webhooks report success, the service answers failed');
    },
  );
});

describe('a record is stuck', () => {
  const unsettled = { reported: 'pending', confirmed: null };

  test('after the days that its kind may take, not before', () => {
    expect(named(judged(unsettled, 'proven', 3 * DAY_MS))).toEqual({ breaks: [], waiting: 'timing unsettled pending' });
    expect(named(judged(unsettled, 'proven', 3 * DAY_MS + 1))).toEqual({ breaks: ['stuck pending'], waiting: null });
    expect(judged(unsettled, 'proven', 3 * DAY_MS + 1).breaks).toEqual([
      {
        ...{ code: 'stuck', sub: null, side: 'ours', field: 'status' },
        ...{ ours: 'pending', theirs: null, detail: null },
      },
    ]);
  });

  test('and says so, when only the webhooks report that it is settled', () => {
    const late = judged({ reported: 'success', confirmed: null }, 'proven', 4 * DAY_MS);
    expect(late.breaks).toEqual([
      {
        ...{ code: 'stuck', sub: null, side: 'ours', field: 'status' },
        ...{ ours: 'success', theirs: null, detail: 'the service has not confirmed it' },
      },
    ]);
  });

  test('with the status of the service, where it has one', () => {
    const late = { kind: 'refund', reported: 'processing', confirmed: 'pending' } as const;
    expect(named(judged(late, 'proven', 11 * DAY_MS)).breaks).toEqual(['stuck pending']);
  });

  test('at once when its checks are used up', () => {
    const findings = [{ code: 'stuck', subject: 'status', detail: 'x' }] as const;
    expect(named(judged({ ...unsettled, findings }))).toEqual({ breaks: ['stuck pending'], waiting: null });
  });

  test('never where the service cannot be asked, and never once it has settled it', () => {
    expect(named(judged(unsettled, 'absent', 99 * DAY_MS)).breaks).toEqual([]);
    expect(named(judged({}, 'proven', 99 * DAY_MS)).breaks).toEqual([]);
  });

  test('once, when its reference cannot be asked for', () => {
    const findings = [{ code: 'unaskable', subject: 'reference', detail: 'x' }] as const;
    expect(named(judged({ ...unsettled, findings }, 'proven', 4 * DAY_MS))).toEqual({
      breaks: ['stuck unaskable pending'],
      waiting: null,
    });
    expect(named(judged({ ...unsettled, findings }))).toEqual({ breaks: ['stuck unaskable pending'], waiting: null });
  });
});

test('the date of a wait is that by which the record must be settled; without one it is the own date of the record', () => {
  expect(judged({ confirmed: 'pending' }).dueAtMs).toBe(STARTED_MS + 3 * DAY_MS);
  expect(judged({ kind: 'refund', confirmed: 'awaiting_settlement' }).dueAtMs).toBe(STARTED_MS + 30 * DAY_MS);
  expect(judged({ kind: 'refund', reported: 'awaiting_settlement', confirmed: null }).dueAtMs).toBe(
    STARTED_MS + 30 * DAY_MS,
  );
  expect(judged({ confirmed: null }, 'absent').dueAtMs).toBeNull();
  expect(judged({}).dueAtMs).toBeNull();
});

describe('the service against the webhooks', () => {
  const opposed = { reported: 'success', confirmed: 'failed' };
  test.each<[string, Partial<WitnessedRecord>, string[], string | null]>([
    ['another settled status is a break', opposed, ['status_mismatch webhook_vs_api failed'], null],
    [
      'an answer at the time of the webhook knew it',
      { ...opposed, answeredAtMs: STARTED_MS + 50 },
      ['status_mismatch webhook_vs_api failed'],
      null,
    ],
    [
      'an answer from before the webhook did not',
      { ...opposed, answeredAtMs: STARTED_MS + 49 },
      [],
      'timing webhook_vs_api failed',
    ],
    [
      'nor one from before the time that the webhook states',
      { ...opposed, reportedAtMs: null, reportedTime: '2026-10-01T00:00:01Z', answeredAtMs: STARTED_MS + 999 },
      [],
      'timing webhook_vs_api failed',
    ],
    [
      'an answer without a time counts',
      { ...opposed, answeredAtMs: null },
      ['status_mismatch webhook_vs_api failed'],
      null,
    ],
    ['an answer ahead of the webhooks is none: one was lost', { reported: 'failed', confirmed: 'success' }, [], null],
    ['two words for one outcome are none', { reported: 'success', confirmed: 'completed' }, [], null],
    ['without a webhook there is none', { reported: null, confirmed: 'failed' }, [], null],
    [
      'an answer that is not settled only waits',
      { reported: 'success', confirmed: 'pending' },
      [],
      'timing unsettled pending',
    ],
  ])('%s', (_case, record, breaks, waiting) => {
    expect(named(judged(record))).toEqual({ breaks, waiting });
  });

  test('the finding and the statuses make one break', () => {
    const findings = [{ code: 'webhook_vs_api', subject: 'failed', detail: 'x' }] as const;
    expect(named(judged({ ...opposed, findings })).breaks).toEqual(['status_mismatch webhook_vs_api failed']);
  });
});

test('findings and differing money of one status are breaks of the record', () => {
  const money = { reported: { fee: parseAmount('1') }, confirmed: { fee: parseAmount('2') } };
  const findings = [{ code: 'absent', subject: 'list', detail: 'x' }] as const;
  expect(judged({ money, findings }).breaks.map(({ code }) => code)).toEqual(['missing_external', 'fee_mismatch']);
});
