import { DatabaseError, type QueryResultRow } from 'pg';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import { NODE_LIVES_MS } from '../shared-log.ts';
import type { Answer, Connection, Statement } from './connection.ts';
import { mayHaveCommitted, serverFault } from './faults.ts';
import { HEAD, type HeadRow, headOf } from './head.ts';
import { expectSameEntry, type Known, leftLog } from './known.ts';
import { connectToPrimary, type Primary } from './primary.ts';

/** A statement that was still waiting for its commit when its connection was closed. */
interface Abandoned {
  readonly server: string;
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * One connection to the log, opened when it is needed and again after each loss. Each new one is compared with what is known of the log
 * before it is used. Statements run one after the other.
 */
export class Session {
  readonly #order: PostgresOrder;
  readonly #known: Known;
  #connecting: Promise<Connection> | null = null;
  #connection: Connection | null = null;
  #abandoned: Abandoned | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(order: PostgresOrder, known: Known) {
    this.#order = order;
    this.#known = known;
  }

  /** Runs `work` once what was asked for before is done: nothing of others comes between its statements. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * Runs one statement, within `commitMs`.
   *
   * @throws StoreError
   */
  async ask<Row extends QueryResultRow>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const connection = await this.connection();
    const deadline = deadlineOf(this.#order.commitMs);
    try {
      return (await this.run<Row>(connection, statement, values, deadline)).rows;
    } catch (error) {
      throw faultOf(error, connection, deadline);
    } finally {
      deadline.clear();
    }
  }

  /**
   * Runs one statement on `connection`. When the deadline closes it, the next connection first makes sure that the server has ended it.
   *
   * @throws LostConnection, DatabaseError
   */
  async run<Row extends QueryResultRow>(
    connection: Connection,
    statement: Statement,
    values: readonly unknown[],
    { signal }: Deadline,
  ): Promise<Answer<Row>> {
    try {
      return await connection.run<Row>(statement, values, signal);
    } catch (error) {
      if (mayHaveCommitted(error) || isOtherHead(error)) connection.close(); // the next one is compared anew
      if (signal.aborted) this.#abandoned = connection.identity;
      throw error;
    }
  }

  /** A connection that was compared with what is known. @throws StoreError */
  connection(): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new StoreError('closing', 'The log is closed.'));
    if (this.#connection?.isOpen) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await this.#connection?.end();
    this.#connection = null;
  }

  async #connect(): Promise<Connection> {
    const primary = await connectToPrimary(this.#order);
    const { connection } = primary;
    const deadline = deadlineOf(this.#order.connectMs);
    try {
      await this.#compare(primary, deadline);
      if (this.#isClosed) throw new StoreError('closing', 'The log is closed.');
      this.#connection = connection;
      return connection;
    } catch (error) {
      connection.close();
      throw faultOf(error, connection, deadline);
    } finally {
      deadline.clear();
    }
  }

  async #compare({ connection, silent }: Primary, { signal }: Deadline): Promise<void> {
    const place = this.#known.place; // before the log is asked: the other sessions of this thread move it on meanwhile
    const { rows } = await connection.run<HeadRow>(HEAD, [], signal);
    const head = headOf(rows[0], connection.name);
    const mayBeTheOldOne = silent.length > 0 && connection.identity.standbys.trim() === '';
    if (this.#known.isToBeVouchedFor && mayBeTheOldOne && !head.hasLeft) {
      const { rows } = await connection.run<{ isVouchedFor: boolean }>(VOUCHED_FOR, [], signal);
      if (rows[0]?.isVouchedFor !== true) throw mayBeOld(connection.name, silent);
    }
    this.#known.expect(head, place, connection.name);
    if (place !== null && place.seq > 0) {
      const { rows } = await connection.run<{ chain: Buffer }>(CHAIN_AT, [place.seq], signal);
      expectSameEntry(place, rows[0]?.chain ?? null);
    }
    if (this.#abandoned === null) return;
    const { server, pid, startedAt } = this.#abandoned;
    const { rows: waiting } = await connection.run<{ wait: string | null }>(STILL_WAITS, [pid, startedAt], signal);
    const [still] = waiting;
    if (server === connection.identity.server && still !== undefined) {
      const text = `An earlier statement at ${connection.name} has not ended: it waits for ${still.wait ?? 'the disk'}.`;
      throw new StoreError('cluster_unsafe', text, {
        hint: 'If that is SyncRep, connect the replica again, or promote it. Commits go on by themselves then.',
      });
    }
    this.#abandoned = null;
  }
}

const CHAIN_AT: Statement = { name: 'chain', text: 'SELECT chain FROM tallyhook.entries WHERE seq = $1' };
/** Machines with a database know the failovers that they saw, and live on no server from before one. */
const VOUCHED_FOR: Statement = {
  text: `
    SELECT EXISTS (SELECT FROM tallyhook.nodes WHERE carried_out IS NOT NULL AND NOT signed_off
      AND seen_at > greatest(pg_postmaster_start_time(), clock_timestamp() - ${NODE_LIVES_MS} * interval '1 millisecond')) AS "isVouchedFor"`,
};
const STILL_WAITS: Statement = {
  text: 'SELECT wait_event AS wait FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz',
};

/** The log is in another epoch, or was left. */
function isOtherHead(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === 'TH001' || error.code === 'TH002');
}

function mayBeOld(server: string, silent: readonly string[]): StoreError {
  const text = `PostgreSQL at ${server} may be one from before a failover: ${silent.join(', ')} does not answer, it waits for no replica, and no machine with a database lives on its log.`;
  return new StoreError('cluster_unreachable', text, {
    hint: 'Start the server that does not answer, or a machine that has its database. Was it not promoted, take it out of cluster.url. With a replica that is waited for (cluster.replicated) this is never in doubt.',
  });
}

/** What a function of the log refuses, by its own codes. */
function ruleBroken({ code, message }: DatabaseError): StoreError {
  switch (code) {
    case 'TH001':
      return new StoreError('cluster_unreachable', `The log is in ${message} now: it is compared anew.`);
    case 'TH002':
      return leftLog('cluster.url');
    case 'TH003':
      return new StoreError('cluster_refused', `Another node lives: ${message}.`, {
        hint: 'Stop serve on every other machine first, then again after 15 seconds.',
      });
    case 'TH005':
      return new StoreError(
        'cluster_refused',
        `The node ${message}: its books go on alone, and no second one leaves it.`,
        {
          hint: 'Go on with the books of that node. Is it lost for good, with its database: docs/operations.md#leave',
        },
      );
    default:
      return new StoreError('cluster_refused', `A node named ${message} lives already, with a database of its own.`, {
        hint: 'Give this machine another cluster.node, or stop the other one.',
      });
  }
}

export interface Deadline {
  readonly signal: AbortSignal;
  readonly withinMs: number;
  readonly clear: () => void;
}

/** A signal that aborts `withinMs` after the work began, `spentMs` ago. It keeps the process until it is cleared. */
export function deadlineOf(withinMs: number, spentMs = 0): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(0, withinMs - spentMs));
  return { signal: controller.signal, withinMs, clear: () => clearTimeout(timer) };
}

/** The StoreError of what a statement on `connection` ended with. */
export function faultOf(error: unknown, connection: Connection, { signal, withinMs }: Deadline): StoreError {
  if (error instanceof StoreError) return error;
  if (error instanceof DatabaseError && error.code?.startsWith('TH')) return ruleBroken(error);
  return signal.aborted ? tooLate(connection.name, withinMs, error) : serverFault(error, connection.name);
}

/** Resolves as `promise` does, within the deadline. @throws StoreError `cluster_unreachable` */
export function within<Result>(promise: Promise<Result>, { signal, withinMs }: Deadline): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = () => reject(tooLate('cluster.url', withinMs, signal.reason));
    if (signal.aborted) late();
    signal.addEventListener('abort', late, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}

function tooLate(server: string, withinMs: number, cause: unknown): StoreError {
  return new StoreError('cluster_unreachable', `PostgreSQL at ${server} did not answer within ${withinMs} ms.`, {
    hint: 'Is its replica connected, or its disk slow? The limits are cluster.commitMs and cluster.connectMs.',
    cause,
  });
}
