import type { Config } from '../config/load.ts';
import type { Outcome } from '../domain/checks/check.ts';
import type { Environment } from '../domain/environment.ts';
import type { RecordKind } from '../domain/records/lifecycle.ts';
import type { Client } from '../service/client.ts';
import type { Operations } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';
import { sleep } from '../time/sleep.ts';

/** The dependencies of sweep and backfill; the command line and `serve` build them the same way. */
/** A status check that has ended, for the log. */
export interface CheckedRecord {
  readonly environment: Environment;
  readonly kind: RecordKind;
  readonly reference: string;
  readonly outcome: Outcome;
  /** The status in the answer; null without a usable one. */
  readonly status: string | null;
}

export interface CheckParts {
  readonly operations: Operations;
  /** One per environment that has keys. */
  readonly clients: ReadonlyMap<Environment, Client>;
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  /** IANA zone that reads zone-less times (decision 87). */
  readonly zone: string;
  /** Aborted when the process is to stop: answers are still written, no further check is sent. */
  readonly signal: AbortSignal;
  /** Aborted some time after `signal`, also for the clients: checks without an answer are released. */
  readonly cutOff: AbortSignal;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called for each check, when its result is with the store. */
  readonly onChecked?: ((checked: CheckedRecord) => void) | undefined;
}

export interface CheckOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly cutOff: AbortSignal;
  readonly onWarning: (text: string) => void;
  readonly onChecked?: CheckParts['onChecked'];
}

export async function checkParts(
  config: Pick<Config, 'service' | 'keyPairs' | 'baseUrl' | 'timeZone'>,
  operations: Operations,
  { clock, signal, cutOff, onWarning, onChecked }: CheckOptions,
): Promise<CheckParts> {
  const nowMs = () => clock.nowMs();
  // Loaded here only: the client of the service takes some megabytes.
  const { checkClients } = await import('./clients.ts');
  const clients = await checkClients(config, operations.checks, { nowMs, onWarning, cutOff });
  return { operations, clients, clock, random: Math.random, zone: config.timeZone, signal, cutOff, sleep, onChecked };
}
