import { expect, test } from 'vitest';
import { StoreError } from '../../../../../src/store/error.ts';
import { Faults } from '../../../../../src/store/sqlite/carry-out/faults.ts';
import type { FromBooks } from '../../../../../src/store/sqlite/carry-out/messages.ts';

function faultsWithPosts() {
  const posts: FromBooks[] = [];
  return { posts, faults: new Faults((message) => posts.push(message)) };
}
const tooManyFiles = new StoreError('no_access', 'The database failed (SQLITE_CANTOPEN): too many open files.');

test('a fault that repeats every second is reported once, and once when it is over', () => {
  const { posts, faults } = faultsWithPosts();
  for (let second = 0; second < 100; second++) faults.failed('moving the write-ahead log', tooManyFiles);
  for (let second = 0; second < 100; second++) faults.over('moving the write-ahead log');
  expect(posts).toEqual([
    {
      type: 'fault',
      work: 'moving the write-ahead log',
      failure: expect.objectContaining({ message: tooManyFiles.message }),
    },
    { type: 'fault', work: 'moving the write-ahead log', failure: null },
  ]);
});

test('another fault, the fault of another work, and a fault after a success are news', () => {
  const { posts, faults } = faultsWithPosts();
  faults.failed('moving the write-ahead log', tooManyFiles);
  faults.failed('carrying out', tooManyFiles);
  faults.failed('moving the write-ahead log', new StoreError('disk_full', 'The disk is full.'));
  faults.over('carrying out');
  faults.failed('carrying out', tooManyFiles);
  expect(posts).toHaveLength(5);
});

test('a fatal fault is never held back', () => {
  const { posts, faults } = faultsWithPosts();
  const broken = new StoreError('io', 'The disk failed.');
  faults.failed('carrying out', broken);
  faults.failed('carrying out', broken);
  expect(posts.map(({ type }) => type)).toEqual(['failed', 'failed']);
});
