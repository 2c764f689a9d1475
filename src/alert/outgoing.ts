import type { Secret } from '../domain/secrets/secret.ts';
import type { AddressPolicy } from '../http/addresses.ts';
import { boundedRequest } from '../http/bounded-request.ts';
import { checkedAgent, requireSafeLiteral, UnsafeAddressError } from '../http/checked-agent.ts';
import { innermostError } from '../http/error-code.ts';

/*
 * Requests to addresses of the operator's choice: a chat channel, a watcher. The address is a secret, and the other end may be
 * anyone, so no message shows the address or the answer, redirects are refused, the answer is bounded, and a name is resolved
 * once, checked, and connected to.
 */

const TIMEOUT_MS = 10_000;
/** An operator may watch from the same network; http beyond this machine is refused by the configuration, unless it allows it. */
const POLICY: AddressPolicy = { allowPrivate: true, allowHttp: true };

/** One request; resolves when it is answered with 2xx. Rejects with an Error that names no address. */
export async function sendOut(
  address: Secret,
  { method, body, signal }: { readonly method: 'GET' | 'POST'; readonly body?: unknown; readonly signal: AbortSignal },
): Promise<void> {
  const url = new URL(address.reveal());
  const dispatcher = checkedAgent(url, POLICY, { connections: 1, timeoutMs: TIMEOUT_MS });
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const status = await (async () => {
    requireSafeLiteral(url, POLICY);
    return await boundedRequest({ url, method, headers, body: bytes, dispatcher, timeoutMs: TIMEOUT_MS, signal });
  })()
    .then(
      (answer) => answer.status,
      (error) => {
        throw new Error(faultOf(error, signal));
      },
    )
    .finally(() => dispatcher.destroy());
  if (status >= 300 && status <= 399) throw new Error('answered with a redirect, which is not followed');
  if (status < 200 || status > 299) throw new Error(`answered ${status}`);
}

function faultOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof UnsafeAddressError) return 'its address is not allowed';
  const { code, name } = innermostError(error);
  if (signal.aborted || name === 'TimeoutError') return 'no answer in time';
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? `no connection: ${code}` : 'no connection';
}
