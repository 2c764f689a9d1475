import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Serve, type ServeSetup } from './serve.ts';
import { until } from './wait.ts';

/**
 * As a service manager with Restart=always: a shell that holds the sockets, gives them to each `serve`, and starts the next one when
 * one ends. LISTEN_PID is the process that becomes `serve`.
 */
const MANAGER = `while :; do sh -c 'export LISTEN_PID=$$; exec "$@"' sh "$@" || :; done`;

/** A listening socket without a process that accepts from it, on a free port. */
export async function openSocket(host = '127.0.0.1'): Promise<Server> {
  const socket = createServer().listen(0, host);
  await once(socket, 'listening');
  return socket;
}

export function descriptorOf(socket: Server): number {
  return (socket as unknown as { _handle: { fd: number } })._handle.fd;
}

export function portOf(socket: Server): number {
  return (socket.address() as AddressInfo).port;
}

/** `tallyhook serve` below a manager that holds its two sockets, on free ports. */
export class ManagedServe {
  readonly serve: Serve;
  readonly url: string;
  readonly adminUrl: string;

  private constructor(serve: Serve, ports: readonly number[]) {
    this.serve = serve;
    [this.url = '', this.adminUrl = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
  }

  static async start(setup: ServeSetup): Promise<ManagedServe> {
    const sockets = [await openSocket(), await openSocket()];
    const serve = await Serve.start({
      ...setup,
      under: ['sh', '-c', MANAGER, 'sh'],
      sockets: sockets.map(descriptorOf),
      env: { LISTEN_FDS: '2', LISTEN_FDNAMES: 'receiver:admin', ...setup.env },
    });
    const managed = new ManagedServe(serve, sockets.map(portOf));
    for (const socket of sockets) socket.close(); // the manager alone holds them now
    return managed;
  }

  /** The processes that served, the latest last. */
  get pids(): number[] {
    return this.serve.allLogged('serving').map(({ pid }) => Number(pid));
  }

  /** Signals the process that serves now, and waits for the next one. */
  async restart(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { length } = this.pids;
    process.kill(this.pids[length - 1] ?? 0, signal);
    await until(() => this.pids.length > length, 'the next process serves');
  }
}
