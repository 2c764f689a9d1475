import type { NoAnswerReason, UnreachableReason } from '../errors/transport-errors.ts';

/** Whether the request can have reached the service, and why no response came. */
export type NetworkFault =
  | { readonly sent: false; readonly reason: UnreachableReason; readonly code: string }
  | { readonly sent: true; readonly reason: NoAnswerReason; readonly code: string };

const NAME_CODES = /^(ENOTFOUND|EAI_)/;
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

/** Returns what an error of `fetch` proves. A request counts as sent unless the error proves that it was not. */
export function networkFault(error: unknown): NetworkFault {
  const { code, syscall, message } = innermost(error);
  if (code === 'ECONNREFUSED') return { sent: false, reason: 'refused', code };
  if (NAME_CODES.test(code)) return { sent: false, reason: 'name', code };
  if (TLS_CODES.test(code)) return { sent: false, reason: 'tls', code };
  if (message === 'bad port') return { sent: false, reason: 'connect', code: message };
  if (syscall === 'connect' || code === 'UND_ERR_CONNECT_TIMEOUT') return { sent: false, reason: 'connect', code };
  if (/timeout/i.test(code)) return { sent: true, reason: 'timeout', code };
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return { sent: true, reason: 'protocol', code };
  const cut = error instanceof TypeError && error.message === 'terminated';
  const known = /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : message;
  return { sent: true, reason: cut ? 'cut' : 'reset', code: known };
}

/** Returns the last error of the chain of causes, the system's own; an AggregateError holds one per address tried. */
function innermost(error: unknown): { code: string; syscall: string | undefined; message: string } {
  let current: unknown = error;
  for (let depth = 0; depth < 8; depth++) {
    const { cause, errors } = Object(current) as { cause?: unknown; errors?: unknown[] };
    const next = cause ?? errors?.[0];
    if (next === undefined) break;
    current = next;
  }
  const { code, syscall, message, name = 'Error' } = Object(current) as Partial<NodeJS.ErrnoException>;
  return { code: typeof code === 'string' ? code : '', syscall, message: message === 'bad port' ? message : name };
}
