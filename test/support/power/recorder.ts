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
 * Runs under strace: the writer's own composition of the store, keeping events in groups of one to five and applying
 * between, with a line `ACK n` written after each commit; the log is moved by the checkpointer's thread, and begins anew,
 * far more often than in the writer. Arguments: database, ack file, events, FULL or NORMAL.
 */
const [path = '', ackFile = '', count = '0', synchronous] = process.argv.slice(2);
const acks = openSync(ackFile, 'w');
const database = openDatabase(path, { create: true, synchronous: synchronous === 'NORMAL' ? 'NORMAL' : 'FULL' });
migrate(database, 0);
const transaction = openTransaction(database);
/** The first checkpoint is waited for, so that the recording holds one, however fast the rest goes. */
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
  { lookEveryMs: 0, worthPages: 60, restPages: 240 },
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
  checkpoints.look(group);
  await first;
  await setImmediate(); // lets the message of the thread arrive
}
await checkpoints.close();
database.pragma('wal_checkpoint(TRUNCATE)');
database.close();
