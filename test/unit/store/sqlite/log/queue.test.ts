import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { sharedMs } from '../../../../../src/store/delivery-queue.ts';
import type { StoreError } from '../../../../../src/store/error.ts';
import { digestOf, unpackEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import type { FromAppender, ToAppender } from '../../../../../src/store/sqlite/log/messages.ts';
import { LogQueue } from '../../../../../src/store/sqlite/log/queue.ts';
import { delivery as deliveryOf } from '../../../../support/deliveries.ts';

/** A thread that does what the test says, one message at a time. */
class ScriptedThread extends EventEmitter {
  readonly received: ToAppender[] = [];
  postMessage(message: ToAppender): void {
    this.received.push(message);
  }
  say(message: FromAppender): void {
    this.emit('message', message);
  }
  entries(): string[][] {
    const entries = this.received.flatMap((message) => (message.type === 'append' ? message.entries : []));
    return entries.map(({ bytes }) =>
      unpackEntry(bytes, digestOf(bytes)).map(({ body }) => Buffer.from(body).toString()),
    );
  }
}

async function start(limit = 100) {
  const thread = new ScriptedThread();
  const fatal: StoreError[] = [];
  const starting = LogQueue.start(thread as unknown as Worker, { limit, onFatal: (error) => fatal.push(error) });
  thread.say({ type: 'ready' });
  return { thread, fatal, queue: await starting };
}

const delivery = (text: string) => deliveryOf(text);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const APPENDED: FromAppender = { type: 'appended' };
const notAppended = (fault: 'disk_full' | 'io'): FromAppender => ({
  type: 'not_appended',
  failure: { fault, message: 'It failed.', hint: undefined },
});
const fault = (error: StoreError) => error.fault;

test('what arrives in one turn is one entry; while its commit is on its way the next one gathers', async () => {
  const { thread, queue } = await start();
  const first = [queue.keep(delivery('a')), queue.keep(delivery('')), queue.keep(delivery('c'))];
  await turn();
  const second = [queue.keep(delivery('d'))];
  await turn();
  second.push(queue.keep(delivery('e')));
  await turn();
  expect(thread.entries()).toEqual([['a', '', 'c']]);
  thread.say(APPENDED);
  await Promise.all(first);
  expect([thread.entries().at(-1), queue.depth]).toEqual([['d', 'e'], 2]);
  thread.say(APPENDED);
  await Promise.all(second);
  expect(queue.depth).toBe(0);
});

test('an entry that was not appended is rejected; the next one is kept', async () => {
  const { thread, queue, fatal } = await start();
  const first = queue.keep(delivery('a')).catch(fault);
  await turn();
  const second = queue.keep(delivery('b'));
  thread.say(notAppended('disk_full'));
  expect(await first).toBe('disk_full');
  thread.say(APPENDED);
  expect([await second, fatal]).toEqual([undefined, []]);
});

test('an append says since when its first delivery waits, also behind the commit before it', async () => {
  const { thread, queue } = await start();
  const beganMs = sharedMs();
  const first = queue.keep(delivery('a'));
  await turn();
  const behind = [queue.keep(delivery('b'))];
  await turn();
  const gatheredMs = sharedMs();
  behind.push(queue.keep(delivery('c')));
  thread.say(APPENDED);
  await first;
  thread.say(APPENDED);
  await Promise.all(behind);
  const since = thread.received.map((message) => (message.type === 'append' ? message.sinceMs : 0));
  expect([thread.entries(), since.every((ms) => ms >= beganMs && ms <= gatheredMs)]).toEqual([
    [['a'], ['b', 'c']],
    true,
  ]);
});

test('much is several entries of one append, and none has more than its bytes, but for a single larger body', async () => {
  const { thread, queue } = await start(1_000);
  const sizes = [200, 100, 1_000, 1, 1].map((kib) => 'x'.repeat(kib * 1024));
  const waiting = sizes.map((body) => queue.keep(delivery(body)));
  await turn();
  expect(thread.entries().map((entry) => entry.map((body) => body.length / 1024))).toEqual([
    [200],
    [100],
    [1_000],
    [1, 1],
  ]);
  thread.say(APPENDED);
  await Promise.all(waiting);
});

test('over the limit nothing is accepted until an answer makes room', async () => {
  const { thread, queue } = await start(2);
  const waiting = [queue.keep(delivery('a')), queue.keep(delivery('b'))];
  await expect(queue.keep(delivery('c'))).rejects.toMatchObject({ fault: 'queue_full' });
  await turn();
  thread.say(APPENDED);
  await Promise.all(waiting);
  const next = queue.keep(delivery('d'));
  await turn();
  thread.say(APPENDED);
  await next;
});

test.each<[string, string, (thread: ScriptedThread) => void]>([
  ['fails for good', 'io', (thread) => thread.say({ ...notAppended('io'), type: 'failed' } as FromAppender)],
  ['could not append for good', 'io', (thread) => thread.say(notAppended('io'))],
  ['throws', 'crashed', (thread) => thread.emit('error', new Error('out of memory'))],
  ['ends by itself', 'crashed', (thread) => thread.emit('exit', 0)],
])(
  'a thread that %s ends everything: nothing is acknowledged any more, and onFatal is called once',
  async (_how, as, end) => {
    const { thread, queue, fatal } = await start();
    const waiting = [queue.keep(delivery('a')), queue.keep(delivery('b'))].map((one) => one.catch(fault));
    await turn();
    const unsent = queue.keep(delivery('c')).catch(fault);
    end(thread);
    thread.say(APPENDED); // too late: those were rejected
    thread.emit('exit', 1);
    expect(await Promise.all([...waiting, unsent])).toEqual([as, as, as]);
    await expect(queue.keep(delivery('d'))).rejects.toMatchObject({ fault: as, hint: fatal[0]?.hint });
    expect(fatal.map(fault)).toEqual([as]);
  },
);

test('a drain waits for what was accepted and refuses what comes after; then the log is closed', async () => {
  const { thread, queue } = await start();
  const accepted = queue.keep(delivery('a'));
  let drained = false;
  const draining = queue.drain().then(() => {
    drained = true;
  });
  await expect(queue.keep(delivery('b'))).rejects.toMatchObject({ fault: 'closing' });
  await turn();
  expect(drained).toBe(false);
  thread.say(APPENDED);
  await Promise.all([accepted, draining]);
  const closing = queue.close();
  expect(thread.received.map(({ type }) => type)).toEqual(['append', 'close']);
  thread.emit('exit', 0);
  await closing;
});

test('the bodies that wait are bounded in bytes as well as in number, and an answer makes room', async () => {
  const { thread, queue } = await start(10_000);
  const mebibyte = 'x'.repeat(1024 * 1024);
  const waiting = Array.from({ length: 64 }, () => queue.keep(delivery(mebibyte)));
  await expect(queue.keep(delivery('one more')).catch(fault)).resolves.toBe('queue_full');
  await turn();
  thread.say(APPENDED);
  await Promise.all(waiting.slice(0, 32)); // an append has 32 entries at most
  thread.say(APPENDED);
  await Promise.all(waiting);
  const next = queue.keep(delivery('room again'));
  await turn();
  thread.say(APPENDED);
  await next;
});
