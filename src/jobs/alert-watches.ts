import { Heartbeat } from '../alert/heartbeat.ts';
import { ClockWatch } from '../confirm/clock-offset.ts';

/** What is kept from one judgement to the next in a process. */
export class AlertWatches {
  readonly clock = new ClockWatch();
  readonly heartbeat = new Heartbeat();
}
