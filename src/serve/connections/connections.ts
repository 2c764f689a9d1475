import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../../receive/address-group.ts';

/** Why a connection was closed to keep within a limit. */
export const CLOSED_CONNECTIONS = [
  'idle', // it was idle for longest, and made room for another
  'unfinished', // its request had been arriving for longest, and it made room for another
  'address_limit', // a new one of an address that has its share, none of it idle
  'no_room', // a new one while every other is being answered
] as const;
export type ClosedConnection = (typeof CLOSED_CONNECTIONS)[number];

export interface ConnectionLimits {
  /** Of all addresses together. */
  readonly maxConnections: number;
  readonly maxPerAddress: number;
  /** Whether an address may have as many as there are: a proxy, for example. */
  readonly isExempt: (address: string) => boolean;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The request under way; null while idle. */
  request: IncomingMessage | null;
  /** The request under way, or the one before. */
  latest: IncomingMessage | null;
  /** Position in the order in which connections became what they are now. */
  since: number;
}

/**
 * The open connections of a server, within the limits. When slots run out, the address with the most connections loses the
 * one that has been idle, or whose request has been arriving, for longest, so that a new delivery always finds a slot. A
 * request that has arrived is never cut.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #byAddress = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #closed = new Map<ClosedConnection, number>(CLOSED_CONNECTIONS.map((reason) => [reason, 0]));
  #open = 0;
  #order = 0;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    // A last limit, for what this class misses: Node refuses the new connection and never closes an older one.
    server.maxConnections = limits.maxConnections + 1;
    server.on('connection', (socket) => this.#opened(socket));
    server.on('request', (request, response) => this.#requested(request, response));
  }

  /** Number of open connections. */
  get open(): number {
    return this.#open;
  }

  /** Connections closed since the start, by reason. */
  get closed(): ReadonlyMap<ClosedConnection, number> {
    return this.#closed;
  }

  /** The request whose headers arrived last on this connection; null while there was none. */
  latestOn(socket: Socket): IncomingMessage | null {
    return this.#bySocket.get(socket)?.latest ?? null;
  }

  #opened(socket: Socket): void {
    const remote = socket.remoteAddress;
    if (remote === undefined) return; // it is closed again already
    const connection: Connection = {
      socket,
      address: addressGroup(remote),
      request: null,
      latest: null,
      since: this.#order++,
    };
    const siblings = this.#byAddress.get(connection.address) ?? new Set();
    this.#byAddress.set(connection.address, siblings.add(connection));
    this.#bySocket.set(socket, connection);
    this.#open++;
    socket.once('close', () => this.#forget(connection));

    const { maxPerAddress, maxConnections, isExempt } = this.#limits;
    if (siblings.size > maxPerAddress && !isExempt(remote)) {
      const idle = oldest(siblings, (one) => one.request === null) ?? connection;
      this.#close(idle, idle === connection ? 'address_limit' : 'idle');
    }
    if (this.#open > maxConnections) this.#makeRoomFor(connection);
  }

  #makeRoomFor(connection: Connection): void {
    const heaviest = [...this.#byAddress.values()].reduce((most, one) => (one.size > most.size ? one : most));
    // By age alone: the connections of a new delivery are young, also when they have not sent anything yet.
    const victim = oldest(heaviest, (one) => one !== connection && one.request?.complete !== true);
    if (victim === undefined) this.#close(connection, 'no_room');
    else this.#close(victim, victim.request === null ? 'idle' : 'unfinished');
  }

  #close(connection: Connection, reason: ClosedConnection): void {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    const siblings = this.#byAddress.get(connection.address);
    if (!siblings?.delete(connection)) return;
    this.#open--;
    if (siblings.size === 0) this.#byAddress.delete(connection.address);
  }

  #requested(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.latest = request;
    connection.since = this.#order++;
    response.once('finish', () => {
      // A pipelined request may have begun since.
      if (connection.request !== request) return;
      connection.request = null;
      connection.since = this.#order++;
    });
  }
}

function oldest(connections: Iterable<Connection>, fits: (one: Connection) => boolean): Connection | undefined {
  let found: Connection | undefined;
  for (const one of connections) if (fits(one) && (found === undefined || one.since < found.since)) found = one;
  return found;
}
