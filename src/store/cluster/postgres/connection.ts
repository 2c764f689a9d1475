import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity } from 'node:tls';
import { Client, DatabaseError, type QueryResultRow, types } from 'pg';
import type { ServerAddress, ServerHost } from '../../../domain/cluster/server-address.ts';
import type { PostgresOrder } from '../../cluster-options.ts';
import { StoreError } from '../../error.ts';
import { LostConnection, OLDEST_SERVER, serverFault } from './faults.ts';

/** `bigint`, and lists of it, are read as `double precision`: numbers of the log stay far below 2^53. */
const READ_AS: ReadonlyMap<number, number> = new Map([
  [20, 701],
  [1016, 1022],
]);

/** A statement; one with a name is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface Answer<Row> {
  readonly rows: Row[];
  /** Warnings that came before the server was ready again: after the commit, too. */
  readonly warnings: readonly string[];
}

/** The server at the other end, as it says itself. */
export interface ServerIdentity {
  readonly server: string;
  /** Null while it is a replica. */
  readonly timeline: number | null;
  /** The process of this connection on the server. */
  readonly pid: number;
  readonly startedAt: string;
  /** Its settings when the connection was opened: fsync, and the replicas that commits wait for. */
  readonly flush: string;
  readonly standbys: string;
}

/** One connection to one server, for one statement at a time. */
export class Connection {
  readonly host: ServerHost;
  readonly #client: Client;
  readonly #socket: Socket;
  #identity: ServerIdentity | null = null;
  #warnings: string[] = [];
  #isOpen = true;

  private constructor(host: ServerHost, { role, database, password }: ServerAddress, order: PostgresOrder) {
    this.host = host;
    this.#socket = new Socket();
    this.#client = new Client({
      host: host.host,
      port: host.port,
      user: role,
      database,
      password: () => order.password ?? password ?? noPassword(nameOf(host)),
      ssl: host.isEncrypted && { ...tlsOf(host), ...(order.ca !== null && { ca: order.ca }) },
      application_name: 'tallyhook',
      keepAlive: true,
      types: { getTypeParser: (oid, format) => types.getTypeParser(READ_AS.get(oid) ?? oid, format) },
      stream: () => this.#socket,
    });
    // Also of an idle connection: without this the process would end.
    this.#client.on('error', () => this.close());
    this.#client.on('end', () => this.close());
    this.#client.on('notice', ({ severity, code, message }) => {
      if (severity === 'WARNING' || code === '01000') this.#warnings.push(message ?? 'a warning');
    });
  }

  /**
   * Connects, asks the server what it is, and sets what commits depend on.
   *
   * @throws StoreError
   */
  static async open(host: ServerHost, address: ServerAddress, order: PostgresOrder): Promise<Connection> {
    const connection = new Connection(host, address, order);
    const silent = setTimeout(() => connection.close(), order.connectMs);
    try {
      await connection.#client.connect();
      await connection.#introduce();
      return connection;
    } catch (error) {
      const isSilent = !connection.#isOpen && !(error instanceof StoreError);
      connection.close();
      const cause = isSilent ? new Error(`no answer within ${order.connectMs} ms (cluster.connectMs)`) : error;
      throw serverFault(cause, nameOf(host));
    } finally {
      clearTimeout(silent);
    }
  }

  get name(): string {
    return nameOf(this.host);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get identity(): ServerIdentity {
    if (this.#identity === null) throw new Error('The server was not asked yet.');
    return this.#identity;
  }

  /** The process that the server said this connection has; a pooler says another one than that which runs the statements. */
  get announcedPid(): number | null {
    return (this.#client as { readonly processID?: number | null }).processID ?? null;
  }

  /**
   * Runs one statement in a transaction of its own, and resolves once that is committed.
   *
   * @throws LostConnection when the connection is lost, or `signal` closed it; DatabaseError of the server
   */
  async run<Row extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    signal: AbortSignal,
  ): Promise<Answer<Row>> {
    if (!this.#isOpen) throw new LostConnection('the connection is closed');
    this.#warnings = [];
    const close = () => this.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      signal.throwIfAborted();
      const { rows } = await this.#client.query<Row>({ ...statement, values: [...values] });
      return { rows, warnings: this.#warnings };
    } catch (error) {
      if (this.#isOpen) throw error;
      throw new LostConnection((error as Error).message, { cause: error });
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  /** Closes the socket at once, also under a statement: the server ends no wait of ours. */
  close(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  /** Takes leave of the server. Nothing may be under way. */
  async end(): Promise<void> {
    // A host that is gone answers nothing, for as long as TCP tries.
    if (this.#isOpen) await Promise.race([this.#client.end(), pause(LEAVE_MS, undefined, { ref: false })]);
    this.close();
  }

  async #introduce(): Promise<void> {
    await this.#withoutTimeout();
    const { rows } = await this.#client.query<{ version: number }>(VERSION);
    const version = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (version < OLDEST_SERVER) {
      throw new StoreError('cluster_refused', `PostgreSQL at ${this.name} is version ${version}.`, {
        hint: `The log needs PostgreSQL ${OLDEST_SERVER} or newer.`,
      });
    }
    await this.#client.query(SETTINGS);
    await this.#client.query(NOTICE_LOSS).catch(() => {}); // a system without it: the wait for a lock then outlives us
    const { rows: identities } = await this.#client.query<ServerIdentity>(IDENTITY);
    this.#identity = identities[0] ?? null;
  }

  /** The default of a role may be so short that it ends also the statement that takes it off: again, until `connectMs` closes this. */
  async #withoutTimeout(): Promise<void> {
    for (;;) {
      try {
        await this.#client.query(NO_TIMEOUT);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseError && error.code === CANCELED)) throw error;
      }
    }
  }
}

/** Longest wait for the leave of a server. */
const LEAVE_MS = 1_000;
const VERSION = `SELECT current_setting('server_version_num')::integer AS version`;
const NO_TIMEOUT = `SET statement_timeout = 0`;
/** `query_canceled` */
const CANCELED = '57014';
/** No wait is ended by the server: what it ends may be committed all the same. `remote_apply` waits for more than `on`. */
const SETTINGS = `
  SELECT set_config('client_min_messages', 'warning', false), set_config('lock_timeout', '0', false),
    set_config('idle_in_transaction_session_timeout', '0', false), set_config('idle_session_timeout', '0', false),
    CASE WHEN current_setting('synchronous_commit') <> 'remote_apply' THEN set_config('synchronous_commit', 'on', false) END`;
/** A statement that waits for a lock ends when its client is gone. */
const NOTICE_LOSS = `SELECT set_config('client_connection_check_interval', '2s', false)`;
const IDENTITY = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS server,
    CASE WHEN pg_is_in_recovery() THEN NULL
      ELSE ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer END AS timeline,
    pg_backend_pid() AS pid, current_setting('fsync') AS flush, current_setting('synchronous_standby_names') AS standbys,
    (SELECT backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS "startedAt"`;

export function nameOf({ host, port }: ServerHost): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The name of the certificate is compared with the host of the setting, an address too. */
function tlsOf({ host }: ServerHost) {
  return {
    rejectUnauthorized: true,
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(host, certificate),
  };
}

function noPassword(server: string): never {
  throw new StoreError('cluster_refused', `PostgreSQL at ${server} asks for a password, and none is set.`, {
    hint: 'Set cluster.password, best as {file: PATH}.',
  });
}
