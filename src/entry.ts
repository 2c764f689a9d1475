import { extname } from 'node:path';

/** The threads and processes that are started from here, each a file beside this one. */
type Entry = 'writer' | 'checkpointer' | 'checker' | 'jobs' | 'aside' | 'work-thread';

/** The published package holds writer.js, a clone writer.ts: the same as this file. */
export function entry(name: Entry): URL {
  return new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);
}
