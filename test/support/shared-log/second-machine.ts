import { aesCbcCodec } from '../../../src/domain/requests/payload-codec.ts';
import { sharedCarrier } from '../../../src/store/cluster/carry-out.ts';
import { clusterState } from '../../../src/store/cluster/cluster-state.ts';
import { textOf } from '../../../src/store/cluster/plain-value.ts';
import { programVersion } from '../../../src/store/cluster/program-version.ts';
import type { SharedEntry } from '../../../src/store/cluster/shared-log.ts';
import { sharedSettings } from '../../../src/store/cluster/shared-settings.ts';
import { writtenRows } from '../../../src/store/cluster/written-rows.ts';
import { openDatabase } from '../../../src/store/sqlite/engine/database.ts';
import { withLateStatements } from '../../../src/store/sqlite/engine/late-statements.ts';
import type { Settings } from '../carried-twice/written.ts';
import { rowDifferences } from '../row-differences.ts';

/** Entries that share a transaction on the second machine. */
const MOST_TOGETHER = 7;

/** The log of a cluster, the database of its first machine, and one that is as that began. */
export interface SharedWrites {
  readonly database: string;
  readonly first: string;
  readonly entries: readonly SharedEntry[];
  readonly settings: Settings;
}

/**
 * Carries a whole log out on another machine, with other borders of transactions and rows in another order; returns which rows differ from
 * those of the first. It runs in a process of its own: its pid, zone and locale are others.
 */
export function differencesOnSecond({ database, first, entries, settings }: SharedWrites): string[] {
  const { zone, debounceMs, checkRules, encryption, auditKey } = settings;
  const codec = encryption === null ? null : aesCbcCodec(encryption);
  const decode = codec === null ? undefined : (payload: string) => codec.decode(payload);
  const shared = sharedSettings({ carryOut: { zone, debounceMs, encryption }, checkRules, cluster: { takenOver: {} } });
  const books = openDatabase(database);
  try {
    books.pragma('reverse_unordered_selects = ON');
    books.pragma('synchronous = OFF');
    const carrier = sharedCarrier(withLateStatements(books), writtenRows(books), {
      decode,
      auditKey,
      settings: textOf(shared),
      node: 'second',
      version: programVersion(),
    });
    while (carrier.state().seq < entries.length) {
      const { seq } = carrier.state();
      const { halt } = carrier.some(entries.slice(seq, seq + MOST_TOGETHER));
      if (halt !== null) throw new Error(`The second machine stops: ${halt.why}.`);
    }
    const [own, other] = [carrier.state(), stateOf(first)];
    const differing = rowDifferences(books, first);
    const isSame = Buffer.from(own.digest).equals(Buffer.from(other.digest));
    return isSame ? differing : [...differing, `the digests at entry ${own.seq} differ`];
  } finally {
    books.close();
  }
}

function stateOf(path: string) {
  const database = openDatabase(path, { readonly: true });
  try {
    return clusterState(database).get();
  } finally {
    database.close();
  }
}
