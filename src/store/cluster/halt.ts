import { StoreError } from '../error.ts';
import type { ClusterState } from './cluster-state.ts';
import { readableWrite, type SharedWrite } from './entry.ts';
import { textOf } from './plain-value.ts';
import { type LogPlace, READ_BYTES, type SharedEntry, type SharedLog } from './shared-log.ts';
import { differingSettings, isSameKey, settingsDigest } from './shared-settings.ts';

/** Why a node carries nothing out. It goes on receiving meanwhile. */
export type Halt =
  /** The next entries are of another program. */
  | { readonly why: 'version'; readonly version: string; readonly own: string }
  /** What differs between the settings of this node, which has this name, and those of the cluster. */
  | { readonly why: 'settings'; readonly node: string; readonly differing: readonly string[] }
  /** The entry at which a backup was restored: what this node has is not what the books are from there on. */
  | { readonly why: 'restored'; readonly seq: number }
  | { readonly why: 'stopped'; readonly reason: string };

/** What a node decides with, as text. */
export interface Own {
  readonly node: string;
  readonly version: string;
  readonly settings: string;
  /** The entry from which its settings are those of the cluster, where that is known to come. Until there those of the cluster decide. */
  readonly takeOver: number;
}

/** Why a node does not carry out its next entry; null: it does. Without `next` as far as it can be told without the entry. */
export function haltOf(
  { seq, stopped, version, settings }: ClusterState,
  own: Own,
  next?: SharedWrite | null,
): Halt | null {
  if (next?.kind === 'restored') return { why: 'restored', seq: seq + 1 };
  if (stopped !== null) return { why: 'stopped', reason: stopped };
  // The program that migrates to its own version has done so before it got here.
  if (next?.kind === 'migrate')
    return next.version === own.version ? null : { why: 'version', version: next.version, own: own.version };
  if (version !== own.version) return { why: 'version', version, own: own.version };
  if (settings === null || settings === own.settings) return null;
  if (seq < own.takeOver && isSameKey(settings, own.settings)) return null;
  return { why: 'settings', node: own.node, differing: differingSettings(own.settings, settings) };
}

/** The halt for those who want to write, and for a person. */
export function haltError(halt: Halt): StoreError {
  switch (halt.why) {
    case 'version':
      return new StoreError(
        'cluster_refused',
        `The next entries of the log are of the program ${halt.version}; this is ${halt.own}.`,
        {
          hint: 'Start this node again with the program of the other nodes; to move all of them on: tallyhook cluster upgrade',
        },
      );
    case 'settings':
      return new StoreError(
        'cluster_refused',
        `The settings of this node, ${halt.node}, are not those of the cluster: ${halt.differing.join('; ')}.`,
        {
          hint: 'Give this node the settings of the others, and start it again; to take these over for all: tallyhook cluster upgrade',
        },
      );
    case 'restored':
      return new StoreError('fell_behind', `A backup was restored at entry ${halt.seq}.`, {
        hint: 'This node joins anew by itself, from the snapshot of the restored database.',
      });
    case 'stopped':
      return new StoreError('diverged', `This node has stopped: ${halt.reason}.`, {
        hint: 'Run: tallyhook cluster rebuild',
      });
  }
}

/** The entry behind `from` from which the settings of a node are those of the cluster, null while there is none; and how far the log was read. */
export async function takeOverAhead(
  log: Pick<SharedLog, 'read'>,
  from: LogPlace,
  { version, settings }: Own,
): Promise<{ readonly seq: number | null; readonly place: LogPlace }> {
  for (let place = from; ; ) {
    const entries = await log.read(place, READ_BYTES);
    for (const entry of entries) {
      const write = readableWrite(entry.bytes);
      if (write?.kind === 'migrate' && write.version === version && textOf(write.settings) === settings)
        return { seq: entry.seq, place: entry };
    }
    const last = entries.at(-1);
    if (last === undefined) return { seq: null, place };
    place = { seq: last.seq, chain: last.chain };
  }
}

/** What a caller gets whose entry is kept, while this machine does not come to carry it out. */
export function inLogAlready(seq: number, { message, hint }: StoreError): StoreError {
  const text = `Entry ${seq} is in the log, and this machine has not carried it out yet: ${message}`;
  const next = hint === undefined ? '' : ` ${hint}`;
  return new StoreError('cluster_unconfirmed', text, { hint: `Do not repeat it: it will be carried out.${next}` });
}

export function clockOff(offsetMs: number): StoreError {
  const off = `${Math.round(Math.abs(offsetMs) / 1_000)} s ${offsetMs > 0 ? 'ahead of' : 'behind'}`;
  return new StoreError('cluster_refused', `The clock of this machine is ${off} PostgreSQL's: it takes no work.`, {
    hint: 'Set the clocks of both by NTP. Deliveries are received meanwhile.',
  });
}

/** A machine that was away, or has just joined, and has more to carry out than it may take work beside. */
export function catchesUp(seq: number, last: number): StoreError {
  const text = `This machine was at entry ${seq} of the log when it was opened, and has not carried out up to ${last}`;
  return new StoreError('fell_behind', `${text} yet: it takes no work.`, {
    hint: 'It goes on by itself, and is ready once it is level with the log. How far it is: tallyhook cluster status',
  });
}

/** A node calls with its own program and configuration: with others than the cluster has by now, its call means something else. */
export function ofOtherNode(
  { under }: SharedWrite & { readonly under: string },
  { node, version }: SharedEntry,
  state: ClusterState,
): StoreError | null {
  const isOfOther = state.settings !== null && under !== settingsDigest(state.settings);
  if (version === state.version && !isOfOther) return null;
  const has = isOfOther ? 'other settings than the cluster' : `the program ${version}`;
  const now = isOfOther ? '' : `; the cluster has moved on to ${state.version}`;
  return new StoreError('cluster_refused', `The node ${node} has ${has}${now}.`, {
    hint: `Start ${node} again with the program and the settings of the other nodes.`,
  });
}
