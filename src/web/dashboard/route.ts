import type { Config } from '../../config/load.ts';
import type { Look } from '../../confirm/look.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import type { Credential } from '../../domain/access/proof.ts';
import type { PersonAct, Role } from '../../domain/access/roles.ts';
import type { AuditVerdict } from '../../domain/audit/fault.ts';
import type { JobName } from '../../domain/jobs/job.ts';
import type { Archive } from '../../store/archive.ts';
import type { EndedRun, HeldJob } from '../../store/jobs.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { Filters } from './filters.ts';
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
  readonly act: Exclude<PersonAct, 'login'>;
  /**
   * `light`: bounded by an index at any size of the store, and answered in the dashboard's thread. `aside`: computes for longer, in a
   * process of its own; a page shows the progress, and the answer is fetched when it is done.
   */
  readonly weight: 'light' | 'aside';
  /** What its address may ask behind `?`. Missing: nothing. */
  readonly asks?: Filters;
  /** False: a page asks it by itself, so it does not keep the session of its person from becoming idle. */
  readonly isUse?: false;
  readonly handle: (context: Context) => Promise<Answer>;
}

/** A route of the login: it has no visitor yet, and sets the cookie of a session. */
export interface OpenRoute extends Omit<Route, 'act' | 'weight' | 'handle'> {
  readonly act: 'login';
  readonly weight: 'light';
  readonly handle: (context: OpenContext) => Promise<Answer>;
}

export type AnyRoute = Route | OpenRoute;

const made =
  (method: Route['method'], weight: Route['weight']) =>
  (path: string, act: Route['act'], handle: Route['handle'], asks?: Filters): Route => {
    return { method, path, act, weight, handle, ...(asks !== undefined && { asks }) };
  };
/** Pages, and forms that do something: answered in the dashboard's thread, or computed aside. */
export const lightPage = made('GET', 'light');
export const asidePage = made('GET', 'aside');
export const lightForm = made('POST', 'light');
export const asideForm = made('POST', 'aside');

export type Answer = (Page | Redirect | Download | Listening) & SetCookies;

/** Keeps the connection, and says on it which regions became old. */
export interface Listening {
  readonly listens: true;
}

/** Cookies that an answer sets. A name that is missing leaves the cookie as it is; null takes it away. */
export interface SetCookies {
  /** The session from now on. */
  readonly session?: NewCookie | null;
  /** What a login that takes several pages needs; it comes back from other sites, too, and ends after ten minutes. */
  readonly login?: string | null;
}

export interface NewCookie {
  readonly id: string;
  /** After a fresh proof: the forms that are open in other windows go on. */
  readonly isSameLogin: boolean;
}

/** After a POST: the page that shows what was done. `said` is shown there once. */
export interface Redirect {
  readonly to: string;
  /** To an identity provider: an address of this configuration, never one of a request. */
  readonly isElsewhere?: true;
  readonly said?: string;
}

/** A file, always as an attachment. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array | string;
}

/** What files are to a browser, by their ending. */
export const FILE_TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html; charset=utf-8',
} as const;

/** Who looks at a page. */
export interface Visitor {
  readonly name: string;
  readonly roles: readonly Role[];
  /** When this session last proved who it is, in milliseconds since 1970. */
  readonly provenAtMs: number;
  /** The number of the session, which a fresh proof keeps. */
  readonly login: number;
  /** What proves the acts of this session to the store. */
  readonly credential: Credential;
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
  /** How everything stands, by a look that all sessions share. */
  readonly look: () => Promise<Look>;
  /** What the `serve` beside the dashboard reports; null: it runs in another process, or not at all. */
  readonly serve: () => ServeReport | null;
  /** What is computed aside for this visitor. */
  readonly works: FetchedWorks;
  /** Of an `aside` route: how far it is. */
  readonly progress: (done: number, total: number | null) => void;
  /** What an `aside` route alone may use. */
  readonly aside: AsideTools;
  /** The folder of uploads that outlive one request, of mode 0700; the same in the process of an `aside` route. */
  readonly uploads: string;
  /** Aborted when the visitor, or the dashboard, no longer waits. */
  readonly signal: AbortSignal;
}

/** What takes long, or needs what a page does not have: given by the process of `aside` routes. */
export interface AsideTools {
  /** Runs a job as this visitor, under the same lease as the schedule of `serve`. */
  readonly runJob: (job: JobName) => Promise<JobEnd>;
  /** Compares the whole chain of the audit, and every row that it covers. */
  readonly auditVerdict: () => Promise<AuditVerdict>;
}

/** How a job ended that a person ran, or who runs it. */
export type JobEnd =
  | { readonly held: HeldJob }
  | (Pick<EndedRun, 'outcome' | 'detail'> & {
      readonly tookMs: number;
      /** False: another process had taken it over. */
      readonly accepted: boolean;
    });

/** What was begun aside: its answer or how far it is, and the way to end it. */
export interface FetchedWorks {
  fetch(id: string, visitor: Visitor): Answer;
  file(id: string, visitor: Visitor): Answer;
  stop(id: string, visitor: Visitor): Redirect;
}

/** What a route of the login may use. */
export interface OpenContext extends Omit<Context, 'visitor' | 'may' | 'operations'> {
  /** The operations without a credential: what a login writes proves itself. */
  readonly operations: Operations;
  /** The visitor of the session that the browser has already; null: none. */
  readonly visitor: Visitor | null;
  /** The address of the browser, or of the proxy that is not in `dashboard.trustProxy`. */
  readonly peer: string;
  /** What the browser calls itself: a text of a stranger. */
  readonly agent: string;
  /** The value of the cookie of the login, as set by an answer before. */
  readonly login: string | null;
  /** Where this dashboard is reached, without a slash at the end: for the way back from an identity provider. */
  readonly origin: string;
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

export function isDownload(answer: Answer): answer is Download & SetCookies {
  return 'bytes' in answer;
}

export function isListening(answer: Answer): answer is Listening & SetCookies {
  return 'listens' in answer;
}

export function isRedirect(answer: Answer): answer is Redirect {
  return 'to' in answer;
}
