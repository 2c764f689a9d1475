import type { Config } from '../config/load.ts';
import type { RetryRules } from '../domain/forwarding/forward-row.ts';
import { STANDARD_RETRY } from '../domain/forwarding/forward-row.ts';
import { IN_PROCESS_TARGET, rulesOfTarget, type TargetRules } from '../domain/forwarding/forward-target.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { AddressPolicy } from '../http/addresses.ts';

/** How requests to a target rest after failures. */
export interface BreakerRules {
  /** Failures in a row after which the target rests. */
  readonly failures: number;
  readonly restMs: number;
}

/** How a target is served, by HTTP or in the process. */
export interface ServedTarget {
  readonly name: string;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly includeBody: boolean;
  readonly retry: RetryRules;
  readonly breaker: BreakerRules;
}

/** A target that is reached by HTTP. */
export interface HttpTarget extends ServedTarget {
  readonly url: string;
  readonly secrets: readonly Secret[];
  readonly policy: AddressPolicy;
}

type Forwarding = Pick<Config, 'forward'>;

/** The targets of the configuration that are reached by HTTP. */
export function httpTargets({ forward }: Forwarding): HttpTarget[] {
  const { allowHttp, allowPrivate } = forward;
  return forward.targets.map((target) => ({
    ...target,
    policy: { allowHttp: target.allowHttp ?? allowHttp, allowPrivate: target.allowPrivate ?? allowPrivate },
  }));
}

/** What selects the rows of every target, for the store; with `withApp` the application in this process is one. */
export function targetRules({ forward }: Forwarding, { withApp }: { readonly withApp: boolean }): TargetRules[] {
  const rules = forward.targets.map(rulesOfTarget);
  if (!withApp) return rules;
  const { environments, kinds, news } = forward.app;
  return [...rules, { name: IN_PROCESS_TARGET, environments, kinds, when: 'confirmed', news, events: null }];
}

/** The application in this process, as a target. */
export function appTarget({ forward }: Forwarding): ServedTarget {
  const { concurrency, timeoutMs } = forward.app;
  // A call in the same process costs nothing: it never rests.
  const breaker = { failures: Number.POSITIVE_INFINITY, restMs: 0 };
  return { name: IN_PROCESS_TARGET, concurrency, timeoutMs, includeBody: false, retry: STANDARD_RETRY, breaker };
}
