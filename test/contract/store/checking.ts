import { expect } from 'vitest';
import type { Outcome } from '../../../src/domain/checks/check.ts';
import { RECORD_KINDS, type RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { DueFilter, FinishedCheck, LeasedCheck } from '../../../src/store/checks.ts';
import type { RecordDetail } from '../../../src/store/records.ts';
import { serviceAnswer } from '../../support/service-answer.ts';
import type { Handle } from './handle.ts';

/* What a guarantee does with status checks: through the port, as a sweep does. */

export const LEASE_MS = 60_000;
export const ALL: DueFilter = { kinds: RECORD_KINDS, environments: ['test', 'live'] };

/** A finished check: with a status it is `answered`, else `outcome`. */
export function finished(
  { counter, kind, recordId }: LeasedCheck,
  status: string | null,
  over: Partial<FinishedCheck> & { data?: Record<string, unknown> } = {},
): FinishedCheck {
  const { data, ...more } = over;
  const outcome: Outcome = status === null ? 'unavailable' : 'answered';
  const given = status === null ? null : serviceAnswer(kind, status, data);
  return { counter, kind, recordId, outcome, answer: given, detail: null, ...more };
}

/** Leases checks of what the filter names. */
export async function lease(handle: Handle, filter: Partial<DueFilter> = {}, limit = 100): Promise<LeasedCheck[]> {
  const { checks } = await handle.operations();
  return checks.lease({ filter: { ...ALL, ...filter }, limit, leaseMs: LEASE_MS });
}

/** Leases and finishes the check of one record, due or not. */
export async function check(handle: Handle, reference: string, status: string | null, filter: Partial<DueFilter> = {}) {
  const leased = only(await lease(handle, { ...filter, reference }, 1));
  const { checks } = await handle.operations();
  return only(await checks.finish([finished(leased, status)]));
}

/** The one record with this reference. */
export async function record(handle: Handle, kind: RecordKind, reference: string): Promise<RecordDetail> {
  return only(await (await handle.archive()).record(kind, reference));
}

export function only<One>(list: readonly One[]): One {
  expect(list).toHaveLength(1);
  return list[0] as One;
}

/** Codes of the open findings with their references: `absent R1`. */
export async function openFindings(handle: Handle): Promise<string[]> {
  const found = await (await handle.archive()).findings({}, { limit: 1_000, order: 'oldest' });
  return found.map(({ code, reference }) => `${code} ${reference}`).toSorted();
}
