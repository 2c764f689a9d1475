import { once } from 'node:events';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { OpenInbox } from '../store/store.ts';

/**
 * Shares of `receiver.shutdownTimeoutMs` in which a stop ends connections, jobs and attempts under way; every wait for the lock of the
 * database; and the whole of it. What is not carried out by then is in the log, and the next start goes on with it.
 */
const GRACE_SHARE = 1 / 2;
const WAITS_SHARE = 3 / 4;
const STOP_SHARE = 7 / 8;
/** How often a stopping server closes idle connections, in milliseconds. */
const DRAIN_CHECK_MS = 50;
/**
 * Share of the grace time in which an idle connection may send one more request, when new connections wait for the next process: 1 s
 * by default. Senders under load have sent it by then, and are asked to close.
 */
const LAST_REQUEST_SHARE = 1 / 4;

export interface StopParts {
  readonly inbox: OpenInbox;
  readonly log: Logger;
  /** Ends everything, the inbox last; connections, jobs and attempts within `graceMs`. */
  readonly closeAll: (graceMs: number) => Promise<void>;
}

/** Stops in time, also when the database cannot be closed; what was accepted is answered before. */
export async function stopInTime(timeoutMs: number, { inbox, log, closeAll }: StopParts): Promise<void> {
  inbox.endWaits(timeoutMs * WAITS_SHARE);
  const over = Promise.withResolvers<'over'>();
  const timer = setTimeout(() => over.resolve('over'), timeoutMs * STOP_SHARE);
  const closed = closeAll(timeoutMs * GRACE_SHARE).finally(() => clearTimeout(timer));
  if ((await Promise.race([closed, over.promise])) !== 'over') return;
  if (inbox.depth > 0) return closed;
  log.warn('the database was not closed in time; what the log holds is left to the next start');
}

/**
 * Stops accepting and answers the accepted requests. Node closes only connections that are idle at that moment; one that
 * becomes idle later, or never finishes its request, would keep the server open. With a passed socket an idle connection may
 * send one more request.
 */
export async function drain(
  app: FastifyInstance,
  { graceMs, isPassed }: { readonly graceMs: number; readonly isPassed: boolean },
): Promise<void> {
  const { server } = app;
  const late = setTimeout(() => server.closeAllConnections(), graceMs);
  if (isPassed && server.listening) await lastRequests(server, graceMs * LAST_REQUEST_SHARE);
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(late);
}

/** Stops accepting, and resolves when no connection is left, or after `forMs`. Each answer asks to close its connection. */
async function lastRequests(server: FastifyInstance['server'], forMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const over = new AbortController();
  const closed = once(server, 'close', over).catch(() => {});
  // That of an HTTP server would also close the idle connections.
  NetServer.prototype.close.call(server);
  await Promise.race([closed, delay(forMs, undefined, over).catch(() => {})]);
  over.abort();
}
