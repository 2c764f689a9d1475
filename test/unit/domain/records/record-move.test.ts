import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECORD_KINDS, type RecordKind } from '../../../../src/domain/records/lifecycle.ts';
import type { Observation, RecordObservation } from '../../../../src/domain/records/observation.ts';
import { fold } from '../../../../src/domain/records/observe.ts';
import { afterRefusal, dueByNews, recordMove } from '../../../../src/domain/records/record-move.ts';
import { api, at, observationSets, textOf, webhook } from '../observations.ts';

const NOTHING = { reported: null, confirmed: null };
const groupOf = (kind: RecordKind, ...observations: Observation[]): RecordObservation[] =>
  observations.map((observation) => ({ kind, environment: 'test', reference: 'R', eventId: null, observation }));

const pending = webhook('refund', 'pending', at('10:00'));
const processing = webhook('refund', 'processing', at('11:00'));
const success = webhook('refund', 'success', at('12:00'));

/** `field from > to`, with `!` for a gap. */
function movesOf(...args: Parameters<typeof recordMove>): string[] | undefined {
  return recordMove(...args)?.moves.map(({ field, from, to, gap }) => `${field} ${from} > ${to}${gap ? ' !' : ''}`);
}

describe('what observations change of a record', () => {
  const known = { reported: 'pending', confirmed: null };

  test('the first one makes its status', () => {
    expect(movesOf('refund', NOTHING, [], groupOf('refund', pending))).toEqual(['reported null > pending']);
  });

  test('each has its own move', () => {
    const moves = movesOf('refund', known, [pending], groupOf('refund', processing, success));
    expect(moves).toEqual(['reported pending > processing', 'reported processing > success']);
  });

  test('a skipped status is a gap', () => {
    expect(movesOf('refund', known, [pending], groupOf('refund', success))).toEqual(['reported pending > success !']);
  });

  test('an answer moves the confirmed status alone', () => {
    const answer = api('refund', 1, 'processing');
    expect(movesOf('refund', known, [pending], groupOf('refund', answer))).toEqual(['confirmed null > processing']);
  });

  test('an older observation is kept and moves nothing', () => {
    const move = recordMove('refund', { ...NOTHING, reported: 'success' }, [success], groupOf('refund', processing));
    expect(move?.fresh).toHaveLength(1);
    expect(move?.moves).toEqual([]);
  });

  test.each([
    ['the record has it', [pending], [pending]],
    ['there is none', [], []],
  ])('nothing when %s', (_, before, group) => {
    expect(recordMove('refund', known, before, groupOf('refund', ...group))).toBeNull();
  });

  test('a repeated one counts once', () => {
    const move = recordMove('refund', NOTHING, [], groupOf('refund', pending, pending));
    expect(move?.fresh).toHaveLength(1);
  });

  test('beyond 64 observations one fold is for all, with the same state', () => {
    const steps = Array.from({ length: 65 }, (_, minute) => {
      const status = minute % 2 === 0 ? 'failed' : 'processing';
      return webhook('refund', status, at(`10:${String(minute % 60).padStart(2, '0')}:${minute < 60 ? '00' : '30'}`));
    });
    expect(recordMove('refund', NOTHING, [], groupOf('refund', ...steps))?.moves).toHaveLength(1);
    expect(movesOf('refund', NOTHING, [], groupOf('refund', ...steps.slice(0, 64)))?.length).toBeGreaterThan(30);
  });
});

test('in any order and number of groups: the state is the fold of the set, and the moves lead to it', () => {
  const cases = fc.constantFrom(...RECORD_KINDS).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      set: observationSets(kind, 8),
      cuts: fc.array(fc.nat(8), { maxLength: 3 }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ kind, set, cuts }) => {
      const ends = [...cuts, set.length].sort((one, other) => one - other);
      const before: Observation[] = [];
      const statuses: { reported: string | null; confirmed: string | null } = { ...NOTHING };
      for (const end of ends) {
        const move = recordMove(kind, { ...statuses }, before, groupOf(kind, ...set.slice(0, end)));
        expect(move === null).toBe(before.length >= Math.min(end, set.length));
        if (move === null) continue;
        before.push(...move.fresh.map(({ observation }) => observation));
        for (const { field, from, to } of move.moves) {
          expect([statuses[field], to === from]).toEqual([from, false]);
          statuses[field] = to;
        }
        expect(textOf(move.state)).toBe(textOf(fold(kind, before)));
        const { reported, confirmed } = move.state;
        expect(statuses).toEqual({ reported: reported?.status ?? null, confirmed: confirmed?.status ?? null });
      }
    }),
  );
});

test.each([
  ['a record that is not due', null, 500, 500],
  ['later than the news', 900, 500, 500],
  ['sooner than the news', 100, 500, 100],
])('news makes a record due: %s', (_, dueAtMs, newsAtMs, expected) => {
  expect(dueByNews(dueAtMs, newsAtMs)).toBe(expected);
});

test.each([
  [['request'], false, 'removed'],
  [['request', 'request'], false, 'removed'],
  [['request'], true, 'emptied'],
  [[], false, 'removed'],
  [['request', 'webhook'], false, 'kept'],
  [['api'], true, 'kept'],
  [['list', 'request'], false, 'kept'],
] as const)('after a refusal, a record observed by %j, in other tables: %s, is %s', (witnesses, isReferred, fate) => {
  expect(afterRefusal(witnesses, isReferred)).toBe(fate);
});
