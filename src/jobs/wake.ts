import { type ScheduledTask, schedule } from 'node-cron';
import { type Clock, MINUTE_MS } from '../time/clock.ts';

export interface Wake {
  stop(): void;
}

/**
 * Calls `onMinute` on every whole minute, by node-cron. Each cron task is for one minute: a repeating task walks through every
 * minute that a clock has jumped over, and 400 days take it 38 seconds and half a gigabyte (measured). After the clock is set
 * back node-cron sleeps until it has caught up, so a timer without a clock calls `work` as well.
 */
export function wakeEveryMinute(onMinute: () => void, clock: Clock): Wake {
  let task: ScheduledTask | null = null;
  const set = () => {
    task?.destroy();
    const next = new Date((Math.floor(clock.nowMs() / MINUTE_MS) + 1) * MINUTE_MS);
    const [minute, hour] = [next.getUTCMinutes(), next.getUTCHours()];
    const [day, month] = [next.getUTCDate(), next.getUTCMonth() + 1];
    task = schedule(`0 ${minute} ${hour} ${day} ${month} *`, ring, {
      timezone: 'UTC',
      missedExecutionTolerance: MINUTE_MS,
      suppressMissedWarning: true,
    });
  };
  const ring = () => {
    set();
    onMinute();
  };
  const timer = setInterval(ring, MINUTE_MS);
  set();
  return {
    stop() {
      clearInterval(timer);
      task?.destroy();
    },
  };
}
