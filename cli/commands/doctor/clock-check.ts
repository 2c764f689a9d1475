import type { Config } from '../../../src/config/load.ts';
import { clockOffsetMs, isClockOff } from '../../../src/confirm/clock-offset.ts';
import { type Examined, ok, skipped, warning } from '../../../src/store/examination.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { duration } from '../../show/text.ts';
import { connectionFault } from './connection-fault.ts';

/** Compares this machine's clock with the Date header of a response of the service. */
export async function checkClock({ baseUrl }: Config, { offline }: { offline: boolean }): Promise<Examined> {
  if (offline) return skipped('clock', 'the service was not asked: --offline');
  if (baseUrl === null) return skipped('clock', 'baseUrl is not set, so there is no service to compare with');
  try {
    const offsetMs = await clockOffsetMs(baseUrl, systemClock);
    if (offsetMs === null) return skipped('clock', 'the service sent no Date header');
    const seen = `${duration(Math.abs(offsetMs))} from the service's`;
    if (!isClockOff(offsetMs)) return ok('clock', seen);
    return warning('clock', seen, 'Set the clock of this machine by NTP.');
  } catch (error) {
    const { what, hint } = connectionFault(error, 'Check baseUrl and the network.');
    return warning('clock', `the service at ${baseUrl} did not answer: ${what}`, hint);
  }
}
