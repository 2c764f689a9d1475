import type { Job } from '../world/job.ts';
import type { Currency, Environment } from '../world/records.ts';
import type { JobTable } from '../world/world.ts';
import { payBatch } from './batches.ts';
import { resolvePending } from './collections.ts';
import type { Holder } from './ledger.ts';
import { finishPayout, reversePayout } from './payouts.ts';
import { settleLot } from './settlement.ts';

/** The function of each kind of job. */
export const JOBS: JobTable = {
  deliver: (world, { webhook = '' }) => world.webhooks.deliver(webhook),
  resolve_collection: (world, { key = '' }) => resolvePending(world, key),
  finish_payout: (world, { key = '' }) => finishPayout(world, key),
  reverse_payout: (world, { key = '' }) => reversePayout(world, key),
  settle_lot: (world, { lot = '', ...data }) => settleLot(world, holderOf(data), lot),
  pay_batch: (world, data) => payBatch(world, holderOf(data)),
};

function holderOf({ merchantId = '', environment, currency }: Job['data']): Holder {
  return { merchantId, environment: environment as Environment, currency: currency as Currency };
}
