import type { Agent } from 'undici';
import { type AttemptOutcome, LONGEST_RETRY_AFTER_MS } from '../domain/forwarding/forward-row.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { printableLine } from '../domain/text/printable.ts';
import { boundedRequest, type RequestAnswer } from '../http/bounded-request.ts';
import { checkedAgent, type ResolveAll, requireSafeLiteral, UnsafeAddressError } from '../http/checked-agent.ts';
import { innermostError } from '../http/error-code.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { packageVersion } from '../package-root.ts';
import type { RecordName } from '../store/outbox.ts';
import type { Clock } from '../time/clock.ts';
import { answerText } from './answer-text.ts';
import { signedHeaders } from './sign.ts';
import type { HttpTarget } from './targets.ts';

/** News to deliver: an id, the record that it is about, and the bytes that say it. */
export interface Parcel extends RecordName {
  readonly webhookId: string;
  readonly body: Uint8Array;
}

/** How an attempt ended. */
export interface Delivered {
  readonly outcome: Exclude<AttemptOutcome, 'lost'>;
  readonly status: number | null;
  /** For a person: never a secret, never the body that was sent. */
  readonly detail: string | null;
  readonly retryAfterMs: number | null;
  /** The answer holds the whole target, not this row alone. */
  readonly holdsTarget: boolean;
  /** What the application in this process threw, for the log of this process alone: it may hold anything. */
  readonly error?: unknown;
}

/** Delivers to one target; never rejects. `signal` ends the attempt. */
export interface Deliverer {
  readonly deliver: (parcel: Parcel, signal: AbortSignal) => Promise<Delivered>;
  /** Records on which an attempt that has ended still works: their next one must not begin. Missing: none. */
  readonly working?: () => readonly RecordName[];
  readonly close: () => Promise<void>;
}

export interface HttpParts {
  readonly clock: Clock;
  /** Read at each attempt, because they may have been reloaded; default those of the target. */
  readonly secrets?: () => readonly Secret[];
  /** Resolves names; default the system's resolver. */
  readonly resolve?: ResolveAll | undefined;
}

/** Delivers by HTTP to a target: one signed request per attempt. */
export function httpDeliverer(
  target: HttpTarget,
  { clock, secrets = () => target.secrets, resolve }: HttpParts,
): Deliverer {
  const url = new URL(target.url);
  const { timeoutMs, policy } = target;
  const agent: Agent = checkedAgent(url, policy, {
    connections: target.concurrency + 1, // one for `forward test`
    timeoutMs,
    ...(resolve !== undefined && { resolve }),
  });
  const userAgent = `Tallyhook/${packageVersion()}`;
  return {
    async deliver({ webhookId, body }, signal) {
      const signed = signedHeaders(webhookId, body, { secrets: secrets(), nowMs: clock.nowMs() });
      const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signed };
      try {
        requireSafeLiteral(url, policy);
        return answered(
          await boundedRequest({ url, method: 'POST', headers, body, dispatcher: agent, timeoutMs, signal }),
          clock.nowMs(),
        );
      } catch (error) {
        return failed(error, signal.aborted, timeoutMs);
      }
    },
    close: () => agent.destroy(),
  };
}

/** The status line decides. */
function answered({ status, retryAfter, start }: RequestAnswer, nowMs: number): Delivered {
  if (status >= 200 && status < 300) return { ...NOTHING, outcome: 'delivered', status };
  const after = retryAfterMs(retryAfter, nowMs);
  const wait = after === null ? null : Math.min(after, LONGEST_RETRY_AFTER_MS);
  const holdsTarget = wait !== null && (status === 429 || status === 503);
  const outcome = status === 410 ? 'gone' : 'refused';
  return { outcome, status, detail: detailOf(status, start), retryAfterMs: wait, holdsTarget };
}

function failed(error: unknown, isStopped: boolean, timeoutMs: number): Delivered {
  if (isStopped) return { ...NOTHING, outcome: 'stopped', detail: 'the process stopped during the attempt' };
  const unsafe = unsafeIn(error);
  if (unsafe !== null) return { ...NOTHING, outcome: 'unsafe', detail: printableLine(unsafe.message) };
  const { code, name } = innermostError(error);
  const isLate = name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(code);
  if (isLate) return { ...NOTHING, outcome: 'timeout', detail: `no complete headers within ${timeoutMs} ms` };
  return { ...NOTHING, outcome: 'unreachable', detail: /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : name };
}

const NOTHING = { status: null, detail: null, retryAfterMs: null, holdsTarget: false } as const;

function detailOf(status: number, start: Uint8Array): string {
  if (status >= 300 && status < 400) return 'a redirect, which is not followed';
  return answerText(start);
}

function unsafeIn(error: unknown): UnsafeAddressError | null {
  for (let current = error, depth = 0; depth < 8 && current != null; depth++) {
    if (current instanceof UnsafeAddressError) return current;
    current = (current as { cause?: unknown }).cause;
  }
  return null;
}
