import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/load.ts';
import type { Environment } from '../domain/environment.ts';
import type { Client } from '../service/client.ts';
import type { Work } from '../store/operations.ts';
import type { Clock } from '../time/clock.ts';

/** What every job that calls the service is handed; the command line and `serve` build it the same way. */
export interface AskingParts {
  readonly work: Work;
  /** One per environment that has keys. */
  readonly clients: ReadonlyMap<Environment, Client>;
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  /** IANA zone that reads zone-less times (decision 87). */
  readonly zone: string;
  /** Aborted when the process is to stop: what was asked is still written, nothing more is asked. */
  readonly signal: AbortSignal;
  /** Aborted a while after it, and the clients' own: what has not been answered by then is given back unasked. */
  readonly cutOff: AbortSignal;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface AskingOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly cutOff: AbortSignal;
  readonly onWarning: (text: string) => void;
}

export async function askingParts(
  config: Pick<Config, 'service' | 'keyPairs' | 'baseUrl' | 'timeZone'>,
  work: Work,
  { clock, signal, cutOff, onWarning }: AskingOptions,
): Promise<AskingParts> {
  const nowMs = () => clock.nowMs();
  // Only where somebody asks: the client of the service takes some megabytes.
  const { askingClients } = await import('./clients.ts');
  const clients = await askingClients(config, work.confirmations, { nowMs, onWarning, cutOff });
  return { work, clients, clock, random: Math.random, zone: config.timeZone, signal, cutOff, sleep };
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await delay(ms, undefined, { signal }).catch(() => {});
}
