import { type ChildProcess, fork } from 'node:child_process';
import type { Config } from '../../config/load.ts';
import { plain } from '../../config/plain.ts';
import { mayAct, type PersonAct } from '../../domain/access/roles.ts';
import { TallyhookError } from '../../domain/error.ts';
import { HOUR_MS, MINUTE_MS } from '../../time/clock.ts';
import {
  type Answer,
  type Context,
  type FetchedWorks,
  isDownload,
  type Redirect,
  type Route,
  type Visitor,
} from './route.ts';
import { filePage, progressPage } from './tasks.ts';
import { FailedWork, type FromWork, failureOf, type ToWork, type WorkOrder } from './work-messages.ts';

/*
 * Routes that compute for longer than a page may take run in a process of their own: a statement of the database cannot be interrupted, and
 * one that takes long would hold every other page. The visitor sees how far it is, and fetches the answer once it is there.
 */

/**
 * Processes at a time, in each lane: one that computes takes a core, and receiving must keep one. Jobs have a lane of their own: a sweep waits for
 * the service for an hour, and keeps no report waiting.
 */
const MOST_AT_ONCE = 1;
/** Works that wait or run; beyond it a new one is refused. */
const MOST_WORKS = 20;
/** Answers that wait to be fetched; beyond it the oldest is dropped. */
const MOST_KEPT = 10;
/** Of one visitor. */
const MOST_OF_ONE = 3;
/** An answer that is not fetched for this long is dropped. */
const KEPT_MS = 15 * MINUTE_MS;
/** A process that takes longer is killed. */
const LONGEST_MS = HOUR_MS;
/** Time in which a work that was stopped may end in order; then its process is killed. */
const STOP_MS = 5_000;
/** An answer that is there this soon is given at once, in milliseconds. */
const AT_ONCE_MS = 1_200;

interface Work {
  readonly id: string;
  readonly owner: string;
  readonly act: PersonAct;
  /** As the session of the visitor stands: a fresh proof gives it another credential. */
  order: WorkOrder;
  readonly startedAtMs: number;
  readonly ended: PromiseWithResolvers<void>;
  isBegun: boolean;
  child: ChildProcess | null;
  progress: { readonly done: number; readonly total: number | null };
  result: Answer | Error | null;
  endedAtMs: number | null;
}

export interface WorksParts {
  readonly config: Config;
  readonly nowMs: () => number;
  /** A name that cannot be guessed. */
  readonly newId: () => string;
  /** What the process runs. */
  readonly file: URL;
  /** The visitor as the session stands now; null: it has ended. */
  readonly standing: (visitor: Visitor) => Promise<Visitor | null>;
}

export class Works implements FetchedWorks {
  readonly #parts: WorksParts;
  readonly #works = new Map<string, Work>();

  constructor(parts: WorksParts) {
    this.#parts = parts;
  }

  /** Starts the route in a process of its own, and leads to where its answer will be. */
  async begin(route: Route, visitor: Visitor, context: Omit<Context, 'visitor' | 'may'>): Promise<Answer> {
    this.#forget();
    const open = [...this.#works.values()].filter(({ endedAtMs }) => endedAtMs === null);
    const own = open.filter(({ owner }) => owner === visitor.name);
    if (own.length >= MOST_OF_ONE || open.length >= MOST_WORKS) throw tooMany();
    const { params, query, form, files, address, uploads } = context;
    const work: Work = {
      ...{
        id: this.#parts.newId(),
        owner: visitor.name,
        act: route.act,
        startedAtMs: this.#parts.nowMs(),
        endedAtMs: null,
      },
      order: {
        ...{ route: { method: route.method, path: route.path }, visitor, params, files, address, uploads },
        ...{ query: query.toString(), form: form.toString(), config: plain(this.#parts.config) },
      },
      ...{
        ended: Promise.withResolvers<void>(),
        isBegun: false,
        child: null,
        progress: { done: 0, total: null },
        result: null,
      },
    };
    this.#works.set(work.id, work);
    this.#startNext();
    const soon = Promise.withResolvers<void>();
    const timer = setTimeout(soon.resolve, AT_ONCE_MS);
    await Promise.race([work.ended.promise, soon.promise]);
    clearTimeout(timer);
    if (work.result === null) return { to: `/tasks/${work.id}` };
    this.#works.delete(work.id); // it is given here, and not asked for again
    return this.#fetched(work);
  }

  /** The answer of a work, or a page that says how far it is. */
  fetch(id: string, visitor: Visitor): Answer {
    const work = this.#of(id, visitor);
    if (work.result === null) return progressPage(work, this.#waitingBefore(work));
    const answer = this.#fetched(work);
    return isDownload(answer) ? filePage(id, answer) : answer;
  }

  /** The file that a work ended with; before it ended, the way to its page. */
  file(id: string, visitor: Visitor): Answer {
    const work = this.#of(id, visitor);
    return work.result === null ? { to: `/tasks/${id}` } : this.#fetched(work);
  }

  /** Ends a work before it has an answer. What it had written whole stays. */
  stop(id: string, visitor: Visitor): Redirect {
    const work = this.#of(id, visitor);
    const { child } = work;
    const stopped = new TallyhookError('It was stopped before it was done.', {
      kind: 'failed',
      hint: 'Begin it again.',
    });
    work.child = null; // it may end in order
    this.#end(work, stopped);
    if (child !== null) end(child);
    this.#works.delete(id);
    return { to: '/', said: 'Stopped. What was written whole before stays.' };
  }

  /** The session with this number goes on under another credential, and so does what it began. */
  proved(login: number, digest: string): void {
    for (const work of this.#works.values()) {
      const { visitor } = work.order;
      if (work.endedAtMs !== null || visitor.login !== login) continue;
      work.order = { ...work.order, visitor: { ...visitor, credential: { kind: 'session', digest } } };
      if (work.child !== null) send(work.child, { type: 'proved', digest });
    }
  }

  close(): void {
    for (const work of this.#works.values())
      if (work.endedAtMs === null) this.#end(work, cutShort('the end of the dashboard'));
    this.#works.clear();
  }

  /** @throws TallyhookError when there is none, or it is of another person */
  #of(id: string, visitor: Visitor): Work {
    this.#forget();
    const work = this.#works.get(id);
    // A role that was taken meanwhile opens nothing that was computed for it.
    if (work !== undefined && work.owner === visitor.name && mayAct(visitor.roles, work.act)) return work;
    throw new TallyhookError('This work is not there any more, or is of another person.', {
      kind: 'not_found',
      hint: 'Answers are kept for 15 minutes. Go to the screen, and begin it again.',
    });
  }

  #fetched(work: Work): Answer {
    const { result } = work;
    if (result instanceof Error) {
      this.#works.delete(work.id);
      throw new FailedWork(result, work.order);
    }
    return result as Answer;
  }

  #waitingBefore(work: Work): number {
    const waiting = [...this.#works.values()].filter(
      (one) => one.endedAtMs === null && !one.isBegun && isOfJobs(one) === isOfJobs(work),
    );
    return waiting.indexOf(work) + 1;
  }

  #startNext(): void {
    for (const isJob of [false, true]) {
      const works = [...this.#works.values()].filter((work) => work.endedAtMs === null && isOfJobs(work) === isJob);
      const next = works.find(({ isBegun }) => !isBegun);
      const running = works.filter(({ isBegun }) => isBegun).length;
      if (next === undefined || running >= MOST_AT_ONCE) continue;
      next.isBegun = true;
      this.#start(next).catch((error) => this.#end(next, error));
    }
  }

  /** It may have waited for an hour: who lost the session or the role meanwhile begins nothing. */
  async #start(work: Work): Promise<void> {
    const asked = work.order.visitor;
    const visitor = await this.#parts.standing(asked);
    if (work.endedAtMs !== null) return;
    if (work.order.visitor !== asked) return this.#start(work); // a fresh proof came between
    if (visitor === null || !mayAct(visitor.roles, work.act)) throw takenMeanwhile(asked);
    work.order = { ...work.order, visitor };
    const child = fork(this.#parts.file, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    work.child = child;
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    child.on('message', (message: FromWork) => {
      if (message.type === 'progress') work.progress = { done: message.done, total: message.total };
      else if (message.type === 'answer') this.#end(work, message.answer);
      else this.#end(work, failureOf(message));
    });
    child.on('error', () => {});
    child.once('close', (code, signal) => {
      clearTimeout(late);
      this.#end(work, cutShort(signal ?? `code ${code}`));
    });
    send(child, { type: 'begin', order: work.order });
  }

  /** The first end counts. */
  #end(work: Work, result: Answer | Error): void {
    if (work.endedAtMs !== null) return;
    work.endedAtMs = this.#parts.nowMs();
    work.result = result;
    work.child?.kill('SIGKILL');
    work.ended.resolve();
    this.#startNext();
  }

  /** Drops answers that were not fetched: the old ones, and the oldest of more than are kept. */
  #forget(): void {
    const before = this.#parts.nowMs() - KEPT_MS;
    const ended = [...this.#works.values()].filter(({ endedAtMs }) => endedAtMs !== null);
    const tooMany = ended.length - MOST_KEPT;
    for (const [at, { id, endedAtMs }] of ended.entries())
      if (at < tooMany || (endedAtMs ?? 0) < before) this.#works.delete(id);
  }
}

function isOfJobs({ act }: Work): boolean {
  return act === 'job.run';
}

/** Asks a process to end in order, and kills it when it does not. */
function end(child: ChildProcess): void {
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.once('close', () => clearTimeout(late));
  send(child, { type: 'stop' });
}

/** That the process is gone is seen by its close. */
function send(child: ChildProcess, message: ToWork): void {
  if (child.connected) child.send(message, () => {});
}

function cutShort(how: string): TallyhookError {
  return new TallyhookError(`The process of this work ended with ${how} before it was done.`, {
    kind: 'failed',
    hint: 'What it had written whole stays. Begin it again; if it ends so again, use the command line.',
  });
}

function takenMeanwhile({ name }: Visitor): TallyhookError {
  return new TallyhookError(
    `The session of ${name} ended, or lost its role, before this was begun: nothing was done.`,
    {
      kind: 'unauthorized',
      hint: 'Log in again, and begin it again.',
    },
  );
}

function tooMany(): TallyhookError {
  return new TallyhookError('Too much is computed at the moment.', {
    kind: 'unavailable',
    hint: 'Fetch or stop what is under way, and send it again in a minute.',
  });
}
