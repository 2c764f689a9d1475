import { closeSync, openSync, writeSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Overwrites half of each of the pages `from` to `to` of a stopped database. */
export function damagePages(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+');
  const half = PAGE_BYTES / 2;
  for (let page = from; page < to; page++) writeSync(file, Buffer.alloc(half, 0xa5), 0, half, page * PAGE_BYTES);
  closeSync(file);
}
