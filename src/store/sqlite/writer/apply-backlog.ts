import type { KeptContent } from '../../../domain/events/webhook-observation.ts';

/** Most bytes of bodies whose contents wait in memory; contents beyond are read back from the database. */
const MEMORY_BYTES = 1024 * 1024;

/** A content and the bytes of the body that it was read from. */
export interface Waiting {
  readonly content: KeptContent;
  readonly bytes: number;
}

/**
 * Contents of one source that wait in memory to be applied: one run of ids without a gap. A content that does not follow the
 * run is in the database only, and is read back when its turn comes.
 */
export class Backlog {
  readonly #run: Waiting[] = [];
  #bytes = 0;

  get run(): readonly Waiting[] {
    return this.#run;
  }

  /** False when the content does not follow the run, or memory is full. One content, however large, always fits. */
  add(waiting: Waiting): boolean {
    const last = this.#run.at(-1);
    const follows = last === undefined || waiting.content.id === last.content.id + 1;
    const fits = last === undefined || this.#bytes + waiting.bytes <= MEMORY_BYTES;
    if (!follows || !fits) return false;
    this.#run.push(waiting);
    this.#bytes += waiting.bytes;
    return true;
  }

  /** Drops the contents up to `lastId`; all of them when the run does not go on behind `lastId`. */
  dropUntil(lastId: number): void {
    const next = this.#run.findIndex(({ content }) => content.id > lastId);
    const follows = this.#run[next]?.content.id === lastId + 1;
    for (const { bytes } of this.#run.splice(0, follows ? next : this.#run.length)) this.#bytes -= bytes;
  }
}
