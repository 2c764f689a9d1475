import type { Config } from '../../config/load.ts';
import type { ServeReport } from '../../confirm/serve-report.ts';
import { mayAct } from '../../domain/access/roles.ts';
import { sessionDigest } from '../../domain/access/session.ts';
import { TallyhookError } from '../../domain/error.ts';
import type { Operations } from '../../store/operations.ts';
import type { Clock } from '../../time/clock.ts';
import type { ReadForm } from './body.ts';
import {
  endedSessionPage,
  failurePage,
  firstUserPage,
  notAllowedPage,
  otherTokenPage,
  type SentForm,
  throughPage,
  tooLargePage,
  wrongPage,
} from './failure.ts';
import { refuseUnknown } from './filters.ts';
import { type Guard, ownAddress, ownUrl } from './guard.ts';
import type { KeptArchive } from './kept-archive.ts';
import type { Looking } from './looking.ts';
import type { OwnFiles } from './own-files.ts';
import type { Page } from './page.ts';
import { pageHtml } from './render.ts';
import {
  type Answer,
  type AnyRoute,
  type AsideTools,
  type Context,
  isListening,
  isPage,
  isRedirect,
  type Redirect,
  type Visitor,
} from './route.ts';
import type { Found, Router } from './router.ts';
import { cookiesOf, formToken, isFormToken, type Sessions, sessionCookie, setCookies } from './session.ts';
import type { Works } from './work.ts';
import { FailedWork } from './work-messages.ts';

/** A request as the frame takes it. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly peer: string;
  /** Reads the body: only once everything else is in order. `check` is called with the fields that come before the first file. */
  readonly form: (check: ((fields: URLSearchParams) => boolean) | null) => Promise<ReadForm>;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
  /** The connection stays, and says which regions became old: of the session with this id. */
  readonly listens?: string;
}

export interface FrameParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly router: Router;
  readonly guard: Guard;
  readonly sessions: Sessions;
  readonly archive: KeptArchive;
  /** The operations for the acts of a visitor; null: without a credential. */
  readonly operations: (visitor: Visitor | null) => Operations;
  readonly works: Works;
  readonly looking: Looking;
  readonly serve: () => ServeReport | null;
  readonly own: OwnFiles;
  readonly uploads: string;
  readonly stopping: AbortSignal;
  /** A defect of ours: the page does not show it. */
  readonly onFault: (error: unknown, route: string) => void;
}

/** Answers that wait to be shown, at most: each is shown once. */
const MOST_SAID = 1_000;
/** Fields of one form: five hundred chosen rows, and more. */
export const MOST_FIELDS = 5_000;

/** What every request passes: who it is, whether they may, whether the form is ours; then the screen; then the answer. */
export class Frame {
  readonly #parts: FrameParts;
  /** What was done, by login and the page that it leads to. */
  readonly #said = new Map<string, string>();

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  async answer(request: Request): Promise<Response> {
    const { router, sessions } = this.#parts;
    const own = ownUrl(request.url);
    const url = own ?? new URL('http://dashboard/');
    const cookies = cookiesOf(request.headers.cookie);
    const asked: Asked = { request, url, cookies, visitor: null };
    if (own === null) return this.#page(asked, wrongPage('nowhere'));
    const search = router.find(request.method, url.pathname);
    try {
      const isUse = search.is !== 'found' || search.route.isUse !== false;
      const visitor =
        cookies.session === null
          ? null
          : await (isUse ? sessions.use(cookies.session) : sessions.find(cookies.session));
      const known = { ...asked, visitor };
      if (visitor === null && !(await sessions.hasUsers())) return this.#page(known, firstUserPage());
      if (search.is === 'found') return await this.#found(known, search);
      if (visitor === null) return this.#toLogin(known);
      if (search.is === 'nothing') return this.#page(known, wrongPage('nowhere'));
      const page = this.#page(known, wrongPage('other_method'));
      return { ...page, headers: { ...page.headers, allow: search.allow.join(', ') } };
    } catch (error) {
      const kept = search.is === 'found' ? await this.#unread(asked, search.route) : null;
      return this.#failed(asked, error, kept, url.pathname);
    }
  }

  /** What a form says that does not count and was not read yet; null where there is none to be kept. */
  async #unread({ request }: Asked, route: AnyRoute): Promise<SentForm | null> {
    if (!isKept(route) || !this.#parts.guard.isFromOwnPage(request)) return null;
    const read = await request.form(() => false); // the fields before the first file
    await read.end();
    return { action: request.url, form: read.fields };
  }

  /** Whether a session still is there: what listens for it ends with it, and keeps no session from becoming idle. */
  async isLive(session: string): Promise<boolean> {
    return (await this.#parts.sessions.find(session)) !== null;
  }

  async #found(asked: Asked, { route, params }: Found): Promise<Response> {
    const { guard, config } = this.#parts;
    const { request, url, visitor, cookies } = asked;
    const isForm = route.method === 'POST';
    if (isForm && !guard.isFromOwnPage(request)) return this.#page(asked, wrongPage('foreign'));
    if (visitor === null && !isForm && (route.act !== 'login' || guard.isFromAnotherSite(request)))
      return this.#toLogin(asked);
    if (visitor !== null && !mayAct(visitor.roles, route.act))
      return this.#page(asked, notAllowedPage(route.act, visitor.name, await this.#unread(asked, route)));

    const isTokenRight = (fields: URLSearchParams) =>
      (route.act === 'login' && visitor === null) ||
      (cookies.session !== null && isFormToken(fields.get('token'), cookies.session));
    // Before the login no file is taken, and no form of many parts.
    const read = isForm ? await request.form(route.act === 'login' ? null : isTokenRight) : NO_FORM;
    const sent = isKept(route) ? { action: request.url, form: read.fields } : null;
    try {
      if (read.outcome === 'too_large') return this.#page(asked, tooLargePage(read.limitBytes, sent));
      if (read.outcome === 'unreadable') return this.#page(asked, wrongPage('unreadable', sent));
      if (visitor === null && route.act !== 'login') return this.#page(asked, endedSessionPage(sent));
      if (isForm && !isTokenRight(read.fields)) return this.#page(asked, otherTokenPage(sent));
      if (!isForm && route.act !== 'login') refuseUnknown(route.asks ?? {}, url.searchParams);
      const context: Omit<Context, 'visitor' | 'may'> = {
        ...{ params, query: url.searchParams, form: read.fields, files: read.files, address: request.url, config },
        ...this.#around(asked),
      };
      return await this.#answered(asked, await this.#called(route, asked, context));
    } catch (error) {
      return this.#failed(asked, error, sent, `${route.method} ${route.path}`);
    } finally {
      await read.end();
    }
  }

  #around({
    visitor,
  }: Asked): Omit<Context, 'params' | 'query' | 'form' | 'files' | 'address' | 'config' | 'visitor' | 'may'> {
    const { archive, operations, clock, uploads, stopping, looking, works, serve } = this.#parts;
    return {
      ...{ look: () => looking.look(), works, serve },
      ...{ archive: archive.reading, operations: operations(visitor), clock, nowMs: clock.nowMs(), uploads },
      ...{ progress: () => {}, aside: NOT_HERE, signal: stopping },
    };
  }

  #called(route: AnyRoute, asked: Asked, context: Omit<Context, 'visitor' | 'may'>): Promise<Answer> {
    const { visitor, request, cookies } = asked;
    if (route.act === 'login') {
      const { peer, headers } = request;
      const agent = String(headers['user-agent'] ?? '').slice(0, 512);
      const { publicUrl } = this.#parts.config.dashboard;
      const origin = publicUrl === null ? `http://${headers.host}` : new URL(publicUrl).origin;
      return route.handle({ ...context, visitor, peer, agent, login: cookies.login, origin });
    }
    const known = visitor as Visitor; // without one it was answered above
    if (route.weight === 'aside') return this.#parts.works.begin(route, known, context);
    return route.handle({ ...context, visitor: known, may: (act) => mayAct(known.roles, act) });
  }

  async #answered(asked: Asked, answer: Answer): Promise<Response> {
    const session = answer.session == null ? answer.session : sessionCookie(answer.session, asked.cookies.session);
    if (answer.session?.isSameLogin && asked.visitor !== null)
      this.#parts.works.proved(asked.visitor.login, sessionDigest(answer.session.id));
    const set = setCookies(session, answer.login);
    const cookies = set.length === 0 ? {} : { 'set-cookie': set };
    if (isRedirect(answer)) {
      this.#remember(asked, answer);
      return {
        status: 303,
        headers: { ...cookies, location: answer.isElsewhere === true ? answer.to : ownAddress(answer.to) },
        body: '',
      };
    }
    if (isPage(answer)) {
      // What the page holds is of the session that its answer sets.
      const page = this.#page(session == null ? asked : { ...asked, cookies: { ...asked.cookies, session } }, answer);
      return { ...page, headers: { ...page.headers, ...cookies } };
    }
    if (isListening(answer)) {
      const headers = { 'content-type': 'text/event-stream' };
      return { status: 200, headers, body: '', listens: asked.cookies.session ?? '' };
    }
    const { name, type, bytes } = answer;
    const headers = { ...cookies, 'content-type': type, 'content-disposition': attachment(name) };
    return { status: 200, headers, body: bytes };
  }

  #remember({ visitor }: Asked, { said, to }: Redirect): void {
    if (said === undefined || visitor === null) return;
    if (this.#said.size >= MOST_SAID) this.#said.delete(this.#said.keys().next().value ?? '');
    this.#said.set(saidKey(visitor, ownUrl(to)), said);
  }

  /** A request without a session: to the login, and from there to the page that was asked for. */
  #toLogin(asked: Asked): Response {
    const { guard } = this.#parts;
    const { request, url } = asked;
    // A link from another site: the browser left the cookie away. A page of ours leads on, and then it comes.
    if (guard.isFromAnotherSite(request) && request.method !== 'POST')
      return this.#page(asked, throughPage(ownAddress(request.url)));
    const to = url.pathname === '/' ? '' : `?to=${encodeURIComponent(request.url)}`;
    return { status: 303, headers: { location: `/login${to}` }, body: '' };
  }

  #failed(asked: Asked, error: unknown, sent: SentForm | null, route: string): Response {
    if (error instanceof FailedWork) {
      const { route: of, address, form } = error.asked;
      const kept = of.method === 'POST' ? { action: address, form: new URLSearchParams(form) } : null;
      const from = { ...asked, url: ownUrl(address) ?? asked.url };
      return this.#failed(from, error.why, kept, `${of.method} ${of.path}`);
    }
    const { onFault, archive } = this.#parts;
    if (!(error instanceof TallyhookError)) onFault(error, route);
    archive.afterFailure(error);
    return this.#page(asked, failurePage(error, { sent, path: asked.url.pathname, isKnown: asked.visitor !== null }));
  }

  #page({ request, visitor, cookies, url }: Asked, page: Page): Response {
    const { config, clock, own } = this.#parts;
    const key = visitor === null || request.method === 'POST' ? '' : saidKey(visitor, url);
    const said = this.#said.get(key);
    this.#said.delete(key);
    const html = pageHtml(page, {
      ...{ visitor, token: cookies.session === null ? '' : formToken(cookies.session), path: url.pathname, own, said },
      ...{ zone: config.timeZone, nowMs: clock.nowMs() },
    });
    return { status: page.status ?? 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html };
  }
}

interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly cookies: ReturnType<typeof cookiesOf>;
  readonly visitor: Visitor | null;
}

/** Whether a form of the route is shown again when it did not count: a password and a code are not. */
function isKept({ method, act }: AnyRoute): boolean {
  return method === 'POST' && act !== 'login' && act !== 'me';
}

/** An answer is shown where it leads to, and in no other window. */
function saidKey({ login }: Visitor, url: URL | null): string {
  return `${login} ${url?.pathname}${url?.search}`;
}

/** A route that is `light` is answered in the thread of the pages, and computes nothing that is long. */
const NOT_HERE: AsideTools = {
  runJob: () => Promise.reject(new Error('A job runs in the process of an aside route.')),
  auditVerdict: () => Promise.reject(new Error('The audit is verified in the process of an aside route.')),
};

const NO_FORM: ReadForm = { outcome: 'read', fields: new URLSearchParams(), files: {}, end: async () => {} };

/** A name is ASCII in the first form, which every browser reads, and as it is in the second. */
function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;
}
