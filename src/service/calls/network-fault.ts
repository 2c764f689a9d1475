import { isTimeoutError } from 'ky';
import { CutError, ResponseError, type ResponseFault } from '../../http/bounded-body.ts';
import { innermostError } from '../../http/error-code.ts';
import type { RequestLine, ServiceError } from '../errors/service-error.ts';
import {
  NoAnswerError,
  type NoAnswerReason,
  RedirectRefusedError,
  ServiceUnreachableError,
  type UnreachableReason,
  UnreadableAnswerError,
} from '../errors/transport-errors.ts';

/** Whether the request can have reached the service, and why no response came. */
export type NetworkFault =
  | { readonly sent: false; readonly reason: UnreachableReason; readonly code: string }
  | { readonly sent: true; readonly reason: NoAnswerReason; readonly code: string };

const NAME_CODES = /^(ENOTFOUND|EAI_)/;
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

const RESPONSE_ERRORS: Record<ResponseFault, (requestLine: RequestLine) => ServiceError> = {
  no_status: (requestLine) => new NoAnswerError(requestLine, 'protocol', 'no HTTP status'),
  redirect: (requestLine) => new RedirectRefusedError(requestLine),
  too_large: (requestLine) => new UnreadableAnswerError(requestLine, 200, 'too_large', 'it exceeds the limit'),
};

/** Returns the typed error of a fault, without it as `cause`: a fault may hold the request with its key. */
export function typedFault({ method, path }: RequestLine, error: unknown, earlierUnanswered: boolean): Error {
  const requestLine = { method, path };
  if (error instanceof ResponseError) return RESPONSE_ERRORS[error.fault](requestLine);
  if (isTimeoutError(error)) return new NoAnswerError(requestLine, 'timeout', 'total time');
  const { sent, reason, code } = networkFault(error);
  if (sent) return new NoAnswerError(requestLine, reason, code);
  // Only the last attempt was not sent.
  if (earlierUnanswered) return new NoAnswerError(requestLine, 'reset', `then ${code}`);
  return new ServiceUnreachableError(requestLine, reason, code);
}

/** Returns what an error of undici proves. A request counts as sent unless the error proves that it was not. */
export function networkFault(error: unknown): NetworkFault {
  const { code, syscall, name } = innermostError(error);
  if (code === 'ECONNREFUSED') return { sent: false, reason: 'refused', code };
  if (NAME_CODES.test(code)) return { sent: false, reason: 'name', code };
  if (TLS_CODES.test(code)) return { sent: false, reason: 'tls', code };
  if (syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT') return { sent: false, reason: 'connect', code };
  if (code === 'UND_ERR_BODY_TIMEOUT') return { sent: true, reason: 'idle', code: 'idle time' };
  if (/timeout/i.test(code)) return { sent: true, reason: 'timeout', code };
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return { sent: true, reason: 'protocol', code };
  const known = /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : name;
  return { sent: true, reason: error instanceof CutError ? 'cut' : 'reset', code: known };
}
