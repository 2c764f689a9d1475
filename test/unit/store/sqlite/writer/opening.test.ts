import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { StoreError, type StoreFault } from '../../../../../src/store/error.ts';
import { operationsOf } from '../../../../../src/store/operations-channel.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../../../src/store/sqlite/engine/migrate.ts';
import { answerOperations } from '../../../../../src/store/sqlite/write/answer.ts';
import { type FromWriter, pack, type ToWriter } from '../../../../../src/store/sqlite/writer/messages.ts';
import { Opening } from '../../../../../src/store/sqlite/writer/opening.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
afterEach(() => void vi.clearAllTimers());
afterAll(() => void vi.useRealTimers()); // the files that follow in this process need them

/** The writer thread's end of a channel, whose first tries to start fail so. */
function opening(...faults: StoreFault[]) {
  return openingAt(madeDatabase(), ...faults);
}

function madeDatabase(): string {
  const path = join(temporaryFolder(), 'tallyhook.db');
  const database = openDatabase(path, { create: true });
  migrate(database, 0);
  database.close();
  return path;
}

function openingAt(path: string, ...faults: StoreFault[]) {
  const { port1, port2 } = new MessageChannel();
  const said: FromWriter[] = [];
  const received: ToWriter[] = [];
  const arrived = Promise.withResolvers<void>();
  port1.on('message', (message: FromWriter) => said.push(message));
  const data = { path, time: undefined };
  const opened: boolean[] = [];
  new Opening(port2, data, (database) => {
    const fault = faults.shift();
    if (fault !== undefined) throw new StoreError(fault, 'It failed.');
    opened.push(database.open);
    const receive = (message: ToWriter) => {
      received.push(message);
      if (message.type === 'connect') answerOperations(message.port, () => 'kept');
      arrived.resolve();
    };
    port2.on('message', receive);
    return { receive };
  }).try();
  const types = () => said.map((one) => (one.type === 'fault' ? `${one.work} ${one.failure?.fault}` : one.type));
  return { port: port1, said, types, received, opened, arrived: arrived.promise };
}

const delivery = {
  ...({ environment: 'test', keyId: 'test-1', merchantSignature: 'absent', sentAt: null, receivedAtMs: 0 } as const),
  body: Buffer.from('{}'),
};
const keep: ToWriter = { type: 'keep', packed: pack([delivery, delivery]) };
const closed = (port: MessageChannel['port1']) => new Promise((resolve) => port.once('close', resolve));

test('on a full disk deliveries and operations get the fault, and the writer takes over what waits once there is space', async () => {
  const { port, said, types, received, opened, arrived } = opening('disk_full', 'disk_full', 'busy');
  const { port1, port2 } = new MessageChannel();
  const { operations, close } = operationsOf(port1);
  port.postMessage({ type: 'connect', port: port2 } satisfies ToWriter, [port2]);
  port.postMessage(keep);
  const refusal = { path: '/webhooks/test', reason: 'no_keys', likeness: 'signed', environments: ['test'] } as const;
  const counts = [{ ...refusal, count: 3, firstAtMs: 1, lastAtMs: 2, lastPath: '/webhooks/test' }];
  port.postMessage({ type: 'refusals', counts, samples: [] } satisfies ToWriter);
  await expect(operations.jobs.states()).rejects.toMatchObject({ fault: 'disk_full' });
  await vi.waitFor(() => expect(types()).toEqual(['opening disk_full', 'not_kept']));
  expect(said[1]).toMatchObject({ deliveries: 2, failure: { fault: 'disk_full' } });
  vi.advanceTimersByTime(3_000);
  await arrived;
  expect(opened).toEqual([true]);
  expect(received.map(({ type }) => type)).toEqual(['connect', 'refusals']);
  expect(received[1]).toMatchObject({ counts });
  expect(await operations.jobs.states()).toBe('kept');
  await vi.waitFor(() => expect(types().at(-1)).toBe('opening undefined'));
  close();
  port.close();
});

test.each<[string, StoreFault[], string[]]>([
  ['another fault of the first try', ['busy'], ['failed']],
  ['damage found by a later try', ['disk_full', 'corrupt'], ['opening disk_full', 'failed']],
])('%s ends the start', async (_what, faults, wanted) => {
  const { port, types } = opening(...faults);
  const ended = closed(port);
  vi.advanceTimersByTime(1_000);
  await ended;
  expect(types()).toEqual(wanted);
});

test('a stop ends the waiting', async () => {
  const { port, types, opened } = opening('disk_full');
  port.postMessage({ type: 'close' } satisfies ToWriter);
  await closed(port);
  vi.advanceTimersByTime(5_000);
  expect([types(), opened]).toEqual([['opening disk_full', 'closed'], []]);
});

test('a new database that finds no room on the disk ends the start', async () => {
  const { port, types } = openingAt(join(temporaryFolder(), 'tallyhook.db'), 'disk_full');
  await closed(port);
  expect(types()).toEqual(['failed']);
});
