import type { Secret } from '../domain/secrets/secret.ts';
import type { Clock } from '../time/clock.ts';
import { MINUTE_MS } from '../time/clock.ts';

/** Fetches the URL of a watcher outside, which alerts when it is not fetched. */
export class Heartbeat {
  #beatAtMs = Number.NEGATIVE_INFINITY;

  /** Fetches it when it is time; returns why it failed, or null. A failed one is tried again at the next call. */
  async beat(
    { url, everyMinutes }: { readonly url: Secret; readonly everyMinutes: number },
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<string | null> {
    const nowMs = clock.nowMs();
    // Half a minute early: the calls come every minute, and not to the millisecond.
    const isDue = Math.abs(nowMs - this.#beatAtMs) >= everyMinutes * MINUTE_MS - MINUTE_MS / 2;
    if (!isDue) return null;
    try {
      const { sendOut } = await import('./outgoing.ts'); // loaded only where a watcher is configured
      await sendOut(url, { method: 'GET', signal });
      this.#beatAtMs = nowMs;
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}
