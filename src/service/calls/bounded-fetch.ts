import type { Agent } from 'undici';
import { ResponseError, readWhole } from '../../http/bounded-body.ts';
import { undici } from '../../http/undici.ts';

/**
 * The connections of this process, shared by all clients and by `trigger`. An idle connection does not keep the process
 * alive. HTTP/2 is off, because the limits on head and body are those of HTTP/1.1.
 */
export function sharedAgent(): Agent {
  const { Agent } = undici();
  agent ??= new Agent({
    connections: 1_024, // per address; as many as `trigger --concurrency` can use
    connectTimeout: 10_000,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000, // where the service names a longer time
    maxHeaderSize: 16 * 1024,
    allowH2: false,
  });
  return agent;
}
let agent: Agent | undefined;

/** A response with any HTTP status, read to its end. `content` stands beside it: a Response would copy it into a stream. */
export class WholeResponse extends Response {
  readonly content: Uint8Array;
  constructor(content: Uint8Array, init: ResponseInit) {
    super(null, init);
    this.content = content;
  }
}

export interface FetchLimits {
  /** Longest time between two pieces of a body. */
  readonly idleTimeoutMs: number;
  /** Bytes of a body. */
  readonly responseLimitBytes: number;
}

/** The headers that the client reads; the others are dropped. */
const READ_HEADERS = ['content-type', 'content-encoding', 'retry-after'];
const REDIRECTS = [301, 302, 303, 307, 308];
/** Statuses of responses without a body. */
const EMPTY = [204, 205, 304];

/**
 * Returns the `fetch` for ky: one `undici.request`, which follows no redirect, repeats nothing and decodes nothing. It
 * resolves once the whole body is read, so the time limit of ky covers the body too.
 *
 * @throws ResponseError, CutError, and the errors of undici
 */
export function boundedFetch({ idleTimeoutMs, responseLimitBytes }: FetchLimits) {
  return async (
    { url, method, signal }: Request,
    sentHeaders: Record<string, string>,
    sentBody: string | null,
  ): Promise<WholeResponse> => {
    const response = await undici().request(url, {
      method,
      headers: sentHeaders,
      body: sentBody,
      signal,
      dispatcher: sharedAgent(),
      headersTimeout: 0, // ky limits the time of the whole attempt
      bodyTimeout: idleTimeoutMs,
    });
    const { statusCode: status, body } = response;
    const fault = status > 599 ? 'no_status' : REDIRECTS.includes(status) ? 'redirect' : null;
    // The connection is closed: its further bytes are not read.
    if (fault !== null || EMPTY.includes(status)) body.on('error', () => {}).destroy();
    if (fault !== null) throw new ResponseError(fault);
    const content = EMPTY.includes(status) ? Buffer.alloc(0) : await readWhole(body, responseLimitBytes);
    const headers = READ_HEADERS.map((name): [string, string] => [name, String(response.headers[name] ?? '')]);
    return new WholeResponse(content, { status, headers });
  };
}
