import { setTimeout as delay } from 'node:timers/promises';
import { startForwarding } from '../../src/forward/host.ts';
import { openStore } from '../../src/store/open.ts';
import { systemClock } from '../../src/time/clock.ts';
import type { Workplace } from '../workplace.ts';
import { deliveryOf } from './events.ts';
import { type Application, forwardConfig, silentLog, startApplication } from './targets.ts';

// How fast kept events are carried out, without a target and with one that gets each of them.

const GROUP = 1_000;

/** Returns events carried out per second, while as many as possible are kept and a forwarder runs. */
export async function measureCarryingOut(
  workplace: Workplace,
  withTarget: boolean,
  events: number,
  name: string,
): Promise<number> {
  const path = workplace.path(name);
  const application: Application = await startApplication(0);
  const config = forwardConfig(withTarget ? [{ name: 'shop', url: application.url }] : []);
  let carried = 0;
  const all = Promise.withResolvers<void>();
  const inbox = await openStore(path).inbox({
    limit: 10 * GROUP,
    onFatal: all.reject,
    onCarriedOut({ kept }) {
      carried += kept.new;
      if (carried === events) all.resolve();
    },
    onNews: () => forwarding.wake(),
  });
  const { operations, connectOperations } = inbox;
  const forwarding = await startForwarding(config, { operations, connectOperations, log: silentLog });
  const startedMs = performance.now();
  for (let first = 0; first < events; first += GROUP) {
    const group = Array.from({ length: GROUP }, (_, n) => deliveryOf(first + n, systemClock.nowMs()));
    await Promise.all(group.map((one) => inbox.keep(one)));
  }
  await all.promise;
  const perSecond = events / ((performance.now() - startedMs) / 1_000);
  await delay(100);
  await forwarding.stop(1_000);
  await inbox.close();
  await application.close();
  return perSecond;
}
