import type { IncomingMessage } from 'node:http';
import { isWebhookPath } from '../../receive/key-rings.ts';
import { UNKNOWN_PATH } from '../../receive/refusals.ts';
import { pathIn } from '../../receive/refused-request.ts';
import type { LowerCaseHeaders } from '../../receive/signature.ts';

/** What is known of the head of a request that Node did not read to its end. */
export interface UnreadHead {
  /** One of the webhook paths, else `(unknown)`. */
  readonly path: string;
  /** The headers that were seen; of a head that Node refused, the two signatures alone. */
  readonly headers: LowerCaseHeaders;
  /** The signatures may be in bytes that were not seen. */
  readonly mayBeSigned: boolean;
}

const REQUEST_LINE = /^([A-Z]+) ([^ ?\r\n]+)/;
const SIGNATURE_LINE = /^(payloadSignature|merchantSignature):[ \t]*([0-9a-f]{128})[ \t]*\r?$/gim;

/** Of a request whose time was over before it was complete. */
export function headOf(request: IncomingMessage): UnreadHead {
  return { path: knownPath(request.url ?? ''), headers: request.headers, mayBeSigned: false };
}

/**
 * Of the bytes that were read last, when Node refused the head. A network cuts a large head into several reads, and of these only
 * the last is given: what the others held is not known.
 */
export function headIn(bytes: unknown): UnreadHead {
  const text = Buffer.isBuffer(bytes) ? bytes.toString('latin1') : '';
  const [, method, url = ''] = REQUEST_LINE.exec(text) ?? [];
  const path = knownPath(url);
  const headers: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(SIGNATURE_LINE)) headers[name.toLowerCase()] = value;
  const isWhole = text.includes('\r\n\r\n');
  const goesOn = method === 'POST' && path !== UNKNOWN_PATH && !isWhole;
  return { path, headers, mayBeSigned: method === undefined || goesOn };
}

function knownPath(url: string): string {
  const path = pathIn(url);
  return isWebhookPath(path) ? path : UNKNOWN_PATH;
}
