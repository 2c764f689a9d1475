import type { FastifyRequest } from 'fastify';
import { printableLine } from '../domain/text/printable.ts';
import type { StoreFault } from '../store/error.ts';
import type { Refusal } from '../store/inbox.ts';
import { WEBHOOK_PATHS } from './key-rings.ts';
import type { RefusalReason } from './refusals.ts';

/** Bounds a header or path that is kept or logged, in characters. */
const MAX_TEXT = 100;

/**
 * What is kept and logged of a request that a webhook route refused: never its body, nor the query of its URL. Its path is the
 * webhook path, without the prefix that the application may give it.
 */
export function refusalOf(request: FastifyRequest, reason: RefusalReason | StoreFault, atMs: number): Refusal {
  const { url = '' } = request.routeOptions;
  const path = Object.keys(WEBHOOK_PATHS).find((webhookPath) => url.endsWith(webhookPath));
  const refusal = unroutedRefusal(request, atMs);
  return { ...refusal, reason, path: path ?? refusal.path };
}

/** The same of a request that came to no route. */
export function unroutedRefusal(request: FastifyRequest, atMs: number): Refusal {
  const length = Number(request.headers['content-length']);
  return {
    atMs,
    path: shownPath(request.url),
    reason: 'unknown_path' satisfies RefusalReason,
    remoteAddress: request.ip,
    contentLength: Number.isSafeInteger(length) ? length : null,
    userAgent: headerText(request.headers['user-agent']),
  };
}

/** The path of a URL, without query and without a slash at the end. */
export function pathIn(url: string): string {
  return withoutQuery(url).replace(/\/$/, '');
}

/** A header of limited length; null when it is missing or repeated. */
export function headerText(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : null;
}

/** The path of any URL, safe to show, and cut. */
function shownPath(url: string): string {
  const path = withoutQuery(url);
  const shown = printableLine(path.slice(0, MAX_TEXT));
  return path.length > MAX_TEXT ? `${shown}…` : shown;
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] as string;
}
