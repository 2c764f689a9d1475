import type { Config } from '../../config/load.ts';
import type { PersonAct, Role } from '../../domain/access/roles.ts';
import type { Archive } from '../../store/archive.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { Page } from './page.ts';

/*
 * A route of the dashboard: an address, who may use it, and what answers. Each file of `screens/` exports a list of them. The router
 * (`router.ts`) checks the session, the role and the token of the form before it calls `handle`, so no screen does.
 */

export interface Route {
  readonly method: 'GET' | 'POST';
  /** `/records/:kind/:reference`. A parameter is decoded, and never empty. */
  readonly path: string;
  /** A row of the table of `domain/access/roles.ts`: the roles that may. */
  readonly act: PersonAct;
  /**
   * `light`: bounded by an index at any size of the store, and answered in the dashboard's thread. `aside`: computes for longer, in a
   * process of its own; a page shows the progress, and the answer is fetched when it is done.
   */
  readonly weight: 'light' | 'aside';
  readonly handle: (context: Context) => Promise<Answer>;
}

export type Answer = Page | Redirect | Download;

/** After a POST: the page that shows what was done. `said` is shown there once. */
export interface Redirect {
  readonly to: string;
  readonly said?: string;
}

/** A file, always as an attachment. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

/** Who looks at a page. */
export interface Visitor {
  readonly name: string;
  readonly roles: readonly Role[];
  /** When this session last proved who it is, in milliseconds since 1970. */
  readonly provenAtMs: number;
  /** What proves the acts of this session to the store: the digest of its id. */
  readonly credential: string;
}

/** Everything that a screen may use. It reads no clock, file or environment of its own. */
export interface Context {
  readonly visitor: Visitor;
  /** Whether the visitor has a role for this act: a page shows no button that would be refused. */
  readonly may: (act: PersonAct) => boolean;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** What the address says behind `?`. */
  readonly query: URLSearchParams;
  /** The fields of a POST. Empty for a GET. */
  readonly form: URLSearchParams;
  /** Files of a POST, by the name of their field: at the end of the answer they are deleted. */
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly archive: Archive;
  /** The operations as acts of this visitor. */
  readonly operations: Operations;
  readonly clock: Clock;
  readonly nowMs: number;
  readonly config: Config;
  /** The path of this request with its query, for a form that comes back to it. */
  readonly address: string;
  /** Of an `aside` route: how far it is. */
  readonly progress: (done: number, total: number | null) => void;
  /** The folder of uploads that outlive one request, of mode 0700; the same in the process of an `aside` route. */
  readonly uploads: string;
  /** Aborted when the visitor, or the dashboard, no longer waits. */
  readonly signal: AbortSignal;
}

export interface UploadedFile {
  /** As the browser names it: a text of a stranger. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export function isPage(answer: Answer): answer is Page {
  return 'blocks' in answer;
}

export function isRedirect(answer: Answer): answer is Redirect {
  return 'to' in answer;
}
