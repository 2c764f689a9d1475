import { z } from 'zod';
import { overlappingRules } from '../../domain/money/fee-schedule.ts';
import type { BrokenRule } from '../settings-file/schema-problems.ts';
import { money, spanShape } from './schedule-schema.ts';

const span = z.object(spanShape);
const limits = z.object({ minimum: money(), cap: money() });

/** Returns what contradicts itself in a fee schedule: its rules one by one, and two rules that share a day. */
export function scheduleRules(schedule: readonly unknown[]): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const spans = schedule.flatMap((written, place) => {
    const parsed = span.safeParse(written);
    return parsed.success ? [{ ...parsed.data, written: place }] : [];
  });
  for (const { from, to, written } of spans) {
    if (to !== null && to < from) {
      broken.push({ path: ['schedule', written, 'to'], rule: `must not be before from (${from})` });
    }
  }
  for (const [place, written] of schedule.entries()) {
    const parsed = limits.safeParse(written);
    if (parsed.success && parsed.data.minimum > parsed.data.cap) {
      broken.push({ path: ['schedule', place, 'minimum'], rule: 'must not be more than cap' });
    }
  }
  for (const { first, second } of overlappingRules(spans)) {
    const [one, other] = [spans[first], spans[second]];
    if (one === undefined || other === undefined) continue;
    const { kind, channel, currency } = other;
    const rule = `shares days with schedule[${one.written}] (${kind}, ${channel ?? 'every channel'}, ${currency}): each day has one rule`;
    broken.push({ path: ['schedule', other.written], rule });
  }
  return broken;
}
