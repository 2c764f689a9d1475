import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  approveRefusal,
  closeRefusal,
  type KnownPeriod,
  lockRefusal,
  PERIOD_REFUSALS,
  type PeriodFacts,
  reopenRefusal,
  unseenRefusal,
} from '../../../../src/domain/periods/acts.ts';
import { PERIOD_STATES, type PeriodState, periodOf } from '../../../../src/domain/periods/period.ts';
import { packageFile } from '../../../../src/package-root.ts';

const known = (name: string, state: PeriodState, preparer = 'Ada'): KnownPeriod => {
  const period = periodOf(name);
  if (period === null) throw new Error(`${name} is no period`);
  return {
    ...period,
    state,
    preparer,
    digest: 'd-2',
    since: { who: 'Grace', atMs: Date.parse('2026-11-04T09:00:00Z') },
  };
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

test.each(PERIOD_STATES)('a refusal on a period that is %s says by whom, and since when', (state) => {
  const given = october(state);
  const all = [closeRefusal(given), approveRefusal(given, 'Grace'), lockRefusal(given), reopenRefusal(given)];
  const messages = all.flatMap((one) => one?.message ?? []);
  const said = `Period 2026-10 is ${state} (by Grace, 2026-11-04T09:00:00.000Z).`;
  expect([...new Set(messages)]).toEqual([said]);
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

describe('a refusal says what to do next', () => {
  const late = 'hat became known later stands in the next period';
  const reopen = `W${late}. To change it: tallyhook period reopen 2026-10 --reason TEXT`;
  const forever = `Locked is for ever: w${late}. See: tallyhook period show 2026-10`;

  test.each<[string, ReturnType<typeof closeRefusal>, string]>([
    ['close a closed one', closeRefusal(october('closed')), reopen],
    ['close an approved one', closeRefusal(october('approved')), reopen],
    ['close a locked one', closeRefusal(october('locked')), forever],
    ['approve an open one', approveRefusal(october('open'), 'Grace'), 'Close it first: tallyhook period close 2026-10'],
    ['approve an approved one', approveRefusal(october('approved'), 'Grace'), reopen],
    ['approve a locked one', approveRefusal(october('locked'), 'Grace'), forever],
    [
      'approve what one closed',
      approveRefusal(october('closed'), 'Ada'),
      'Another person runs: tallyhook period approve 2026-10 --as NAME',
    ],
    ['lock an open one', lockRefusal(october('open')), 'Close it first: tallyhook period close 2026-10'],
    [
      'lock a closed one',
      lockRefusal(october('closed')),
      'Another person approves it first: tallyhook period approve 2026-10 --as NAME',
    ],
    ['lock a locked one', lockRefusal(october('locked')), forever],
    ['reopen an open one', reopenRefusal(october('open')), 'See: tallyhook period check 2026-10'],
    ['reopen a locked one', reopenRefusal(october('locked')), forever],
    [
      'close after an open one',
      closeRefusal(facts('2026-11', known('2026-10', 'open'))),
      'Close that first: tallyhook period check 2026-10',
    ],
    [
      'close after days in no period',
      closeRefusal(facts('2026-12', known('2026-10', 'locked'))),
      'Close that first: tallyhook period check 2026-11',
    ],
    [
      'close before a closed one',
      closeRefusal(facts('2026-09', known('2026-10', 'closed'))),
      'Reopen that first: tallyhook period reopen 2026-10 --reason TEXT',
    ],
    [
      'close before a locked one',
      closeRefusal(facts('2026-09', known('2026-10', 'locked'))),
      'Locked is for ever: what became known later stands in the first open period.',
    ],
    [
      'close over another one',
      closeRefusal(facts('2026-10', known('2026-10-31..2026-11-02', 'open'))),
      'See: tallyhook period list',
    ],
  ])('%s', (_, refused, hint) => {
    expect(refused?.hint).toBe(hint);
  });
});

test('the period before is the last one of several, and one that is open is named first', () => {
  const all = [known('2026-08', 'locked'), known('2026-09', 'locked')];
  expect(closeRefusal(facts('2026-10', ...all))).toBeNull();
  expect(closeRefusal(facts('2026-11', ...all))?.message).toContain('while 2026-10, after 2026-09, is open');
  const opened = closeRefusal(facts('2026-11', known('2026-08', 'open'), known('2026-09', 'locked')));
  expect([opened?.reason, opened?.message]).toEqual([
    'earlier_open',
    'Period 2026-11 cannot be closed while 2026-08 before it is open.',
  ]);
});

test('an open one after it hinders nothing', () => {
  const all = [known('2026-10', 'open'), known('2026-11', 'open')];
  expect(closeRefusal(facts('2026-10', ...all))).toBeNull();
  expect(closeRefusal(facts('2026-10', ...all, known('2026-12', 'closed')))?.message).toBe(
    'Period 2026-10 cannot be closed while 2026-12 after it is closed.',
  );
});

test('docs/cli.md has every reason of a refusal', () => {
  const commandLine = readFileSync(packageFile('docs/cli.md'), 'utf8');
  const [, listed = ''] = /A refused act is an error with `reason`: (.*?)\.\n/s.exec(commandLine) ?? [];
  expect(PERIOD_REFUSALS.filter((reason) => !listed.includes(`\`${reason}\``))).toEqual([]);
});

test('a signature counts for the closing that was looked at; an entry that names none is carried out', () => {
  expect(unseenRefusal(october('closed'), 'd-2')).toBeNull();
  expect(unseenRefusal(october('closed'), undefined)).toBeNull();
  for (const other of ['d-1', '']) expect(unseenRefusal(october('closed'), other)?.reason).toBe('changed');
});

test('nobody approves the own close under a second name', () => {
  const asGrace = (first: string) => approveRefusal(october('closed'), 'Grace', (name) => name === first);
  expect([asGrace('Ada')?.reason, asGrace('Zoe')]).toEqual(['person', null]);
});
