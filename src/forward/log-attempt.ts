import type { Logger } from 'pino';
import { traceOf } from '../domain/trace.ts';
import type { Forwarded } from './forwarder.ts';

/**
 * One line per attempt, with the trace of its record, and without what the target answered: that may quote the news. What the
 * application in this process threw is its own, and is written with its stack.
 */
export function logAttempt(log: Logger, { row, state, outcome, status, error, tookMs }: Forwarded): void {
  const { webhookId, target, attempt, kind, environment, type, reference } = row;
  const facts = {
    trace: kind === 'unknown' ? undefined : traceOf(environment, kind, reference),
    target,
    id: webhookId,
    type,
    kind,
    environment,
    attempt,
    outcome,
    status,
    tookMs: Math.round(tookMs),
    ...(error !== undefined && { err: error }),
  };
  if (state === null) log.warn(facts, 'an attempt ended after its lease; the row is attempted again');
  else if (outcome === 'delivered') log.debug(facts, 'news forwarded');
  else if (outcome === 'gone')
    log.error({ ...facts, hint: `Run: tallyhook forward enable ${target}` }, 'target disabled: it answered 410');
  else if (state === 'dead')
    log.error({ ...facts, hint: `Run: tallyhook outbox show ${webhookId}` }, 'news is a dead letter');
  else log.warn(facts, 'news not forwarded; it is tried again');
}
