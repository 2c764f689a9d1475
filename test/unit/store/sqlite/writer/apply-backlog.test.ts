import { expect, test } from 'vitest';
import { readEvent } from '../../../../../src/domain/events/event.ts';
import { Backlog, type Waiting } from '../../../../../src/store/sqlite/writer/apply-backlog.ts';

const EVENT = readEvent(Buffer.from('{}'), 'test');
const QUARTER = 256 * 1024;

function waiting(id: number, bytes = 1): Waiting {
  const content = { source: 'events', id, eventId: id, environment: 'test', event: EVENT, receivedAtMs: 0 } as const;
  return { content, bytes };
}
const idsIn = (backlog: Backlog): number[] => backlog.run.map(({ content }) => content.id);

test('it holds one run without a gap: what does not follow on is left to the database', () => {
  const backlog = new Backlog();
  expect([7, 8, 10, 9, 10].map((id) => backlog.add(waiting(id)))).toEqual([true, true, false, true, true]);
  expect(idsIn(backlog)).toEqual([7, 8, 9, 10]);
});

test.each([
  ['what was applied goes', 8, [9]],
  ['all that was applied goes, and any id may come next', 9, []],
  ['nothing goes before its turn', 6, [7, 8, 9]],
  ['all goes when what comes next is in the database only', 5, []],
  ['all is dropped when more than it is applied', 20, []],
])('%s', (_name, lastId, left) => {
  const backlog = new Backlog();
  for (const id of [7, 8, 9]) backlog.add(waiting(id));
  backlog.dropUntil(lastId);
  expect(idsIn(backlog)).toEqual(left);
  if (left.length === 0) expect(backlog.add(waiting(50))).toBe(true);
});

test('it is bounded in bytes, one content always has room, and what goes makes room', () => {
  const backlog = new Backlog();
  expect(backlog.add(waiting(1, 64 * QUARTER))).toBe(true);
  expect(backlog.add(waiting(2, 1))).toBe(false);
  backlog.dropUntil(1);
  expect([2, 3, 4, 5, 6].map((id) => backlog.add(waiting(id, QUARTER)))).toEqual([true, true, true, true, false]);
  backlog.dropUntil(3);
  expect([6, 7, 8].map((id) => backlog.add(waiting(id, QUARTER)))).toEqual([true, true, false]);
});
