import type { Outage } from '../domain/alerts/outage.ts';
import type { NodeRole } from '../domain/cluster/node-role.ts';

/** What a running `serve` reports of itself, from memory: the database may be unable to keep it. */
export interface ServeReport {
  readonly pid: number;
  /** Names the database that it keeps deliveries in; a copy beside it has another name. Null: it has none yet. */
  readonly database: string | null;
  /** What this process does; a machine alone does everything. */
  readonly roles: readonly NodeRole[];
  /** The present outage, or the latest one; null: none since the start. */
  readonly outage: Outage | null;
  /** The fault of the database for which the log cannot be carried out now; null: none. */
  readonly behindFault: string | null;
}
