import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { BodyMemory, type Share } from './body-memory.ts';
import { BodyPieces } from './body-pieces.ts';
import { ChunkPace, ReadingTurns } from './reading-turns.ts';

export interface BodyLimits {
  /** Of one body. */
  readonly bodyLimitBytes: number;
  /** Of all unfinished bodies together. */
  readonly bodiesLimitBytes: number;
}

/** Why a body was not read to its end. */
export class BodyRefusedError extends Error {
  override readonly name = 'BodyRefusedError';
  readonly reason: 'body_too_large' | 'bodies_limit';

  constructor(reason: BodyRefusedError['reason']) {
    super(`The body was refused: ${reason}.`);
    this.reason = reason;
  }
}

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Returns a content type parser for Fastify that gives the bytes as they came. Fastify's own keeps an array of all chunks
 * without a limit on their number, and has no limit over all bodies.
 */
export function bodyParser({ bodyLimitBytes, bodiesLimitBytes }: BodyLimits) {
  const memory = new BodyMemory(bodiesLimitBytes);
  const turns = new ReadingTurns();

  return (request: FastifyRequest, payload: IncomingMessage, done: Done): void => {
    const declaredBytes = Number(request.headers['content-length'] ?? Number.NaN);
    if (declaredBytes > bodyLimitBytes) {
      done(new BodyRefusedError('body_too_large'));
      return;
    }
    const pieces = new BodyPieces(declaredBytes);
    // Of an unfinished body only: most arrive in one chunk.
    let share: Share | null = null;
    let pace: ChunkPace | null = null;
    let finished = false;

    payload.on('data', onData);
    payload.on('end', onEnd);
    payload.on('error', onError);

    function onData(chunk: Buffer): void {
      pieces.add(chunk);
      // A complete body is verified at once. Only unfinished ones can be hoarded.
      if (pieces.length === declaredBytes) return;
      if (pieces.length > bodyLimitBytes) {
        finish(new BodyRefusedError('body_too_large'));
        return;
      }
      share ??= memory.open(request.ip, () => finish(new BodyRefusedError('bodies_limit')));
      share.hold(pieces.heldBytes);
      pace ??= new ChunkPace();
      if (!finished && pace.isSmall(chunk.length)) turns.wait(payload);
    }
    function onEnd(): void {
      finish(null);
    }
    /** The connection broke, or Node ended it: no answer can be sent. */
    function onError(error: Error): void {
      finish(Object.assign(error, { statusCode: 400 }));
    }
    function finish(error: Error | null): void {
      finished = true;
      payload.off('data', onData);
      payload.off('end', onEnd);
      payload.off('error', onError);
      turns.leave(payload);
      share?.release();
      if (error === null) {
        done(null, pieces.whole());
        return;
      }
      pieces.discard();
      done(error);
    }
  };
}
