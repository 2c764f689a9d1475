import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { StoreError, type StoreFault } from '../../../../../src/store/error.ts';
import { operationsOf } from '../../../../../src/store/operations-channel.ts';
import type { FromBooks, ToBooks } from '../../../../../src/store/sqlite/carry-out/messages.ts';
import { Opening } from '../../../../../src/store/sqlite/carry-out/opening.ts';
import { answerOperations } from '../../../../../src/store/sqlite/write/answer.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
afterEach(() => void vi.clearAllTimers());
afterAll(() => void vi.useRealTimers()); // the files that follow in this process need them

/** The end of a channel of the thread of the books, whose first tries to start fail so. */
function opening(...faults: StoreFault[]) {
  return openingAt(madeDatabase(), ...faults);
}

function madeDatabase(): string {
  const path = join(temporaryFolder(), 'tallyhook.db');
  makeEmptyDatabase(path);
  return path;
}

function openingAt(path: string, ...faults: StoreFault[]) {
  const { port1, port2 } = new MessageChannel();
  const said: FromBooks[] = [];
  const received: ToBooks[] = [];
  const arrived = Promise.withResolvers<void>();
  port1.on('message', (message: FromBooks) => said.push(message));
  const data = { path, time: undefined };
  const opened: boolean[] = [];
  new Opening(port2, data, (database) => {
    const fault = faults.shift();
    if (fault !== undefined) throw new StoreError(fault, 'It failed.');
    opened.push(database.open);
    const receive = (message: ToBooks) => {
      received.push(message);
      if (message.type === 'connect') answerOperations(message.port, () => 'kept');
      arrived.resolve();
    };
    port2.on('message', receive);
    return { receive };
  }).try();
  const types = () => said.map((one) => (one.type === 'fault' ? `${one.work} ${one.failure?.fault}` : one.type));
  return { port: port1, types, received, opened, arrived: arrived.promise };
}

const closed = (port: MessageChannel['port1']) => new Promise((resolve) => port.once('close', resolve));

test('on a full disk operations get the fault, and the thread of the books takes over what waits once there is space', async () => {
  const { port, types, received, opened, arrived } = opening('disk_full', 'disk_full', 'busy');
  const { port1, port2 } = new MessageChannel();
  const { operations, close } = operationsOf(port1);
  port.postMessage({ type: 'connect', port: port2 } satisfies ToBooks, [port2]);
  const refusal = { path: '/webhooks/test', reason: 'no_keys', likeness: 'signed', environments: ['test'] } as const;
  const counts = [{ ...refusal, count: 3, firstAtMs: 1, lastAtMs: 2, lastPath: '/webhooks/test' }];
  port.postMessage({ type: 'refusals', counts, samples: [] } satisfies ToBooks);
  await expect(operations.jobs.states()).rejects.toMatchObject({ fault: 'disk_full' });
  await vi.waitFor(() => expect(types()).toEqual(['opening disk_full']));
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
  port.postMessage({ type: 'close' } satisfies ToBooks);
  await closed(port);
  vi.advanceTimersByTime(5_000);
  expect([types(), opened]).toEqual([['opening disk_full'], []]);
});

test('a new database that finds no room on the disk ends the start', async () => {
  const { port, types } = openingAt(join(temporaryFolder(), 'tallyhook.db'), 'disk_full');
  await closed(port);
  expect(types()).toEqual(['failed']);
});
