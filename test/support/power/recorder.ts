import { once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { observationOf } from '../../../src/domain/webhook-observation.ts';
import { sourceFile } from '../../../src/package-root.ts';
import { openDatabase, openTransaction } from '../../../src/store/sqlite/engine/database.ts';
import { migrate } from '../../../src/store/sqlite/engine/migrate.ts';
import { eventWrites } from '../../../src/store/sqlite/write/events.ts';
import { contentApplier } from '../../../src/store/sqlite/writer/apply.ts';
import { Checkpoints } from '../../../src/store/sqlite/writer/checkpoints.ts';
import { eventBody } from './event-body.ts';

/*
 * Runs under strace: keeps events in groups of one to five as the writer does, applies some between, and writes a line
 * `ACK n` after each commit. The checkpoint thread moves the log, and the log begins anew, far more often than in the writer.
 * Arguments: database, ack file, events, FULL or NORMAL.
 */
const [path = '', ackFile = '', count = '0', synchronous] = process.argv.slice(2);
const acks = openSync(ackFile, 'w');
const database = openDatabase(path, { create: true, synchronous: synchronous === 'NORMAL' ? 'NORMAL' : 'FULL' });
migrate(database, 0);
const transaction = openTransaction(database);
/** The loop waits for the first checkpoint, so that the recording always holds one. */
let first: Promise<unknown> | undefined;
const checkpoints = new Checkpoints(
  database,
  () => {
    const thread = new Worker(sourceFile('store/sqlite/writer/checkpoint-thread'), { workerData: { path } });
    first = once(thread, 'message');
    return thread;
  },
  (error) => {
    throw error;
  },
  { intervalMs: 0, minPages: 60, autoPages: 240 },
);
const events = eventWrites(database);
const applier = contentApplier(database, (content) => observationOf(content, 'Africa/Lagos'));

let n = 0;
for (let group = 0; n < Number(count); group++) {
  transaction.begin();
  const bodies = Array.from({ length: 1 + (group % 5) }, (_, index) => eventBody(n + index + 1));
  events.keep(
    bodies.map((body) => ({
      environment: 'test',
      keyId: 'test-1',
      merchantSignature: 'verified',
      body: Buffer.from(body),
      sentAt: null,
      receivedAtMs: n,
    })),
  );
  if (group % 3 === 0) applier.applyNext(8, n);
  transaction.commit();
  n += bodies.length;
  writeSync(acks, `ACK ${n}\n`);
  checkpoints.startIfDue(group);
  await first;
  await setImmediate(); // lets the message of the thread arrive
}
await checkpoints.close();
database.pragma('wal_checkpoint(TRUNCATE)');
database.close();
