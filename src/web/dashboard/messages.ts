import type { Config } from '../../config/load.ts';
import type { Plain } from '../../config/plain.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import type { OperationsChannel } from '../../store/operations-channel.ts';

// Messages between the main thread and the dashboard's thread.

/** The worker data of the dashboard's thread. */
export interface DashboardData {
  readonly config: Plain<Config>;
  readonly port: OperationsChannel;
  /** The address of what the process of an `aside` route runs. */
  readonly workFile: string;
  /** Null: this process receives nothing. */
  readonly report: ServeReport | null;
}

export type ToDashboard =
  /** What `serve` knows of itself changed. */
  | { readonly type: 'report'; readonly report: ServeReport }
  /** Answer what was asked, and exit. */
  | { readonly type: 'stop'; readonly graceMs: number };

export type FromDashboard =
  | { readonly type: 'listening'; readonly url: string }
  /** It cannot listen there: the port is in use, or there is no such address. */
  | { readonly type: 'not_listening'; readonly code: string }
  | { readonly type: 'fault'; readonly doing: string; readonly message: string };
