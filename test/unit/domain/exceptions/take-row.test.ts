import { describe, expect, test } from 'vitest';
import type { ActedException, Wanted } from '../../../../src/domain/exceptions/act.ts';
import { takeRow } from '../../../../src/domain/exceptions/take-row.ts';
import { ACTOR, actedOn, changeOf, HELD, refusalOf } from '../../../support/acting.ts';

type Row = Omit<Wanted & { readonly act: 'import' }, 'act'>;
const taken = (acted: Partial<ActedException>, row: Row) => takeRow(actedOn(acted), { act: 'import', ...row }, ACTOR);
const ACCEPT = { resolution: 'accept', reasonCode: 'rounding', reference: null, followUp: null } as const;
const OTHER = { ...ACCEPT, reasonCode: 'other' } as const;
const ASSIGNED = { status: 'assigned', assignee: 'ben' } as const;
const RESOLVED = { status: 'resolved', held: { ...HELD, followUp: '2026-12-01' } } as const;
const NOTHING = { event: 'import', after: 'open', assignee: null, comment: null, resolution: { do: 'keep' } };

test('an empty row changes nothing', () => {
  expect(changeOf(taken({}, {}))).toEqual(NOTHING);
  expect(changeOf(taken(ASSIGNED, {}))).toEqual({ ...NOTHING, after: 'assigned', assignee: 'ben' });
});

describe('the assignee', () => {
  test.each<[Partial<ActedException>, string | null, string]>([
    [{}, 'cem', 'assigned cem'],
    [{ status: 'reopened' }, 'cem', 'assigned cem'],
    [ASSIGNED, 'cem', 'assigned cem'],
    [ASSIGNED, null, 'open null'],
    [ASSIGNED, 'ben', 'assigned ben'],
    [{}, null, 'open null'],
    [{ ...RESOLVED, assignee: 'ben' }, 'ben', 'resolved ben'],
  ])('of %j becomes %s: %s', (acted, assignee, expected) => {
    const { after, assignee: to } = changeOf(taken(acted, { assignee }));
    expect(`${after} ${to}`).toBe(expected);
  });

  test('of a resolved or closed one stays', () => {
    expect(refusalOf(taken(RESOLVED, { assignee: 'cem' })).message).toBe(
      'x-1 is resolved (by ada, 2026-11-02T08:00:00.000Z): it cannot be assigned.',
    );
    expect(refusalOf(taken({ status: 'closed', assignee: 'ben' }, { assignee: null })).message).toBe(
      'x-1 is closed (by ada, 2026-11-02T08:00:00.000Z): it cannot be unassigned.',
    );
  });
});

describe('the comment', () => {
  test.each<[string | null, string | null | undefined, unknown]>([
    [null, 'new', { text: 'new' }],
    ['old', 'new', { text: 'new' }],
    ['old', 'old', null],
    ['old', undefined, null],
    ['old', null, 'clear'],
    [null, null, null],
  ])('%j becomes %j', (comment, said, expected) => {
    expect(changeOf(taken({ comment }, said === undefined ? {} : { comment: said })).comment).toEqual(expected);
  });
});

describe('a resolution', () => {
  test('holds, with the assignee and the comment of its row as one change', () => {
    const { lines, attachments, ...said } = { ...ACCEPT, lines: [], attachments: [] };
    expect(changeOf(taken({}, { resolve: ACCEPT, assignee: 'cem', comment: 'small' }))).toEqual({
      ...{ event: 'import', after: 'resolved', assignee: 'cem', comment: { text: 'small' } },
      resolution: { do: 'hold', ...said, lines, attachments, approval: 'needed' },
    });
  });

  test('needs a comment of its row, or the last one', () => {
    expect(changeOf(taken({}, { resolve: OTHER, comment: 'why' })).after).toBe('resolved');
    expect(changeOf(taken({ comment: 'why' }, { resolve: OTHER }))).toMatchObject({ after: 'resolved', comment: null });
    expect(refusalOf(taken({}, { resolve: OTHER })).reason).toBe('missing');
  });

  test('takes the reference of the comment of its row before that of the last one', () => {
    const change = changeOf(taken({ comment: 'ref: OLD; x' }, { resolve: ACCEPT, comment: 'ref: NEW; x' }));
    expect(change.resolution).toMatchObject({ reference: 'NEW' });
    expect(changeOf(taken({ comment: 'ref: OLD; x' }, { resolve: ACCEPT })).resolution).toMatchObject({
      reference: 'OLD',
    });
  });

  test('of one that is given to another person is done from there', () => {
    const given = changeOf(taken(ASSIGNED, { resolve: ACCEPT, assignee: 'cem' }));
    expect(given).toMatchObject({ after: 'resolved', assignee: 'cem' });
    expect(changeOf(taken(ASSIGNED, { resolve: ACCEPT, assignee: null }))).toMatchObject({
      after: 'resolved',
      assignee: null,
    });
  });

  test('of a closed one is refused for its words first, then for its assignee, then for its state', () => {
    const closed = { status: 'closed' } as const;
    expect(refusalOf(taken(closed, { resolve: { ...ACCEPT, reasonCode: 'whim' }, assignee: 'cem' })).reason).toBe(
      'unknown_word',
    );
    expect(refusalOf(taken(closed, { resolve: OTHER, assignee: 'cem' })).reason).toBe('missing');
    expect(refusalOf(taken(closed, { resolve: ACCEPT, assignee: 'cem' })).message).toContain('cannot be assigned');
    expect(refusalOf(taken(closed, { resolve: ACCEPT })).message).toContain('cannot be resolved');
  });
});

describe('a follow-up alone', () => {
  test('moves that of a resolution that holds, or clears it', () => {
    const moved = changeOf(taken(RESOLVED, { followUp: '2026-12-24', comment: 'later' }));
    expect(moved).toMatchObject({ after: 'resolved', comment: { text: 'later' } });
    expect(moved.resolution).toEqual({ do: 'follow', followUp: '2026-12-24' });
    expect(changeOf(taken(RESOLVED, { followUp: null })).resolution).toEqual({ do: 'follow', followUp: null });
  });

  test('that is the one it has already changes nothing', () => {
    expect(changeOf(taken(RESOLVED, { followUp: '2026-12-01' })).resolution).toEqual({ do: 'keep' });
    expect(changeOf(taken({}, { followUp: null })).resolution).toEqual({ do: 'keep' });
  });

  test('that is no day is refused, and so is one without a resolution', () => {
    expect(refusalOf(taken(RESOLVED, { followUp: 'soon' }))).toEqual({
      ...{ reason: 'unknown_word', message: 'The follow-up "soon" is no day such as 2026-12-01.', hint: null },
    });
    for (const acted of [{}, { held: RESOLVED.held }] as const) {
      expect(refusalOf(taken(acted, { followUp: '2026-12-24' }))).toEqual({
        ...{ reason: 'state', message: 'x-1 is open: a follow-up goes with a resolution.', hint: null },
      });
    }
  });
});
