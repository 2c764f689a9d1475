import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ActedException, Wanted } from '../../../../src/domain/exceptions/act.ts';
import { judgeAct } from '../../../../src/domain/exceptions/judge-act.ts';
import { needsApproval, STANDARD_REASONS } from '../../../../src/domain/exceptions/reasons.ts';
import { EXCEPTION_STATES, type ExceptionState, type ReasonRules } from '../../../../src/domain/exceptions/words.ts';

const REASONS: ReasonRules = {
  ...STANDARD_REASONS,
  own: { resolution: null, account: null, needs: [], approveAbove: {} },
  large: { resolution: 'accept', account: null, needs: [], approveAbove: { NGN: 1_000n } },
};
const GIVEN = { reference: null, comment: null, followUp: null, attachments: [], lines: [] };
const RESOLVE: Wanted = { act: 'resolve', resolution: 'accept', reasonCode: 'bank_charge', ...GIVEN };
const ACTS: Readonly<Record<string, Wanted>> = {
  assign: { act: 'assign', to: 'cem' },
  unassign: { act: 'assign', to: null },
  comment: { act: 'comment', text: 'hm' },
  resolve: RESOLVE,
  match: { ...RESOLVE, resolution: 'match', reasonCode: null },
  undo_match: { ...RESOLVE, resolution: 'undo_match', reasonCode: null },
  reopen: { act: 'reopen', reason: 'no' },
  approve: { act: 'approve' },
};

const AT_MS = Date.parse('2026-11-02T08:00:00Z');
const AT = '2026-11-02T08:00:00.000Z';

function acted(status: ExceptionState, over: Partial<ActedException> = {}): ActedException {
  const held: NonNullable<ActedException['held']> = {
    ...{ resolution: 'accept', reasonCode: 'large', reference: null, followUp: null, by: 'ada' },
    ...{ atMs: AT_MS, approval: 'needed', isPaid: false },
  };
  return {
    ...{
      id: 'x-1',
      version: 3,
      status,
      assignee: status === 'assigned' ? 'ben' : null,
      comment: null,
      currency: 'NGN',
    },
    ...{
      value: 500n,
      held: status === 'resolved' ? held : null,
      changedBy: 'ada',
      changedAtMs: AT_MS,
      closedIn: null,
      twins: [],
      ...over,
    },
  };
}

const outcome = (one: ActedException, wanted: Wanted, by = 'ben') => {
  const judged = judgeAct(one, wanted, { by, reasons: REASONS });
  return 'refusal' in judged ? judged.refusal.reason : judged.change.after;
};

describe('every state and act', () => {
  const AFTER: Readonly<Record<ExceptionState, Readonly<Record<string, string>>>> = {
    open: { assign: 'assigned', resolve: 'resolved', match: 'open', undo_match: 'open' },
    reopened: { assign: 'assigned', resolve: 'resolved', match: 'reopened', undo_match: 'reopened' },
    assigned: { unassign: 'open', resolve: 'resolved', match: 'assigned', undo_match: 'assigned' },
    resolved: { approve: 'resolved', reopen: 'reopened' },
    closed: {},
  };
  const matrix = EXCEPTION_STATES.flatMap((state) => Object.keys(ACTS).map((act) => [state, act] as const));

  test.each(matrix)('%s, %s', (state, act) => {
    const wanted = ACTS[act] as Wanted;
    expect(outcome(acted(state), wanted)).toBe(act === 'comment' ? state : (AFTER[state][act] ?? 'state'));
  });

  test.each(matrix)('%s in a closed period, %s: only claims, comments and assignments go on', (state, act) => {
    const wanted = ACTS[act] as Wanted;
    const open = outcome(acted(state), wanted);
    const goesOn = open === 'state' || ['assign', 'unassign', 'comment'].includes(act);
    expect(outcome(acted(state, { closedIn: { period: '2026-10', by: 'day' } }), wanted)).toBe(
      goesOn ? open : 'period_closed',
    );
  });
});

const CLAIMED = { reference: 'CLM-7', followUp: '2026-12-01' };

test.each([
  ['claim', 'service_error', { followUp: '2026-12-01' }, 'missing'],
  ['claim', 'service_error', { reference: 'CLM-7' }, 'missing'],
  ['claim', 'own', { comment: 'why', reference: 'CLM-7' }, 'missing'],
  ['claim', 'own', { comment: 'ref: CLM-7', followUp: '2026-12-01' }, 'resolved'],
  ['ours', 'booking_error', {}, 'missing'],
  ['ours', 'own', {}, 'missing'],
  ['ours', 'own', { reference: 'JV-1' }, 'resolved'],
])('%s by %s with %j: %s', (resolution, reasonCode, given, expected) => {
  expect(outcome(acted('open'), { ...RESOLVE, resolution, reasonCode, ...given } as Wanted)).toBe(expected);
});

test('what pays a claim need not repeat its reference and its follow-up', () => {
  const held = { ...acted('resolved').held, ...CLAIMED, resolution: 'claim' } as NonNullable<ActedException['held']>;
  const line = { statement: 1, row: 2 };
  const paid: Wanted = { ...RESOLVE, resolution: 'claim', reasonCode: 'service_error', lines: [line] } as Wanted;
  expect(outcome(acted('resolved', { held }), paid)).toBe('resolved');
});

test('a refused act names who resolved it, not who commented since', () => {
  const judged = judgeAct(acted('resolved', { changedBy: 'cem' }), RESOLVE, { by: 'ben', reasons: REASONS });
  expect(judged).toMatchObject({ refusal: { message: `x-1 is resolved (by ada, ${AT}): it cannot be resolved.` } });
});

test('a claim goes on in a closed period', () => {
  const claim: Wanted = { ...RESOLVE, resolution: 'claim', reasonCode: 'service_error', ...CLAIMED } as Wanted;
  expect(outcome(acted('open', { closedIn: { period: '2026-10', by: 'day' } }), claim)).toBe('resolved');
});

test('what is larger than the amount of its code waits for another person; one name is one person in every spelling', () => {
  const large: Wanted = { ...RESOLVE, reasonCode: 'large' } as Wanted;
  const approvalOf = (value: bigint | null, currency: string | null) => {
    const judged = judgeAct(acted('open', { value, currency }), large, { by: 'ada', reasons: REASONS });
    return 'change' in judged && 'approval' in judged.change.resolution ? judged.change.resolution.approval : 'refused';
  };
  expect([
    approvalOf(1_000n, 'NGN'),
    approvalOf(1_001n, 'NGN'),
    approvalOf(null, 'NGN'),
    approvalOf(9_999n, 'KES'),
  ]).toEqual([null, 'needed', 'needed', null]);
  for (const by of ['ada', ' Ada', 'ADA ']) expect(outcome(acted('resolved'), { act: 'approve' }, by)).toBe('person');
});

test('a code must be known, go with the resolution and have what it needs, in this order and before the state', () => {
  const refused = (reasonCode: string | null, over = {}) =>
    outcome(acted('closed'), { ...RESOLVE, reasonCode, ...over } as Wanted);
  expect([
    refused('whim'),
    refused('service_error'),
    refused(null),
    refused('other'),
    refused('other', { comment: 'ref: A-1;  ' }),
    refused('other', { comment: 'ref: A-1; why' }),
    refused('toString'),
  ]).toEqual(['unknown_word', 'unknown_word', 'missing', 'missing', 'missing', 'state', 'unknown_word']);
});

test('a row of a spreadsheet: words and what they need come before the states', () => {
  const row = (resolution: object) =>
    outcome(acted('closed'), {
      ...{ act: 'import', assignee: 'cem' },
      resolve: { resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null, ...resolution },
    } as Wanted);
  expect([row({ reasonCode: 'whim' }), row({ reasonCode: null }), row({})]).toEqual([
    'unknown_word',
    'missing',
    'state',
  ]);
});

test('any order of acts by two persons: what is refused changes nothing, and no person approves what is his own', () => {
  const act = fc.constantFrom(...Object.values(ACTS), { ...RESOLVE, reasonCode: 'large' } as Wanted);
  const said = fc.record({ by: fc.constantFrom('ada', 'Ada ', 'ben'), wanted: act });
  fc.assert(
    fc.property(fc.array(said, { maxLength: 25 }), fc.bigInt(0n, 2_000n), (all, value) => {
      let now = acted('open', { value });
      const log: ExceptionState[] = ['open'];
      for (const { by, wanted } of all) {
        const judged = judgeAct(now, wanted, { by, reasons: REASONS });
        if ('refusal' in judged) continue;
        const { after, assignee, resolution } = judged.change;
        if (resolution.do === 'approve') expect(by.trim().toLowerCase()).not.toBe(now.held?.by.trim().toLowerCase());
        const { held } = now;
        const approved = held === null ? null : { ...held, approval: { who: by, atMs: AT_MS } };
        const next = resolution.do === 'hold' ? { ...resolution, by, atMs: AT_MS, isPaid: false } : null;
        const kept = resolution.do === 'approve' ? approved : resolution.do === 'drop' ? null : held;
        now = { ...now, version: now.version + 1, status: after, assignee, held: next ?? kept };
        log.push(after);
      }
      expect(now.version).toBe(3 + log.length - 1);
      expect(log.at(-1)).toBe(now.status);
      expect(now.held !== null).toBe(now.status === 'resolved');
      if (now.status === 'assigned') expect(now.assignee).toBe('cem');
    }),
  );
});

test.each([
  ['rounding', 1_00n, 'NGN', false],
  ['rounding', 1_01n, 'NGN', true],
  ['rounding', 1_01n, 'USD', true],
  ['rounding', 1_01n, null, true],
  ['rounding', null, 'NGN', true],
  ['small_difference', 100_01n, 'NGN', true],
  ['other', 100_01n, 'NGN', true],
  ['bank_charge', 1_000_00n, 'NGN', false],
  ['bank_charge', 1_000_01n, 'NGN', true],
  ['service_error', 1_000_000_00n, 'NGN', false],
  ['large', 1_001n, 'NGN', true],
  ['large', 1_001n, 'USD', false],
  ['both', 1_001n, 'NGN', false],
  ['both', 1_001n, 'USD', true],
] as const)('reason code %s of %s %s: a second person %s', (code, value, currency, isNeeded) => {
  const both = { resolution: null, account: null, needs: [], approveAbove: { NGN: 5_000n, any: 1_000n } } as const;
  const rules: ReasonRules = { ...REASONS, both };
  const rule = rules[code];
  expect(rule !== undefined && needsApproval(rule, value, currency)).toBe(isNeeded);
});

describe('what an act changes', () => {
  const change = (status: ExceptionState, wanted: Wanted, over: Partial<ActedException> = {}) => {
    const judged = judgeAct(acted(status, over), wanted, { by: 'ben', reasons: REASONS });
    return 'change' in judged ? judged.change : judged.refusal.message;
  };
  const keep = { comment: null, resolution: { do: 'keep' } };

  test.each<[ExceptionState, Wanted, object]>([
    ['open', { act: 'assign', to: 'cem' }, { event: 'assign', after: 'assigned', assignee: 'cem', ...keep }],
    ['assigned', { act: 'assign', to: null }, { event: 'assign', after: 'open', assignee: null, ...keep }],
    [
      'open',
      { act: 'comment', text: 'hm' },
      { event: 'comment', after: 'open', assignee: null, ...keep, comment: { text: 'hm' } },
    ],
    [
      'resolved',
      { act: 'reopen', reason: 'no' },
      { event: 'reopen', after: 'reopened', assignee: null, comment: { text: 'no' }, resolution: { do: 'drop' } },
    ],
    [
      'resolved',
      { act: 'approve' },
      { event: 'approve', after: 'resolved', assignee: null, comment: null, resolution: { do: 'approve' } },
    ],
  ])('%s, %j', (status, wanted, expected) => {
    expect(change(status, wanted)).toEqual(expected);
  });

  test.each<[ExceptionState, Wanted, string]>([
    ['assigned', { act: 'assign', to: 'cem' }, 'x-1 is assigned to ben already.'],
    ['closed', { act: 'assign', to: 'cem' }, `x-1 is closed (by ada, ${AT}): it cannot be assigned.`],
    ['open', { act: 'assign', to: null }, `x-1 is open (by ada, ${AT}): it cannot be unassigned.`],
    ['open', { act: 'reopen', reason: 'no' }, `x-1 is open (by ada, ${AT}): it cannot be opened again.`],
    ['open', { act: 'approve' }, `x-1 is open (by ada, ${AT}): it cannot be approved.`],
  ])('%s, %j is refused: %s', (status, wanted, message) => {
    expect(change(status, wanted)).toBe(message);
  });

  test('nobody approves the own resolution under a second name', () => {
    const held = acted('resolved').held as NonNullable<ActedException['held']>;
    const needed = acted('resolved', { held: { ...held, by: 'ada', approval: 'needed' } });
    const asBen = (first: string) =>
      judgeAct(needed, { act: 'approve' }, { by: 'ben', mayBe: (name) => name === first, reasons: REASONS });
    expect([asBen('ada'), 'change' in asBen('zoe')]).toMatchObject([{ refusal: { reason: 'person' } }, true]);
  });

  test('an approval that is given already or was never needed is refused', () => {
    const held = acted('resolved').held as NonNullable<ActedException['held']>;
    const approve = (approval: (typeof held)['approval']) =>
      judgeAct(acted('resolved', { held: { ...held, approval } }), { act: 'approve' }, { by: 'ben', reasons: REASONS });
    expect([approve({ who: 'cem', atMs: AT_MS }), approve(null)]).toMatchObject([
      {
        refusal: {
          message: `x-1 is approved already (by cem, ${AT}).`,
          hint: 'Open it again: tallyhook exceptions reopen x-1 --reason TEXT',
        },
      },
      { refusal: { message: 'x-1 needs no approval.', hint: 'See: tallyhook exceptions show x-1' } },
    ]);
    expect(change('resolved', { act: 'approve' }, { held: null })).toBe(
      `x-1 is resolved (by ada, ${AT}): it cannot be approved.`,
    );
  });

  test('a refusal says what to do next', () => {
    const hint = (status: ExceptionState, wanted: Wanted, over: Partial<ActedException> = {}) => {
      const judged = judgeAct(acted(status, over), wanted, { by: 'ada', reasons: REASONS });
      return 'refusal' in judged ? judged.refusal.hint : 'done';
    };
    expect([
      hint('resolved', { act: 'assign', to: 'cem' }),
      hint('open', { act: 'approve' }),
      hint('assigned', { act: 'assign', to: 'cem' }),
      hint('resolved', { act: 'approve' }),
      hint('resolved', { act: 'reopen', reason: 'no' }, { closedIn: { period: '2026-10', by: 'day' } }),
    ]).toEqual([
      'Open it again: tallyhook exceptions reopen x-1 --reason TEXT',
      'See: tallyhook exceptions show x-1',
      'Take it back first: tallyhook exceptions assign x-1 --to -',
      'Say who: --as NAME',
      'To change it, open the period again: tallyhook period reopen 2026-10 --reason TEXT',
    ]);
  });
});
