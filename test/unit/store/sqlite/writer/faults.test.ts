import { expect, test } from 'vitest';
import { StoreError } from '../../../../../src/store/error.ts';
import { Faults } from '../../../../../src/store/sqlite/writer/faults.ts';
import type { FromWriter } from '../../../../../src/store/sqlite/writer/messages.ts';

function faultsWithPosts() {
  const posts: FromWriter[] = [];
  return { posts, faults: new Faults((message) => posts.push(message)) };
}
const tooManyFiles = new StoreError('no_access', 'The database failed (SQLITE_CANTOPEN): too many open files.');

test('a fault that repeats every second is reported once, and once when it is over', () => {
  const { posts, faults } = faultsWithPosts();
  for (let second = 0; second < 100; second++) faults.failed('moving the log', tooManyFiles);
  for (let second = 0; second < 100; second++) faults.over('moving the log');
  expect(posts).toEqual([
    { type: 'fault', work: 'moving the log', failure: expect.objectContaining({ message: tooManyFiles.message }) },
    { type: 'fault', work: 'moving the log', failure: null },
  ]);
});

test('another fault, the fault of another work, and a fault after a success are news', () => {
  const { posts, faults } = faultsWithPosts();
  faults.failed('moving the log', tooManyFiles);
  faults.failed('applying', tooManyFiles);
  faults.failed('moving the log', new StoreError('disk_full', 'The disk is full.'));
  faults.over('applying');
  faults.failed('applying', tooManyFiles);
  expect(posts).toHaveLength(5);
});

test('a fatal fault is never held back', () => {
  const { posts, faults } = faultsWithPosts();
  const broken = new StoreError('io', 'The disk failed.');
  faults.failed('applying', broken);
  faults.failed('applying', broken);
  expect(posts.map(({ type }) => type)).toEqual(['failed', 'failed']);
});
