import { resolvePending } from '../business/collections.ts';
import { finishPayout, reversePayout } from '../business/payouts.ts';
import type { Currency, Environment } from '../business/records.ts';
import { settleLot } from '../business/settlement.ts';
import type { Job } from './job-heap.ts';
import type { World } from './world.ts';

/** Does what a job says. Every job checks for itself that what it was meant for still holds. */
export function runJob(world: World, { kind, data }: Job): void {
  const { key = '' } = data;
  switch (kind) {
    case 'deliver':
      world.webhooks.deliver(data.webhook ?? '');
      break;
    case 'resolve_collection':
      resolvePending(world, key);
      break;
    case 'finish_payout':
      finishPayout(world, key);
      break;
    case 'reverse_payout':
      reversePayout(world, key);
      break;
    case 'settle_lot': {
      const { merchantId = '', environment, currency, lot = '' } = data;
      const holder = { merchantId, environment: environment as Environment, currency: currency as Currency };
      settleLot(world, holder, lot);
      break;
    }
  }
}
