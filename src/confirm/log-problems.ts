import type { SystemState } from '../store/system-state.ts';
import { MINUTE_MS } from '../time/clock.ts';
import type { ClusterView } from './cluster-problems.ts';
import type { Problem } from './problem.ts';
import type { ServeReport } from './serve-report.ts';

/** Deliveries are carried out within milliseconds; restarts and long transactions take less than this. */
const WAITING_MS = MINUTE_MS;

interface LogExpectations {
  readonly serve: ServeReport | null;
  readonly cluster: ClusterView | null;
}

/** What is not well with deliveries that the log acknowledged: they wait, or were set aside. */
export function logProblems(system: SystemState, { serve, cluster }: LogExpectations): Problem[] {
  // Of a log that several machines share, its nodes say how far they are.
  return [...(cluster?.status ? [] : behind(system, serve)), ...setAside(system)];
}

function behind(
  { waiting: { deliveries, sinceMs }, lockHolder, nowMs }: SystemState,
  serve: ServeReport | null,
): Problem[] {
  if (sinceMs === null || nowMs - sinceMs < WAITING_MS) return [];
  // `serve` holds it for each of its own transactions.
  const holder = lockHolder !== null && lockHolder.pid !== serve?.pid ? lockHolder : null;
  return [{ code: 'behind', node: null, deliveries, sinceMs, fault: serve?.behindFault ?? null, holder }];
}

function setAside({ aside: { deliveries, sinceMs } }: SystemState): Problem[] {
  return sinceMs === null ? [] : [{ code: 'aside', deliveries, sinceMs }];
}
