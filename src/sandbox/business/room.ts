import type { World } from '../world/world.ts';
import { refuse } from './refusal.ts';

/** Throws 503 when the sandbox keeps as many collections, refunds and payouts as the setting `recordLimit` allows. */
export function requireRoom({ state, settings }: World): void {
  if (state.collections.size + state.refunds.size + state.payouts.size >= settings.recordLimit) {
    throw refuse(503, 'This sandbox is full. Reset it, or raise recordLimit.');
  }
}
