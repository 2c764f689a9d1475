import { describe, expect, test } from 'vitest';
import {
  approveRefusal,
  closeRefusal,
  type KnownPeriod,
  lockRefusal,
  type PeriodFacts,
  reopenRefusal,
} from '../../../../src/domain/periods/acts.ts';
import { PERIOD_STATES, type PeriodState, periodOf } from '../../../../src/domain/periods/period.ts';

const known = (name: string, state: PeriodState, preparer = 'Ada'): KnownPeriod => {
  const period = periodOf(name);
  if (period === null) throw new Error(`${name} is no period`);
  return { ...period, state, preparer };
};
const facts = (name: string, ...all: KnownPeriod[]): PeriodFacts => {
  const { from, to } = known(name, 'open');
  return { period: { name, from, to }, all };
};
const october = (state: PeriodState) => facts('2026-10', known('2026-10', state));

/** What each act answers in each state: null is done. */
const TABLE: Record<
  PeriodState,
  [close: string | null, approve: string | null, lock: string | null, reopen: string | null]
> = {
  open: [null, 'state', 'state', 'state'],
  closed: ['state', null, 'state', null],
  approved: ['state', 'state', null, null],
  locked: ['state', 'state', 'state', 'state'],
};

test.each(PERIOD_STATES)('the acts on a period that is %s', (state) => {
  const given = october(state);
  const answers = [closeRefusal(given), approveRefusal(given, 'Grace'), lockRefusal(given), reopenRefusal(given)];
  expect(answers.map((answer) => answer?.reason ?? null)).toEqual(TABLE[state]);
});

test('a period of which nothing is kept is open', () => {
  expect(closeRefusal(facts('2026-10'))).toBeNull();
  expect(approveRefusal(facts('2026-10'), 'Grace')?.message).toBe('Period 2026-10 is open.');
});

test.each(['Ada', 'ada', ' ADA ', 'Ad\u0061'])('who closed it cannot approve it as %j', (by) => {
  expect(approveRefusal(october('closed'), by)?.reason).toBe('person');
});

test('a name in another Unicode form is the same person', () => {
  const given = facts('2026-10', known('2026-10', 'closed', 'Zoé'));
  expect(approveRefusal(given, 'ZOE\u0301')?.reason).toBe('person');
  expect(approveRefusal(given, 'Zoe')).toBeNull();
});

describe('closing is refused', () => {
  test('while the period before is open', () => {
    const refused = closeRefusal(facts('2026-11', known('2026-10', 'open')));
    expect(refused?.message).toBe('Period 2026-11 cannot be closed while 2026-10 before it is open.');
    expect(closeRefusal(facts('2026-11', known('2026-10', 'closed')))).toBeNull();
  });

  test('when days before it are in no period', () => {
    const refused = closeRefusal(facts('2026-12', known('2026-10', 'locked')));
    expect(refused?.reason).toBe('earlier_open');
    expect(refused?.message).toBe('Period 2026-12 cannot be closed while 2026-11, after 2026-10, is open.');
  });

  test('while a later one is closed', () => {
    expect(closeRefusal(facts('2026-09', known('2026-10', 'approved')))?.reason).toBe('later_closed');
  });

  test('when another one has some of its days', () => {
    const refused = closeRefusal(facts('2026-10', known('2026-10-15..2026-11-14', 'open')));
    expect(refused?.reason).toBe('overlap');
    expect(refused?.message).toContain('2026-10-15..2026-11-14');
  });
});

test('reopening is refused while a later one is closed, and names the last of them', () => {
  const all = [known('2026-10', 'closed'), known('2026-11', 'closed'), known('2026-12', 'closed')];
  const refused = reopenRefusal(facts('2026-10', ...all));
  expect(refused?.reason).toBe('later_closed');
  expect(refused?.hint).toContain('tallyhook period reopen 2026-12');
  expect(reopenRefusal(facts('2026-12', ...all))).toBeNull();
});
