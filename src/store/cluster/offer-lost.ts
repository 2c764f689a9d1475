import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../error.ts';
import type { ClusterState } from './cluster-state.ts';
import { unpackWrite } from './entry.ts';
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
  /** Acts and answers, which are not: the file that lists them; null without any. */
  readonly list: string | null;
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
  if (list !== null) appendFileSync(list, listed.map(lineOf).join(''), { mode: 0o600 });
  return { common, offered: again.length, list };
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
export function lostError({ common, offered, list }: Lost): StoreError {
  const acts = list === null ? 'there was nothing else' : `${list} lists the acts among them`;
  return new StoreError(
    'beside_log',
    `The log lost what this machine had carried out behind entry ${common}: ${offered} entries are in it again, ${acts}.`,
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

function lineOf({ seq, id, node, atMs, bytes }: SharedEntry): string {
  return `${textOf({ seq, id, node, atMs, ...unpackWrite(bytes) })}\n`;
}
