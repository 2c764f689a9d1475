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
  for (let second = 0; second < 100; second++) faults.failed('checkpoints', tooManyFiles);
  for (let second = 0; second < 100; second++) faults.over('checkpoints');
  expect(posts).toEqual([
    { type: 'fault', work: 'checkpoints', failure: expect.objectContaining({ message: tooManyFiles.message }) },
    { type: 'fault', work: 'checkpoints', failure: null },
  ]);
});

test('another fault, the fault of another work, and a fault after a success are news', () => {
  const { posts, faults } = faultsWithPosts();
  faults.failed('checkpoints', tooManyFiles);
  faults.failed('applying', tooManyFiles);
  faults.failed('checkpoints', new StoreError('disk_full', 'The disk is full.'));
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
