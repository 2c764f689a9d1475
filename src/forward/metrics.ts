import { Counter, Gauge, type Registry } from 'prom-client';
import { ATTEMPT_OUTCOMES, SHOWN_ROW_STATES } from '../domain/forwarding/forward-row.ts';
import type { KnownTarget } from '../store/outbox.ts';
import type { Clock } from '../time/clock.ts';
import type { Forwarded } from './forwarder.ts';

/** Rows that were delivered are counted as forwards, and pruned. */
const STATES = SHOWN_ROW_STATES.filter((state) => state !== 'delivered');

/**
 * The metrics of forwarding: attempts of this process, and how far each target is in any process. `names` are the targets that
 * this process serves; each has all its labels from the start, at 0.
 */
export function forwardMetrics(registry: Registry, names: readonly string[], clock: Clock) {
  const registers = [registry];
  let known: readonly Pick<KnownTarget, 'name' | 'present' | 'states' | 'oldestOpenAtMs'>[] = [];

  const forwards = new Counter({
    name: 'tallyhook_forwards_total',
    help: 'Attempts to hand news on that ended in this process, by outcome.',
    labelNames: ['target', 'outcome'],
    registers,
  });
  for (const target of names) for (const outcome of ATTEMPT_OUTCOMES) forwards.inc({ target, outcome }, 0);
  new Gauge({
    name: 'tallyhook_forward_rows',
    help: 'Rows of the outbox, by state, without those that were delivered.',
    labelNames: ['target', 'state'],
    registers,
    collect() {
      this.reset();
      for (const target of new Set([...names, ...known.map(({ name }) => name)])) {
        const states = known.find(({ name }) => name === target)?.states ?? {};
        for (const state of STATES) this.set({ target, state }, states[state] ?? 0);
      }
    },
  });
  new Gauge({
    name: 'tallyhook_forward_waiting_seconds',
    help: 'Age of the oldest news that a target has not taken yet; 0 when there is none.',
    labelNames: ['target'],
    registers,
    collect() {
      this.reset();
      for (const target of names) this.set({ target }, 0);
      for (const { name: target, present, oldestOpenAtMs } of known) {
        if (!present) continue; // its rows are orphaned: they wait for a person
        this.set({ target }, oldestOpenAtMs === null ? 0 : Math.max(0, clock.nowMs() - oldestOpenAtMs) / 1_000);
      }
    },
  });

  return {
    /** Counts an attempt; one that ended after its lease counts as lost, with every response. */
    forwarded({ row: { target }, outcome, state }: Pick<Forwarded, 'row' | 'outcome' | 'state'>): void {
      forwards.inc({ target, outcome: state === null ? 'lost' : outcome });
    },
    /** Takes over how far the targets were at the latest look. */
    setTargets(targets: typeof known): void {
      known = targets;
    },
  };
}
