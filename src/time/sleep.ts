import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `ms`, or at once when the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await delay(ms, undefined, { signal }).catch(() => {});
}
