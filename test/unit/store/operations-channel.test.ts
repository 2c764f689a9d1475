import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { operationsOf } from '../../../src/store/operations-channel.ts';
import type { OpenInbox } from '../../../src/store/store.ts';
import { makeEmptyDatabase } from '../../support/empty-database.ts';
import { temporaryFolder } from '../../support/folder.ts';
import '../../support/kept-threads.ts';
import { delivery } from '../../support/test-database.ts';

let inbox: OpenInbox;
afterEach(() => inbox.close());

const open = async () => {
  const path = join(temporaryFolder(), 'tallyhook.db');
  makeEmptyDatabase(path);
  inbox = await openStore(path, { zone: 'UTC' }).inbox({ limit: 100, onFatal: () => {} });
  return inbox;
};
const proof = { environment: 'live', endpoint: 'payout' } as const;

test('calls go through the writer thread, many at once, and their writes are there for every other caller', async () => {
  const { operations, connectOperations } = await open();
  expect(await operations.checks.proven('live')).toEqual([]);
  await Promise.all([
    operations.checks.prove(proof),
    operations.checks.prove({ ...proof, endpoint: 'collection' }),
    inbox.keep(delivery('{"event":"x"}')),
  ]);
  const other = operationsOf(connectOperations());
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => other.operations.checks.proven(index % 2 === 0 ? 'live' : 'test')),
  );
  expect(answers.map((endpoints) => endpoints.length)).toEqual(
    Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 2 : 0)),
  );
  other.close();
});

test('what fails at the database fails the call as a StoreError, and the next call works', async () => {
  const { operations } = await open();
  const filter = { kinds: ['parcel' as 'refund'], environments: ['live'] } as const;
  await expect(operations.checks.countDue({ filter })).rejects.toMatchObject({
    name: 'StoreError',
    fault: 'other',
  });
  await operations.checks.prove(proof);
  expect(await operations.checks.proven('live')).toEqual(['payout']);
});

test('once the writer is gone, calls are refused instead of waiting for ever', async () => {
  const { operations, connectOperations } = await open();
  const other = operationsOf(connectOperations());
  await inbox.close();
  await expect(operations.checks.prove(proof)).rejects.toMatchObject({ fault: 'closing' });
  await expect(other.operations.checks.prove(proof)).rejects.toMatchObject({ fault: 'closing' });
});

test('a call whose answer never comes is refused when the other end goes', async () => {
  await open();
  const { port1, port2 } = new MessageChannel();
  const { operations } = operationsOf(port2);
  const call = operations.checks.proven('test');
  port1.close();
  await expect(call).rejects.toMatchObject({ fault: 'closing' });
});

test('one channel serves many persons: each call is held against its own credential, also when calls are mixed', async () => {
  const { connectOperations } = await open();
  const { operations, as, close } = operationsOf(connectOperations());
  const token = (digest: string) => ({ digest, endsAtMs: Date.now() + 60_000 });
  const added = (name: string, by: string) => ({ name, by, roles: ['admin'], token: token(name) }) as const;
  await operations.users.add(added('Ada', 'root'));
  const ada = as({ kind: 'token', digest: 'Ada' });
  await ada.users.add({ ...added('Bob', 'Ada'), roles: ['finance'] });
  const bob = as({ kind: 'token', digest: 'Bob' });
  const answers = await Promise.allSettled([
    ada.users.add(added('Grace', 'Ada')),
    bob.users.add(added('Eve', 'Bob')),
    operations.users.add(added('Eve', 'Ada')),
    bob.users.add(added('Eve', 'Ada')),
    ada.users.add(added('Dan', 'Ada')),
  ]);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.outcome : answer.reason.fault))).toEqual(
    ['done', 'not_allowed', 'not_proven', 'not_proven', 'done'],
  );
  close();
});
