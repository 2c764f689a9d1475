import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../error.ts';
import { accessOf } from '../operations.ts';
import type { ClusterState } from './cluster-state.ts';
import { type SharedWrite, unpackWrite } from './entry.ts';
import { textOf } from './plain-value.ts';
import type { RecentEntries } from './recent-entries.ts';
import type { LogPlace, SharedEntry, SharedLog } from './shared-log.ts';

/** Entries that are offered together. */
const TOGETHER = 100;

/** What a machine carried out and the log lost. */
export interface Lost {
  /** The last entry that both have. */
  readonly common: number;
  /** Deliveries, refusals and steps of requests, which are in the log again. */
  readonly offered: number;
  /** Calls, which are not: the file that lists them; null without any. */
  readonly list: string | null;
  /** Of these, the acts: no machine does them again by itself. */
  readonly acts: number;
}

/**
 * Puts back what the log lost of the entries that this machine carried out: deliveries and steps of requests are appended again under their
 * ids, before anything else is; the calls, whose answers may have been acted on, are listed in a file beside the database.
 *
 * @throws StoreError when the log cannot be reached; it may be called again
 */
export async function offerLost(
  path: string,
  state: Pick<ClusterState, 'seq' | 'chain'>,
  recent: RecentEntries,
  log: SharedLog,
): Promise<Lost> {
  const common = await lastCommon(recent.places(state.seq), log);
  const lost = recent.behind(common).filter(({ seq }) => seq <= state.seq);
  const [again, listed] = [lost.filter(isOffered), lost.filter((entry) => !isOffered(entry))];
  for (let start = 0; start < again.length; start += TOGETHER)
    await log.append(again.slice(start, start + TOGETHER).map(({ id, version, bytes }) => ({ id, version, bytes })));
  const list = listed.length === 0 ? null : join(dirname(path), `lost-${common}.ndjson`);
  const lines = listed.map((entry) => ({ act: isAct(unpackWrite(entry.bytes)), entry }));
  const acts = lines.filter(({ act }) => act);
  const ordered = [...acts, ...lines.filter(({ act }) => !act)];
  if (list !== null) appendFileSync(list, ordered.map(lineOf).join(''), { mode: 0o600 });
  return { common, offered: again.length, list, acts: acts.length };
}

/** The files that list lost acts; each stays until a person has moved it away. */
export function lostFiles(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^lost-\d+\.ndjson$/.test(name))
    .map((name) => join(folder, name));
}

/** What was lost, for the log of the process. */
export function lostError({ common, offered, list, acts }: Lost): StoreError {
  const rest = list === null ? 'there was nothing else' : `${list} lists the rest, the acts first: ${acts}`;
  return new StoreError(
    'beside_log',
    `The log lost what this machine had carried out behind entry ${common}: ${offered} entries are in it again, ${rest}.`,
    { hint: 'This machine has joined anew. Do again what is missing, then move the list away.' },
  );
}

/** The last of the places that the log has, too: behind it none is. */
async function lastCommon(places: readonly LogPlace[], log: SharedLog): Promise<number> {
  let [known, lost] = [places.length, 0];
  while (lost < known) {
    const middle = Math.floor((lost + known) / 2);
    const { seq, chain } = places[middle] as LogPlace;
    const found = await log.chainAt(seq);
    if (found !== null && Buffer.from(found).equals(chain)) known = middle;
    else lost = middle + 1;
  }
  return places[known]?.seq ?? Math.max(0, (places.at(-1)?.seq ?? 1) - 1);
}

function isOffered({ bytes }: SharedEntry): boolean {
  return ['deliveries', 'refusals', 'request'].includes(unpackWrite(bytes).kind);
}

/** What machines tell of their own work: they do again what is lost of it. So they do with each call that often finds nothing to do. */
const OWN_WORK: readonly string[] = [
  ...['checks.finish', 'checks.release', 'jobs.renew', 'jobs.finish', 'alerts.finishNotice', 'health.sample'],
];

function isAct(write: SharedWrite): boolean {
  if (write.kind !== 'call') return write.kind === 'migrate';
  return accessOf(write) !== 'tries' && !OWN_WORK.includes(`${write.group}.${write.method}`);
}

function lineOf({ act, entry: { seq, id, node, atMs, bytes } }: { act: boolean; entry: SharedEntry }): string {
  return `${textOf({ act, seq, id, node, atMs, ...unpackWrite(bytes) })}\n`;
}
