import { Heartbeat } from '../alert/heartbeat.ts';
import { AlertMemory } from '../alert/memory.ts';
import { ClockWatch } from '../confirm/clock-offset.ts';
import { type Clock, systemClock } from '../time/clock.ts';

/** What is kept from one judgement to the next in a process. */
export class AlertWatches {
  readonly clock = new ClockWatch();
  readonly heartbeat = new Heartbeat();
  /** What was told while the store took no write. */
  readonly memory: AlertMemory;

  constructor(clock: Clock = systemClock) {
    this.memory = new AlertMemory(clock);
  }
}
