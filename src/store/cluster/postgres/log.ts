import { systemClock } from '../../../time/clock.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import type { LogUser, SharedLog } from '../shared-log.ts';
import { Appender } from './append.ts';
import { Known } from './known.ts';
import * as nodes from './nodes.ts';
import { chainAt, oldest, readKept } from './read.ts';
import { Session } from './session.ts';
import { newestSnapshot, putSnapshot, snapshotParts } from './snapshots.ts';

/**
 * The log in PostgreSQL, for one thread: at most three connections, each opened when it is first needed. Appends have one of their own,
 * so that they wait for nothing but the lock of the head; snapshots, too, which take long.
 */
export function openPostgresLog(order: PostgresOrder, node: LogUser): SharedLog {
  const known = new Known(node.known, node);
  const [appending, reading, copying] = [0, 1, 2].map(() => new Session(order, known)) as [Session, Session, Session];
  const appender = new Appender(appending, known, order, node.name);
  return {
    append: (entries, options = {}) => appender.append(entries, options.version ?? null),
    read: (after, mostBytes) => readKept(reading, known, order, after, mostBytes),
    noteKept: (kept) => known.noteKept(kept),
    chainAt: (seq) => reading.alone(() => chainAt(reading, seq)),
    oldest: () => reading.alone(() => oldest(reading)),
    head: () => nodes.head(reading),
    seen: (facts) => nodes.seen(reading, facts, () => systemClock.nowMs()),
    signOff: (id) => nodes.signOff(reading, id),
    putDigest: (digest) => nodes.putDigest(reading, digest),
    digestsAt: (seq) => nodes.digestsAt(reading, seq),
    status: () => nodes.status(reading, order),
    putSnapshot: (facts, parts) => copying.alone(() => putSnapshot(copying, facts, parts)),
    newestSnapshot: (before) => copying.alone(() => newestSnapshot(copying, before)),
    snapshotParts: (snapshot) => snapshotParts(copying, snapshot),
    async close() {
      await appender.close(new StoreError('closing', 'The log is closed.'));
      await Promise.all([appending, reading, copying].map((session) => session.close()));
    },
  };
}
