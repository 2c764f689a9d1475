import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { WEBHOOK_PATHS } from '../../receive/key-rings.ts';
import { type RefusalReason, refusalStatus } from '../../receive/refusals.ts';
import type { Refusal } from '../../store/inbox.ts';

/** What Node could not read as a request: it has no headers that could be trusted, and its path may be unknown. */
export type UnreadableRequest = Omit<Refusal, 'atMs'>;

interface ClientError extends Error {
  readonly code?: string | undefined;
  /** The bytes of the last read; Fastify's type of it is that of their JSON. */
  readonly rawPacket?: unknown;
}

const REASONS: Readonly<Record<string, RefusalReason>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};
const UNKNOWN_PATH = '(unknown)';

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
      answer(error, socket);
      return;
    }
    // After a stall Node looks at the time before it reads: what came in time may still wait to be read.
    const late = latestOn(socket);
    const wasComplete = late?.complete === true;
    setImmediate(() => {
      const latest = latestOn(socket);
      const hasArrived = latest?.complete === true && !(latest === late && wasComplete);
      if (!hasArrived) answer(error, socket);
    });
  };

  function answer(error: ClientError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const reason = REASONS[error.code ?? ''] ?? 'not_http';
    const status = refusalStatus(reason);
    const remoteAddress = socket.remoteAddress ?? null;
    onUnreadable?.({ path: pathIn(error), reason, remoteAddress, contentLength: null, userAgent: null });
    if (socket.writable) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
    socket.destroy(error);
  }
}

/** One of the webhook paths, if the last read began with the request: refusals are counted by path, so no other may pass. */
function pathIn({ rawPacket }: ClientError): string {
  const start = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 100) : '';
  const [, path = ''] = /^[A-Z]+ ([^ ?]+)/.exec(start) ?? [];
  const known = path.replace(/\/$/, '');
  return Object.hasOwn(WEBHOOK_PATHS, known) ? known : UNKNOWN_PATH;
}
