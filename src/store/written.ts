/*
 * How far the writes of this process are in the log that several machines share, so that another machine can be asked to have carried them
 * out. Each process has one such number: the log is in one order.
 */

let latest: number | null = null;

/** A write of this process is entry `seq` of the log. */
export function noteWritten(seq: number): void {
  if (seq > (latest ?? 0)) latest = seq;
}

/** What comes now has written nothing yet. */
export function forgetWritten(): void {
  latest = null;
}

/** The last entry that this process wrote; null before the first, and always on a machine alone. */
export function writtenSeq(): number | null {
  return latest;
}
