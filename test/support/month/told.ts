import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Told } from './fill.ts';
import { statusPathOf, webhookOf } from './tell.ts';

/** Ten o'clock in UTC on a day of October 2026. */
export const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T10:00:00Z`;

/** A record of NGN that succeeded, unless `data` says otherwise: one webhook, and an answer that says the same. */
export function told(kind: RecordKind, reference: string, data: Record<string, unknown>): Told {
  const all = { reference, status: 'success', currency: 'NGN', ...data };
  return {
    environment: 'test',
    webhooks: [webhookOf(kind, String(all.status), all)],
    path: statusPathOf({ kind, reference }),
    answer: { success: true, data: all },
  };
}
