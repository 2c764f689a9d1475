import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Told } from '../shop/records.ts';
import { webhookOf } from './tell.ts';

/** Ten o'clock in UTC on a day of October 2026. */
export const at = (day: number) => `2026-10-${String(day).padStart(2, '0')}T10:00:00Z`;

/** A record of NGN that succeeded, unless `data` says otherwise: one webhook, and an answer that says the same. */
export function told(kind: RecordKind, reference: string, data: Record<string, unknown>): Told {
  const all = { reference, status: 'success', currency: 'NGN', ...data };
  return { environment: 'test', kind, reference, webhooks: [webhookOf(kind, String(all.status), all)], data: all };
}

/** A collection of 5 October that succeeded. */
export function sale(reference: string, amount: string, fees = '0.00'): Told {
  const times = { created_at: at(5), paid_at: at(5), updated_at: at(5) };
  return told('collection', reference, { amount, requested_amount: amount, fees, ...times });
}
