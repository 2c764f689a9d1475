import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ProcessName } from '../caller.ts';
import type { Delivery, Refusal, RefusalCount } from '../inbox.ts';
import type { Called } from '../operations.ts';
import { packEntry, unpackDeliveries } from '../sqlite/log/entry.ts';
import { drawnId } from './cluster-state.ts';
import { plainValueOf, textOf } from './plain-value.ts';
import { programVersion } from './program-version.ts';
import type { NewEntry } from './shared-log.ts';
import type { SharedSettings } from './shared-settings.ts';

/*
 * An entry of the shared log as bytes: the number of the format, the kind, whether the rest is deflated, and the rest: deliveries as the
 * log of one machine packs them, any other write as text. No password and no secret is in an entry: tokens are digests before they get here.
 */

/** Programs read their own format and the one before it, so that receivers of both versions append to one log. */
const FORMAT = 1;
const OLDEST_FORMAT = 1;
const HEAD_BYTES = 3;
/** Text from this length on is deflated: pieces of statements shrink to a tenth. */
const DEFLATED_FROM = 16 * 1024;

/** What a node decided with its own configuration, which must be that of the cluster where it is carried out. */
interface Configured {
  /** `settingsDigest` of the node. */
  readonly under: string;
}

/** A call of an operation, with what is drawn for it. Its time is that of its entry. */
export interface SharedCall extends Called, Configured {
  readonly kind: 'call';
  readonly caller: ProcessName;
  /** The processes that the caller found gone: it alone can look at its machine. */
  readonly gone: readonly ProcessName[];
}

/** One write of the store. */
export type SharedWrite =
  | { readonly kind: 'deliveries'; readonly deliveries: readonly Delivery[] }
  | { readonly kind: 'refusals'; readonly counts: readonly RefusalCount[]; readonly samples: readonly Refusal[] }
  | SharedCall
  /** A step of the journal of our requests. */
  | ({ readonly kind: 'request'; readonly method: string; readonly input: readonly unknown[] } & Configured)
  /** From here on the rules of this version decide, with these settings. */
  | { readonly kind: 'migrate'; readonly version: string; readonly settings: SharedSettings }
  /** From here on the books are a backup that was restored: it is the next snapshot. */
  | { readonly kind: 'restored' }
  /** Each node sums its tables as they are here, to compare them. */
  | { readonly kind: 'sums' };

/** By kind, its number in the bytes. A number is never used again. */
const KINDS = {
  deliveries: 1,
  refusals: 2,
  call: 3,
  request: 4,
  migrate: 6,
  restored: 7,
  sums: 8,
} as const satisfies Record<SharedWrite['kind'], number>;

/** A write, packed, as an entry by this program. */
export function newEntry(bytes: Uint8Array, id = drawnId()): NewEntry {
  return { id, version: programVersion(), bytes };
}

/** The deliveries of each group as an entry of its own. */
export function deliveryEntries(groups: readonly (readonly Delivery[])[]): NewEntry[] {
  return groups.map((deliveries) => newEntry(packWrite({ kind: 'deliveries', deliveries })));
}

export function packWrite(write: SharedWrite): Uint8Array<ArrayBuffer> {
  if (write.kind === 'deliveries') {
    const [first, ...others] = write.deliveries;
    if (first === undefined) throw new TypeError('An entry of deliveries has one at least.');
    return framed('deliveries', packEntry([first, ...others]).bytes, false);
  }
  const { kind, ...content } = write;
  const text = Buffer.from(textOf(content));
  const isLong = text.byteLength >= DEFLATED_FROM;
  return framed(kind, isLong ? deflateRawSync(text, { level: 1 }) : text, isLong);
}

function framed(kind: SharedWrite['kind'], rest: Uint8Array, isDeflated: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + rest.byteLength);
  bytes.set([FORMAT, KINDS[kind], isDeflated ? 1 : 0]);
  bytes.set(rest, HEAD_BYTES);
  return bytes;
}

/**
 * Returns the write of an entry; bodies are views of `bytes`.
 *
 * @throws Error with the reason when they are of no format that this program reads
 */
export function unpackWrite(bytes: Uint8Array): SharedWrite {
  const [format = 0, number, deflated] = bytes;
  if (format < OLDEST_FORMAT || format > FORMAT)
    throw new Error(`its format is ${format}; this program reads ${OLDEST_FORMAT} to ${FORMAT}`);
  const kind = (Object.keys(KINDS) as SharedWrite['kind'][]).find((name) => KINDS[name] === number);
  if (kind === undefined) throw new Error(`its kind ${number} is not known`);
  const rest = bytes.subarray(HEAD_BYTES);
  if (kind === 'deliveries') return { kind, deliveries: unpackDeliveries(rest) };
  const text = Buffer.from(deflated === 1 ? inflateRawSync(rest) : rest).toString();
  return { ...(plainValueOf(text) as object), kind } as SharedWrite;
}

/** Whether an entry is a step of the journal of our requests. */
export function isRequest(bytes: Uint8Array): boolean {
  return bytes[1] === KINDS.request;
}

/** As `unpackWrite`; null: it cannot be read. */
export function readableWrite(bytes: Uint8Array): SharedWrite | null {
  try {
    return unpackWrite(bytes);
  } catch {
    return null;
  }
}
