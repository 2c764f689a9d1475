import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type RefusalReason, refusalStatus, UNKNOWN_PATH } from '../../receive/refusals.ts';
import type { Refusal } from '../../store/inbox.ts';
import { headIn, headOf, type UnreadHead } from './unread-head.ts';

/** Not imported: an `import` reads every export of `node:http`, and one of them loads the web client inside Node, 40 ms of each start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What Node could not read as a request, and what is known of its head. */
export interface UnreadableRequest {
  readonly refusal: Omit<Refusal, 'atMs'>;
  readonly head: UnreadHead;
}

interface ClientError extends Error {
  readonly code?: string | undefined;
  /** The bytes of the last read; Fastify's type of it is that of their JSON. */
  readonly rawPacket?: unknown;
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Not even the head came in time. */
const NOTHING_READ: UnreadHead = { path: UNKNOWN_PATH, headers: {}, mayBeSigned: false };

/**
 * Answers what Node's parser refuses: headers over 16 kB, slow requests, and what is no HTTP. Such a request may have been
 * an authentic event, so it is reported as the other refusals are.
 */
export function clientErrorHandler(
  latestOn: (socket: Socket) => IncomingMessage | null,
  onUnreadable?: (request: UnreadableRequest) => void,
) {
  return (error: ClientError, socket: Socket): void => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      answer(error, socket, headIn(error.rawPacket));
      return;
    }
    // After a stall Node looks at the time before it reads: what came in time may still wait to be read.
    const late = latestOn(socket);
    const wasComplete = late?.complete === true;
    setImmediate(() => {
      const latest = latestOn(socket);
      const hasArrived = latest?.complete === true && !(latest === late && wasComplete);
      if (!hasArrived) answer(error, socket, latest === null || latest.complete ? NOTHING_READ : headOf(latest));
    });
  };

  function answer(error: ClientError, socket: Socket, seen: UnreadHead): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const reason = REASONS[error.code ?? ''] ?? 'not_http';
    const status = refusalStatus(reason);
    const remoteAddress = socket.remoteAddress ?? null;
    // What is no HTTP has no head: everybody sends such bytes.
    const head = reason === 'not_http' ? { ...seen, mayBeSigned: false } : seen;
    const refusal = { path: head.path, reason, remoteAddress, contentLength: null, userAgent: null };
    onUnreadable?.({ refusal, head });
    if (socket.writable) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
    socket.destroy(error);
  }
}
