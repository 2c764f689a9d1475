import type { IncomingMessage } from 'node:http';

/** Chunks of a body that are read before the sizes are looked at. */
const TURN_CHUNKS = 256;
/** A body whose chunks are smaller than this on average is read in turns, in bytes. TCP segments are larger. */
const SMALL_CHUNK_BYTES = 256;

/** Time for everything else after a turn, as a multiple of the time that the turn took. */
const REST = 3;

/** Counts the chunks of one body. */
export class ChunkPace {
  #chunks = 0;
  #bytes = 0;

  /** Returns whether the body should now wait for its turn. */
  isSmall(chunkBytes: number): boolean {
    this.#bytes += chunkBytes;
    if (++this.#chunks < TURN_CHUNKS) return false;
    const small = this.#bytes < TURN_CHUNKS * SMALL_CHUNK_BYTES;
    this.#chunks = 0;
    this.#bytes = 0;
    return small;
  }
}

/**
 * Reads bodies that arrive in tiny chunks one after the other. Each read of the socket can hold ten thousand chunks, which
 * take Node some 30 ms; fifty such connections would keep every other delivery waiting for a second and more. Three
 * quarters of the time are left for the others.
 */
export class ReadingTurns {
  readonly #waiting = new Set<IncomingMessage>();
  #planned = false;

  /** Stops reading the socket of this body until its turn. */
  wait(body: IncomingMessage): void {
    // The stream of the body would resume the socket after every chunk.
    body._read = leavePaused;
    body.socket.pause();
    this.#waiting.add(body);
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => this.#next());
  }

  /** The body is complete or given up. */
  leave(body: IncomingMessage): void {
    if (this.#waiting.delete(body)) body.socket.resume();
  }

  #next(): void {
    const [body] = this.#waiting;
    if (body === undefined) {
      this.#planned = false;
      return;
    }
    this.#waiting.delete(body);
    const startMs = performance.now();
    body.socket.resume();
    // Runs after the sockets were polled once: after one read of this body, which then waits again.
    setImmediate(() => setTimeout(() => this.#next(), REST * (performance.now() - startMs)));
  }
}

function leavePaused(): void {}
