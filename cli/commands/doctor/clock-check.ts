import type { Config } from '../../../src/config/load.ts';
import { type Examined, ok, skipped, warning } from '../../../src/store/examination.ts';
import { duration } from '../../show/text.ts';
import { connectionFault } from './connection-fault.ts';

/** Offset from the service's clock that is reported, 30 s. Durations never depend on it: they use another clock. */
const OFFSET_WARN_MS = 30_000;
const TIMEOUT_MS = 5_000;

/** Compares this machine's clock with the Date header of a response of the service. */
export async function checkClock({ baseUrl }: Config, { offline }: { offline: boolean }): Promise<Examined> {
  if (offline) return skipped('clock', 'the service was not asked: --offline');
  if (baseUrl === null) return skipped('clock', 'baseUrl is not set, so there is no service to compare with');
  try {
    const startMs = Date.now();
    const response = await fetch(baseUrl, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const middleMs = (startMs + Date.now()) / 2;
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(date)) return skipped('clock', 'the service sent no Date header');
    const offsetMs = Math.abs(middleMs - date);
    const seen = `${duration(offsetMs)} from the service's`;
    // The header has whole seconds: an offset below 1 s means nothing.
    if (offsetMs <= OFFSET_WARN_MS) return ok('clock', seen);
    return warning('clock', seen, 'Set the clock of this machine by NTP.');
  } catch (error) {
    const { what, hint } = connectionFault(error, 'Check baseUrl and the network.');
    return warning('clock', `the service at ${baseUrl} did not answer: ${what}`, hint);
  }
}
