import type { Currency, Environment } from '../world/records.ts';
import type { JobTable } from '../world/world.ts';
import { resolvePending } from './collections.ts';
import { finishPayout, reversePayout } from './payouts.ts';
import { settleLot } from './settlement.ts';

/** The function of each kind of job. */
export const JOBS: JobTable = {
  deliver: (world, { webhook = '' }) => world.webhooks.deliver(webhook),
  resolve_collection: (world, { key = '' }) => resolvePending(world, key),
  finish_payout: (world, { key = '' }) => finishPayout(world, key),
  reverse_payout: (world, { key = '' }) => reversePayout(world, key),
  settle_lot: (world, { merchantId = '', environment, currency, lot = '' }) =>
    settleLot(world, { merchantId, environment: environment as Environment, currency: currency as Currency }, lot),
};
