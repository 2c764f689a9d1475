import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { StoreError } from '../../../../../src/store/error.ts';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import { type FromWriter, type ToWriter, unpack } from '../../../../../src/store/sqlite/writer/messages.ts';
import { WriterQueue } from '../../../../../src/store/sqlite/writer/queue.ts';

/** A writer thread that does what the test says, one message at a time. */
class ScriptedWriter extends EventEmitter {
  readonly received: ToWriter[] = [];
  postMessage(message: ToWriter): void {
    this.received.push(message);
  }
  say(message: FromWriter): void {
    this.emit('message', message);
  }
  groups(): string[][] {
    return this.received.flatMap((message) =>
      message.type === 'keep' ? [unpack(message.packed).map(({ body }) => Buffer.from(body).toString())] : [],
    );
  }
}

async function start(limit = 100) {
  const writer = new ScriptedWriter();
  const fatal: StoreError[] = [];
  const starting = WriterQueue.start(writer as unknown as Worker, { limit, onFatal: (error) => fatal.push(error) });
  writer.say({ type: 'ready' });
  return { writer, fatal, queue: await starting };
}

const delivery = (text: string): Delivery => ({
  environment: 'test',
  keyId: 'test-1',
  merchantSignature: 'verified',
  body: Buffer.from(text),
  sentAt: null,
  receivedAtMs: 0,
});
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const kept = (...ids: number[]): FromWriter => ({
  type: 'kept',
  kept: ids.map((eventId) => ({ eventId, duplicate: false, variant: false })),
});
const failure = (fault: 'busy' | 'io') => ({ fault, message: 'It failed.', hint: undefined });
const fault = (error: StoreError) => error.fault;

test('what arrives in one turn travels as one group; answers reach their own deliveries', async () => {
  const { writer, queue } = await start();
  const first = [queue.keep(delivery('a')), queue.keep(delivery('')), queue.keep(delivery('c'))];
  await turn();
  const second = queue.keep(delivery('d'));
  await turn();
  expect(writer.groups()).toEqual([['a', '', 'c'], ['d']]);
  // The writer may answer several groups at once, or one in parts.
  writer.say(kept(1, 2));
  writer.say(kept(3, 4));
  expect((await Promise.all([...first, second])).map(({ eventId }) => eventId)).toEqual([1, 2, 3, 4]);
  expect(queue.depth).toBe(0);
});

test('a group that was not kept is rejected; the next one is kept', async () => {
  const { writer, queue, fatal } = await start();
  const first = queue.keep(delivery('a')).catch(fault);
  await turn();
  const second = queue.keep(delivery('b'));
  await turn();
  writer.say({ type: 'not_kept', deliveries: 1, failure: failure('busy') });
  writer.say(kept(5));
  expect([await first, (await second).eventId, fatal]).toEqual(['busy', 5, []]);
});

test('over the limit nothing is accepted until an answer makes room', async () => {
  const { writer, queue } = await start(2);
  const waiting = [queue.keep(delivery('a')), queue.keep(delivery('b'))];
  await expect(queue.keep(delivery('c'))).rejects.toMatchObject({ fault: 'queue_full' });
  await turn();
  writer.say(kept(1, 2));
  await Promise.all(waiting);
  const next = queue.keep(delivery('d'));
  await turn();
  writer.say(kept(3));
  expect((await next).eventId).toBe(3);
});

test.each([
  ['fails for good', (writer: ScriptedWriter) => writer.say({ type: 'failed', failure: failure('io') })],
  [
    'could not keep a group for good',
    (writer: ScriptedWriter) => writer.say({ type: 'not_kept', deliveries: 1, failure: failure('io') }),
  ],
  ['throws', (writer: ScriptedWriter) => writer.emit('error', new Error('out of memory'))],
  ['ends by itself', (writer: ScriptedWriter) => writer.emit('exit', 0)],
])(
  'a writer that %s ends everything: nothing is acknowledged any more, and onFatal is called once',
  async (_how, end) => {
    const { writer, queue, fatal } = await start();
    const waiting = [queue.keep(delivery('a')), queue.keep(delivery('b'))].map((one) => one.catch(fault));
    await turn();
    const unsent = queue.keep(delivery('c')).catch(fault);
    end(writer);
    writer.say(kept(1, 2, 3)); // too late: those were rejected
    writer.emit('exit', 1);
    expect(await Promise.all([...waiting, unsent])).toEqual(['io', 'io', 'io']);
    await expect(queue.keep(delivery('d'))).rejects.toMatchObject({ fault: 'io' });
    expect(fatal.map(fault)).toEqual(['io']);
  },
);

test('close waits for what was accepted, refuses what comes after, and sends one close message', async () => {
  const { writer, queue } = await start();
  const accepted = queue.keep(delivery('a'));
  let closed = false;
  const closing = Promise.all([queue.close(), queue.close()]).then(() => {
    closed = true;
  });
  await expect(queue.keep(delivery('b'))).rejects.toMatchObject({ fault: 'closing' });
  await turn();
  expect(writer.received.map(({ type }) => type)).toEqual(['keep']);
  writer.say(kept(1));
  expect((await accepted).eventId).toBe(1);
  while (writer.received.length < 2) await turn();
  expect([writer.received.map(({ type }) => type), closed]).toEqual([['keep', 'close'], false]);
  writer.emit('exit', 0);
  await closing;
});

test('the bodies that wait are bounded in bytes as well as in number, and an answer makes room', async () => {
  const { writer, queue } = await start(10_000);
  const mebibyte = 'x'.repeat(1024 * 1024);
  const waiting = Array.from({ length: 64 }, () => queue.keep(delivery(mebibyte)));
  await expect(queue.keep(delivery('one more')).catch(fault)).resolves.toBe('queue_full');
  await turn();
  writer.say(kept(...waiting.map((_, index) => index + 1)));
  await Promise.all(waiting);
  const next = queue.keep(delivery('room again'));
  await turn();
  writer.say(kept(65));
  expect((await next).eventId).toBe(65);
});

test('a busy turn hands over full groups without waiting for its end', async () => {
  const { writer, queue } = await start();
  const all = Array.from({ length: 20 }, (_, index) => queue.keep(delivery(String(index))));
  expect(writer.groups().map((group) => group.length)).toEqual([8, 8]);
  await turn();
  expect(writer.groups().map((group) => group.length)).toEqual([8, 8, 4]);
  writer.say(kept(...all.map((_, index) => index)));
  expect((await Promise.all(all)).map(({ eventId }) => eventId)).toEqual(all.map((_, index) => index));
});
