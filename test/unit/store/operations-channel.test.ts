import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { operationsOf } from '../../../src/store/operations-channel.ts';
import type { OpenInbox } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { delivery } from '../../support/test-database.ts';

let inbox: OpenInbox;
afterEach(() => inbox.close());

const open = async () => {
  const path = join(temporaryFolder(), 'tallyhook.db');
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
