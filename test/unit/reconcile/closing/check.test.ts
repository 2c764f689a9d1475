import { describe, expect, test } from 'vitest';
import type { PeriodSet } from '../../../../src/domain/periods/period.ts';
import { itemsOf } from '../../../../src/reconcile/closing/check.ts';
import { CHECK_ITEMS } from '../../../../src/reconcile/closing/check-items.ts';
import type { CheckFacts, JudgedBreak, PeriodOrder } from '../../../../src/reconcile/closing/facts.ts';
import type { Report, ReportProof } from '../../../../src/reconcile/report/model.ts';
import type { Exception } from '../../../../src/store/exceptions.ts';
import type { StatementSummary } from '../../../../src/store/statements.ts';
import { FILLED_REPORT } from '../../../support/filled-report.ts';

// What each item of a check says of facts that are made by hand.

const BEFORE_MS = Date.parse('2026-10-31T23:00:00Z');
const SET: PeriodSet = { name: 'live', environment: 'live', accounts: null };
const ORDER: PeriodOrder = {
  set: SET,
  period: { name: '2026-10', from: '2026-10-01', to: '2026-10-31' },
  dayRule: { zone: 'Africa/Lagos', cutOffMinutes: 1_440 },
};
const statement = (name: string, from: string, to: string, statesDays = true, closing = 0n) => {
  const balances: StatementSummary['balances'] = [{ currency: 'NGN', opening: null, closing, sum: 0n }];
  return {
    account: { name, kind: 'wallet', environment: 'live' },
    covers: { from, to },
    statesDays,
    balances,
  } as StatementSummary;
};
const OCTOBER = statement('wallet-main', '2026-10-01', '2026-10-31');
const WELL: CheckFacts = {
  kept: null,
  run: { run: 1, asAtMs: BEFORE_MS, breaks: 0 } as CheckFacts['run'],
  news: { records: 0, statements: 0, removed: 0, decisions: 0, payments: 0, closing: null },
  beforeMs: BEFORE_MS,
  checkedUntil: null,
  breaks: [],
  unresolved: [],
  statements: [OCTOBER],
  otherPeriods: null,
  before: [],
};
const proof = (difference: string, unexplained = '0.00'): ReportProof => ({
  ...{
    environment: 'live',
    account: 'wallet-main',
    currency: 'NGN',
    isBalanceStated: true,
    covers: { from: '2026-10-01', to: '2026-10-31' },
    explained: [],
    unexplained,
  },
  rows: [{ name: 'closing', ours: '100.00', theirs: '100.00', difference }],
});
const REPORT: Report = {
  ...FILLED_REPORT,
  ...{ proof: [proof('0.00')], reserved: [], waiting: [], late: [], uncompared: [] },
};
const found = (code: string, isResolved: boolean, effect = '5.00') =>
  ({
    id: `x-${code}`,
    code,
    isResolved,
    effect,
    account: 'wallet-main',
    currency: 'NGN',
    environment: 'live',
  }) as JudgedBreak;
const unresolved = (id: string, status = 'open', code = 'missing_internal') => ({ id, status, code }) as Exception;

function stateOf(name: string, over: Partial<CheckFacts>, report: Partial<Report> | null = {}, set = SET) {
  const items = itemsOf({ ...ORDER, set }, { ...WELL, ...over }, report === null ? null : { ...REPORT, ...report });
  const item = items.find((one) => one.name === name);
  return [item?.state, item?.count];
}

test('every item is there, in its order, and without any difference nothing is open', () => {
  const items = itemsOf(ORDER, WELL, REPORT);
  expect(items.map(({ name }) => name)).toEqual(CHECK_ITEMS);
  expect(items.map(({ state }) => state)).toEqual(CHECK_ITEMS.map(() => 'ok'));
  expect(items.map(({ next }) => next)).toEqual(CHECK_ITEMS.map(() => null));
});

test('without a run nothing that rests on it is known', () => {
  const names = ['run', 'closing_balance', 'unparsed', 'control', 'unexplained', 'reserves', 'suggestions'];
  expect(names.map((name) => stateOf(name, { run: null }, null)[0])).toEqual(names.map(() => 'open'));
});

describe('run', () => {
  test.each<[string, Partial<CheckFacts>, string]>([
    ['a run before the days were over', { run: { ...WELL.run, asAtMs: BEFORE_MS - 1 } as CheckFacts['run'] }, 'open'],
    ['news of a record since', { news: { ...WELL.news, records: 1 } }, 'open'],
    ['a decision since', { news: { ...WELL.news, decisions: 1 } }, 'open'],
  ])('%s', (_, over, state) => {
    expect(stateOf('run', over)[0]).toBe(state);
  });
});

describe('statements', () => {
  test.each<[string, readonly StatementSummary[], readonly string[] | null, string]>([
    ['no statement at all', [], null, 'open'],
    ['an account of the set without any', [OCTOBER], ['wallet-main', 'bank-main'], 'open'],
    ['one that ends early, and says so', [statement('wallet-main', '2026-10-01', '2026-10-30')], null, 'open'],
    ['one whose last line is earlier', [statement('wallet-main', '2026-10-01', '2026-10-30', false)], null, 'note'],
    ['only one of September', [statement('wallet-main', '2026-09-01', '2026-09-30')], null, 'open'],
    ['an account that begins later', [OCTOBER, statement('bank-main', '2026-11-01', '2026-11-30')], null, 'ok'],
  ])('%s', (_, statements, accounts, state) => {
    expect(stateOf('statements', { statements }, {}, { ...SET, accounts })[0]).toBe(state);
  });
});

describe('an account that was closed', () => {
  const until = { 'bank-old': '2026-10-14' };
  const NOVEMBER = { name: '2026-11', from: '2026-11-01', to: '2026-11-30' };
  const itemOf = (period: PeriodOrder['period'], statements: readonly StatementSummary[]) => {
    const items = itemsOf({ ...ORDER, period, until }, { ...WELL, statements }, REPORT);
    return items.find(({ name }) => name === 'statements');
  };
  const next = statement('wallet-main', '2026-11-01', '2026-11-30');
  const last = (to: string, closing = 0n) => statement('bank-old', '2026-10-01', to, true, closing);

  test('has statements up to its last day, and needs none after it', () => {
    expect(itemOf(ORDER.period, [OCTOBER, last('2026-10-14')])?.state).toBe('note');
    expect(itemOf(ORDER.period, [OCTOBER, last('2026-10-13')])?.state).toBe('open');
    expect(itemOf(NOVEMBER, [next, last('2026-10-14')])).toMatchObject({
      ...{ state: 'note', count: 1, text: 'bank-old was closed on 2026-10-14', next: null },
    });
  });

  test('is named with what its last statement leaves in it', () => {
    expect(itemOf(NOVEMBER, [next, last('2026-10-14', 1_200n)])?.text).toBe(
      'bank-old was closed on 2026-10-14 with NGN 12.00',
    );
  });

  test('goes on while it has statements of later days', () => {
    expect(itemOf(NOVEMBER, [next, last('2026-10-31')])).toMatchObject({
      ...{ state: 'open', text: 'no statement of bank-old covers these days' },
    });
  });
});

describe('a period without any statement of an account', () => {
  const before = statement('wallet-main', '2026-09-01', '2026-09-30');
  const nextOf = (statements: readonly StatementSummary[], period = ORDER.period) => {
    const items = itemsOf({ ...ORDER, period }, { ...WELL, statements }, REPORT);
    return items.find(({ name }) => name === 'statements')?.next;
  };
  const IMPORT = 'tallyhook statements import FILE --profile PROFILE';
  const together = (name: string) =>
    `${IMPORT}; where there is none, close both as one: tallyhook period check ${name}`;

  test('while none came after it, only its file is asked for', () => {
    expect(nextOf([before])).toBe(`${IMPORT}; if the account was closed, set its last day: periods.until`);
    expect(nextOf([before, statement('wallet-main', '2026-10-01', '2026-10-26')])).toBe(IMPORT);
  });

  test('between two with one, the days can be closed together with those of the next', () => {
    const after = [
      statement('wallet-main', '2027-01-01', '2027-01-31'),
      statement('wallet-main', '2026-11-02', '2026-11-09'),
    ];
    expect(nextOf([before, ...after])).toBe(together('2026-10-01..2026-11-30'));
    const bank = [
      statement('bank-main', '2026-09-01', '2026-09-30'),
      statement('bank-main', '2026-12-01', '2026-12-31'),
    ];
    expect(nextOf([before, ...after, ...bank])).toBe(together('2026-10-01..2026-12-31'));
    const week = { name: '2026-10-05..2026-10-11', from: '2026-10-05', to: '2026-10-11' };
    expect(nextOf([before, statement('wallet-main', '2026-10-12', '2026-10-18')], week)).toBe(
      together('2026-10-05..2026-10-18'),
    );
  });
});

describe('a difference is explained once every break behind it is resolved', () => {
  test.each([
    ['statements', 'statement_gap'],
    ['unparsed', 'unparsed'],
    ['control', 'control_mismatch'],
    ['reserves', 'reserve_mismatch'],
  ])('%s', (name, code) => {
    expect(stateOf(name, { breaks: [found(code, true)] })).toEqual(['explained', 1]);
    expect(stateOf(name, { breaks: [found(code, true), found(code, false)] })).toEqual(['open', 1]);
  });

  test('closing_balance', () => {
    const differs = { proof: [proof('5.00')] };
    expect(stateOf('closing_balance', { breaks: [found('missing_internal', true)] }, differs)).toEqual([
      'explained',
      1,
    ]);
    expect(stateOf('closing_balance', { breaks: [found('missing_internal', false)] }, differs)).toEqual(['open', 1]);
    // What moves no balance is not behind it, and what came late is closed by the close.
    expect(stateOf('closing_balance', { breaks: [found('stuck', false, '0.00')] }, differs)[0]).toBe('explained');
    expect(stateOf('closing_balance', { breaks: [found('late_arrival', false)] }, differs)[0]).toBe('explained');
  });
});

describe('days that no statement covers are named', () => {
  const textOf = (statements: readonly StatementSummary[], over: Partial<CheckFacts> = {}) => {
    const item = itemsOf(ORDER, { ...WELL, statements, ...over }, REPORT).find(({ name }) => name === 'statements');
    return [item?.state, item?.text];
  };

  test('files that do not state their days: no gap, but the check says which days have no line', () => {
    const bank = statement('bank-main', '2026-10-05', '2026-10-30', false);
    expect(textOf([OCTOBER, bank])).toEqual([
      'note',
      'no line of bank-main on 2026-10-01..2026-10-04, 2026-10-31 (its files state no days)',
    ]);
    const others = [
      statement('bank-main', '2026-09-20', '2026-10-04', false),
      statement('bank-main', '2026-10-31', '2026-11-02', false),
    ];
    expect(textOf([OCTOBER, bank, ...others])).toEqual(['ok', 'every day is covered']);
  });

  test('files that state them: the gap is open until it is resolved, and names the days', () => {
    const halves = [
      statement('bank-main', '2026-10-01', '2026-10-09'),
      statement('bank-main', '2026-10-12', '2026-10-31'),
    ];
    expect(textOf(halves, { breaks: [found('statement_gap', false)] })).toEqual([
      'open',
      '1 gap between statements; no statement of bank-main on 2026-10-10..2026-10-11',
    ]);
    expect(textOf(halves, { breaks: [found('statement_gap', true)] })).toEqual([
      'explained',
      '1 gap between statements; no statement of bank-main on 2026-10-10..2026-10-11; resolved',
    ]);
  });
});

describe('an account whose statements say that they end before the last day', () => {
  const early = [OCTOBER, statement('bank-main', '2026-10-01', '2026-10-26')];
  const gap = (over: Partial<JudgedBreak>) => ({
    ...found('statement_gap', true, '0.00'),
    ...{ account: 'bank-main', field: 'days', date: '2026-10-31', ...over },
  });

  test.each<[string, JudgedBreak[], string]>([
    ['open without a break: the statement may be on its way', [], 'open'],
    ['open while its gap is not resolved', [gap({ isResolved: false })], 'open'],
    ['explained once it is', [gap({})], 'explained'],
    ['open where the resolved gap leaves out the last days', [gap({ date: '2026-10-30' })], 'open'],
    ['open where the resolved gap is one of another account', [gap({ account: 'wallet-main' })], 'open'],
    ['open where the resolved break is one of its balances', [gap({ field: 'opening' })], 'open'],
    ['open while the gap of another currency is not', [gap({}), gap({ currency: 'USD', isResolved: false })], 'open'],
  ])('%s', (_, breaks, state) => {
    expect(stateOf('statements', { statements: early, breaks })[0]).toBe(state);
  });
});

describe('lines that were compared with nothing', () => {
  const { uncompared } = FILLED_REPORT;
  const [topUps] = uncompared;
  const clause =
    '2 top-up lines of wallet-main, NGN 250.00 in all, compared with nothing: no bank statement covers them';
  const itemOf = (over: Partial<CheckFacts>, rows: Report['uncompared']) =>
    itemsOf(ORDER, { ...WELL, ...over }, { ...REPORT, uncompared: rows }).find(({ name }) => name === 'statements');

  test('are noted with their number and sum, and what to import', () => {
    const next = 'tallyhook statements import FILE --profile PROFILE';
    expect(itemOf({}, uncompared)).toEqual({
      ...{ name: 'statements', state: 'note', count: 1, text: `every day is covered; ${clause}`, next },
    });
    const unruled = ['fee', 'transfer'].map((type) => ({ ...topUps, type, leg: null, lacks: null }) as typeof topUps);
    expect(itemOf({}, unruled as typeof uncompared)).toMatchObject({
      ...{ state: 'note', count: 2, next: null },
      text: expect.stringMatching(/; \S+: no rule compares fee NGN 250\.00, transfer NGN 250\.00$/),
    });
    const dollars = [{ ...topUps, currency: 'USD', type: 'settlement', lines: 1, moved: '-9.00' }] as typeof uncompared;
    expect(itemOf({}, [...uncompared, ...dollars])).toMatchObject({
      count: 2,
      text: `every day is covered; ${clause}; 1 settlement line of wallet-main, USD 9.00 in all, compared with nothing: no bank statement covers it`,
    });
  });

  test('change nothing of what keeps the period open', () => {
    const breaks = [found('statement_gap', false)];
    const [alone, both] = [itemOf({ breaks }, []), itemOf({ breaks }, uncompared)];
    expect(both).toEqual({ ...alone, text: `${alone?.text}; ${clause}` });
  });
});

test('unexplained must be 0.00, whatever is resolved', () => {
  expect(stateOf('unexplained', {}, { proof: [proof('5.00', '5.00')] })).toEqual(['open', 1]);
  expect(stateOf('unexplained', {}, { proof: [proof('5.00', '-0.01'), proof('0.00')] })).toEqual(['open', 1]);
});

test('a group that the program judged wrongly is open, also in an account without a balance, and once in one with it', () => {
  const about = { list: 'unexplained', environment: 'live', currency: 'NGN', count: 1, effect: '5.00' } as const;
  const [proven, unproven] = ['wallet-main', 'settlements'].map((account) => ({ ...about, account }));
  expect(stateOf('unexplained', {}, { waiting: [unproven ?? never()] })).toEqual(['open', 1]);
  const both = { proof: [proof('5.00', '5.00')], waiting: [proven ?? never(), unproven ?? never()] };
  expect(stateOf('unexplained', {}, both)).toEqual(['open', 2]);
  expect(stateOf('unexplained', {}, { waiting: [{ ...(unproven ?? never()), list: 'timing' }] })).toEqual(['ok', 0]);
});

function never(): never {
  throw new Error('it is there');
}

test('exceptions count once, those that wait for an approval twice, late ones never', () => {
  const breaks = [found('missing_internal', false), found('late_arrival', false)];
  const queue = [unresolved('x-missing_internal'), unresolved('x-old'), unresolved('x-late', 'open', 'late_arrival')];
  expect(stateOf('exceptions', { breaks, unresolved: queue })).toEqual(['open', 2]);
  expect(stateOf('late_items', { breaks, unresolved: queue })).toEqual(['note', 1]);
  const needed = [unresolved('x-1', 'resolved')];
  expect(stateOf('exceptions', { unresolved: needed })).toEqual(['open', 1]);
  expect(stateOf('approvals', { unresolved: needed })).toEqual(['open', 1]);
  expect(stateOf('approvals', { unresolved: queue })).toEqual(['ok', 0]);
});

test('reserves, suggestions and what is not due yet are notes', () => {
  const { reserved, waiting } = FILLED_REPORT;
  const [reserves, suggestions] = [stateOf('reserves', {}, { reserved }), stateOf('suggestions', {}, { waiting })];
  expect([reserves[0], suggestions[0]]).toEqual(['note', 'note']);
  const one = [{ ...waiting[0], list: 'timing', count: 1 } as (typeof waiting)[number]];
  const item = itemsOf(ORDER, WELL, { ...REPORT, waiting: one }).find(({ name }) => name === 'suggestions');
  expect(item?.text).toBe('1 item not due yet is carried');
});

test('another period of the set in the way is told as it is refused', () => {
  const otherPeriods = { reason: 'earlier_open' as const, message: 'Close September first.', hint: 'tallyhook …' };
  const items = itemsOf(ORDER, { ...WELL, otherPeriods }, REPORT);
  expect(items.at(-1)).toMatchObject({ state: 'open', text: 'Close September first', next: 'tallyhook …' });
});
