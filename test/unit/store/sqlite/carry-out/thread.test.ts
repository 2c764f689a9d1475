import { once } from 'node:events';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { STANDARD_CHECK_RULES } from '../../../../../src/domain/checks/next-check.ts';
import type { Delivery } from '../../../../../src/store/inbox.ts';
import type { BooksData, FromBooks, ToBooks } from '../../../../../src/store/sqlite/carry-out/messages.ts';
import { run } from '../../../../../src/store/sqlite/carry-out/thread.ts';
import { openDatabase } from '../../../../../src/store/sqlite/engine/database.ts';
import { Appender } from '../../../../../src/store/sqlite/log/appender.ts';
import { packEntry } from '../../../../../src/store/sqlite/log/entry.ts';
import { logFileOf, openLog } from '../../../../../src/store/sqlite/log/log-file.ts';
import { refund } from '../../../../support/deliveries.ts';
import { makeEmptyDatabase } from '../../../../support/empty-database.ts';
import { START_MS } from '../../../../support/fixed-clock.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
afterAll(() => void vi.useRealTimers()); // the files that follow in this process need them

let path: string;
beforeEach(() => {
  path = join(temporaryFolder({ inMemory: true }), 'tallyhook.db');
  makeEmptyDatabase(path);
});

/** The thread of the books on this one; its timers go when the test says so. */
async function started(over: Partial<BooksData> = {}) {
  const { port1, port2 } = new MessageChannel();
  const said: FromBooks[] = [];
  port1.on('message', (message: FromBooks) => said.push(message));
  const time = new BigInt64Array(new SharedArrayBuffer(8)).fill(BigInt(START_MS));
  const own = { zone: 'UTC', encryption: null, debounceMs: 0, checkRules: STANDARD_CHECK_RULES, time };
  const files = { path, auditKey: join(path, '..', 'audit.key') };
  run(port2, { ...own, ...files, holder: 'a test', collected: false, waits: false, ...over });
  await once(port1, 'message');
  const says = async (isIt: (message: FromBooks) => boolean) => {
    while (!said.some(isIt)) await once(port1, 'message');
    return said.find(isIt);
  };
  const close = async () => {
    port1.postMessage({ type: 'close' } satisfies ToBooks);
    await new Promise((resolve) => port1.once('close', resolve));
  };
  return { said, says, close };
}

function append(...deliveries: readonly [Delivery, ...Delivery[]]): void {
  const appender = new Appender(logFileOf(path), { backlogBytes: 2 ** 30, carriedOut: 0 });
  appender.append([packEntry(deliveries)]);
  appender.close();
}

function onBooks(sql: string): void {
  const books = openDatabase(path);
  books.exec(sql);
  books.close();
}

test('a fault after the commit is reported and passes, and the thread goes on', async () => {
  const { says, close } = await started();
  append(refund('R1', 'pending'));
  onBooks('ALTER TABLE forward_targets RENAME TO away'); // whether a target gets received events is read after it
  vi.advanceTimersByTime(1_000);
  expect(await says(({ type }) => type === 'fault')).toMatchObject({
    work: 'carrying out',
    failure: { fault: 'other' },
  });
  onBooks('ALTER TABLE away RENAME TO forward_targets');
  vi.advanceTimersByTime(1_000);
  await says((one) => one.type === 'fault' && one.failure === null);
  await close();
});

test('of each delivery it is said how long it took from its receipt to its effect', async () => {
  const { says, close } = await started();
  const [early, late] = [60_000, 5].map((agoMs) =>
    refund(`R${agoMs}`, 'pending', {}, { receivedAtMs: START_MS - agoMs }),
  );
  append(early as Delivery, late as Delivery);
  vi.advanceTimersByTime(1_000);
  expect(await says(({ type }) => type === 'carried_out')).toMatchObject({ carried: { lagsMs: [60_000, 5] } });
  await close();
});

test('what was opened is closed when the first sign of life cannot be written', async () => {
  const { said } = await started({ holder: null as never });
  expect(said).toMatchObject([{ type: 'failed', failure: { message: expect.stringMatching(/receivers\.holder/) } }]);
  const log = openLog(logFileOf(path));
  expect(log.pragma('journal_mode = DELETE', { simple: true })).toBe('delete'); // refused while it is open elsewhere
  log.close();
});
