import { once } from 'node:events';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { sharedMs } from '../../../../../src/store/delivery-queue.ts';
import { Appender } from '../../../../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import { makeLog, openLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import type { AppenderData, FromAppender, ToAppender } from '../../../../../src/store/sqlite/log/messages.ts';
import { run } from '../../../../../src/store/sqlite/log/thread.ts';
import { delivery } from '../../../../support/deliveries.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
afterAll(() => void vi.useRealTimers()); // the files that follow in this process need them

const MEBIBYTE = 1024 * 1024;
let file: string;
beforeEach(() => {
  file = join(temporaryFolder({ inMemory: true }), 'tallyhook.inbox.db');
  makeLog(file, 'one', 0);
});

const entries = (count: number, body = '{}') => Array.from({ length: count }, () => packEntry([delivery(body)]));

/** The thread on this one; its timers go when the test says so. */
function started({ backlogBytes = 64 * MEBIBYTE, carriedOut = 0 }: Partial<AppenderData>) {
  const [starter, books] = [new MessageChannel(), new MessageChannel()];
  const said: FromAppender['type'][] = [];
  starter.port1.on('message', ({ type }: FromAppender) => said.push(type));
  let told = 0;
  books.port1.on('message', () => told++);
  run(starter.port2, { file, backlogBytes, carriedOut, books: books.port2 });
  const post = (message: ToAppender) => starter.port1.postMessage(message);
  return {
    said,
    async says(type: FromAppender['type']) {
      while (said.at(-1) !== type) await once(starter.port1, 'message');
    },
    append: (one: ReturnType<typeof entries>) => post({ type: 'append', entries: one, sinceMs: sharedMs() }),
    /** Some entries wait behind `seq`; resolves when the thread has said so again. */
    async carriedOut(seq: number) {
      while (told === 0) await once(books.port1, 'message');
      books.port1.postMessage({ seq });
      while (told === 1) await once(books.port1, 'message');
    },
    look: () => vi.advanceTimersByTime(1_000),
    async close() {
      post({ type: 'close', forgets: true });
      await new Promise((resolve) => starter.port1.once('close', resolve));
      books.port1.close();
    },
  };
}

test('an append is answered between two steps of deleting what was carried out', async () => {
  const many = 400;
  const before = new Appender(file, { backlogBytes: 64 * MEBIBYTE, carriedOut: 0 });
  before.append(entries(many));
  before.close();
  const thread = started({ carriedOut: many });
  thread.look();
  thread.append(entries(1));
  await thread.says('appended');
  const log = openLog(file, { readonly: true });
  expect(log.prepare('SELECT min(seq) FROM entries').pluck().get()).toBeLessThan(many);
  log.close();
  await thread.close();
});

test('a full log takes deliveries again as soon as a look has made room', async () => {
  const thread = started({ backlogBytes: MEBIBYTE });
  const large = 'x'.repeat(300_000);
  for (let n = 0; n < 5; n++) thread.append(entries(1, large));
  await thread.says('not_appended');
  thread.look();
  await thread.carriedOut(3);
  expect(thread.said).not.toContain('takes_again');
  thread.look();
  thread.append(entries(1));
  await thread.says('appended');
  expect(thread.said.slice(-3)).toEqual(['not_appended', 'takes_again', 'appended']);
  await thread.close();
});
