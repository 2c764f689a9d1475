import type { Logger } from 'pino';
import { traceOf } from '../domain/records/trace.ts';
import type { Forwarded } from './forwarder.ts';

/** Time between two lines about attempts of one target that failed alike: a dead target fails a hundred a second. */
const LINE_EVERY_MS = 60_000;

/**
 * The log lines about attempts. Of those of a target that failed alike the first has a line, then one a minute with the number of the
 * others; the next one that is delivered says that it takes news again.
 */
export class AttemptLog {
  readonly #log: Logger;
  readonly #nowMs: () => number;
  /** By target and how it failed. */
  readonly #failing = new Map<string, { readonly target: string; shownAtMs: number; more: number }>();

  constructor(log: Logger, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  write(forwarded: Forwarded): void {
    const { row, state, outcome } = forwarded;
    const { target } = row;
    if (outcome === 'delivered') this.#recovered(target);
    if (outcome === 'delivered' || outcome === 'gone') {
      logAttempt(this.#log, forwarded);
      return;
    }
    const nowMs = this.#nowMs();
    const key = `${target} ${outcome} ${state} ${thrownAs(forwarded.error)}`;
    const known = this.#failing.get(key);
    if (known !== undefined && nowMs - known.shownAtMs < LINE_EVERY_MS) {
      known.more++;
      return;
    }
    logAttempt(this.#log, forwarded, known?.more ?? 0);
    this.#failing.set(key, { target, shownAtMs: nowMs, more: 0 });
  }

  #recovered(target: string): void {
    let more = 0;
    for (const [key, failing] of this.#failing) {
      if (failing.target !== target) continue;
      more += failing.more;
      this.#failing.delete(key);
    }
    if (more > 0) this.#log.info({ target, more }, 'the target takes news again; more attempts had failed');
  }
}

/** Returns what makes two errors of the application in this process alike: their class, code and place, of which a program has few. */
function thrownAs(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const [place = ''] = /^ {4}at .*$/m.exec(error.stack ?? '') ?? [];
  return `${error.name} ${(error as NodeJS.ErrnoException).code} ${place}`;
}

/**
 * One line per attempt, with the trace of its record, and without what the target answered: that may quote the news. What the
 * application in this process threw is its own, and is written with its stack.
 */
function logAttempt(log: Logger, { row, state, outcome, status, error, tookMs }: Forwarded, more = 0): void {
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
    ...(more > 0 && { more }), // attempts that failed alike since the last line
  };
  if (state === null) log.warn(facts, 'an attempt ended after its lease; the row is attempted again');
  else if (outcome === 'delivered') log.debug(facts, 'news forwarded');
  else if (outcome === 'gone')
    log.error({ ...facts, hint: `Run: tallyhook forward enable ${target}` }, 'target disabled: it answered 410');
  else if (state === 'dead')
    log.error({ ...facts, hint: `Run: tallyhook outbox show ${webhookId}` }, 'news is a dead letter');
  else log.warn(facts, 'news not forwarded; it is tried again');
}
