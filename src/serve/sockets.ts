import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { TallyhookError } from '../domain/error.ts';

// Socket activation: a service manager opens the listening sockets and passes them on, from file descriptor 3 upwards. It keeps
// them while `serve` restarts, so new connections wait in the kernel instead of being refused. The protocol is that of systemd
// (sd_listen_fds): three variables, no library.

/** Names under which sockets are passed (FileDescriptorName= of a systemd socket unit). */
export const SOCKET_NAMES = ['receiver', 'admin'] as const;
export type SocketName = (typeof SOCKET_NAMES)[number];

/** File descriptors of the passed sockets; a listener without one opens its own. */
export type PassedSockets = Readonly<Partial<Record<SocketName, number>>>;

export const SOCKET_VARIABLES = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'] as const;
const FIRST_DESCRIPTOR = 3;
/** Connections that wait in the kernel while `serve` restarts; Node's own 511 are too few for a busy second. */
const BACKLOG = 4_096;

/**
 * The sockets that were passed to this process; none when LISTEN_PID is absent or names another process.
 *
 * @throws TallyhookError when they are not one socket each, named receiver and admin
 */
export function passedSockets(
  env: Readonly<Record<string, string | undefined>>,
  { pid, ppid }: { readonly pid: number; readonly ppid: number },
): PassedSockets {
  const { LISTEN_PID: owner, LISTEN_FDS: count = '', LISTEN_FDNAMES: list = '' } = env;
  if (owner === String(ppid) && count !== '')
    throw refused(
      `LISTEN_PID names process ${ppid}, which started this one`,
      'Start serve itself in the unit, by `exec` in a script, and on a Node that needs no other one.',
    );
  if (owner !== String(pid)) return {};
  if (!/^[1-9]\d{0,3}$/.test(count)) throw refused(`LISTEN_FDS is ${JSON.stringify(count)}, which is no count`);
  const names = list === '' ? [] : list.split(':');
  if (names.length !== Number(count))
    throw refused(`LISTEN_FDS says ${count}, and LISTEN_FDNAMES names ${names.length}: ${JSON.stringify(list)}`);
  const sockets: Partial<Record<SocketName, number>> = {};
  for (const [index, name] of names.entries()) {
    if (!isSocketName(name)) throw refused(`one is named ${JSON.stringify(name)}`);
    if (name in sockets) throw refused(`two are named ${name}`);
    const descriptor = FIRST_DESCRIPTOR + index;
    if (!isSocket(descriptor)) throw refused(`descriptor ${descriptor}, named ${name}, is not a socket`);
    sockets[name] = descriptor;
  }
  return sockets;
}

/**
 * Listens on a passed socket.
 *
 * @throws TallyhookError unless it is a TCP socket that `accepts` its address
 */
export async function listenOnPassed(
  server: Server,
  name: SocketName,
  fd: number,
  accepts: (address: AddressInfo) => string | null,
): Promise<AddressInfo> {
  try {
    server.listen({ fd }, BACKLOG);
    await once(server, 'listening');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw refused(`descriptor ${fd}, named ${name}, is not a socket that can listen (${reason})`);
  }
  // Before the first connection is accepted: `listening` comes first.
  const address = server.address();
  const problem =
    address === null || typeof address === 'string' ? `descriptor ${fd}, named ${name}, is not a TCP socket` : null;
  const refusal = problem ?? accepts(address as AddressInfo);
  if (refusal === null) return address as AddressInfo;
  server.close();
  throw refused(refusal);
}

function isSocketName(name: string): name is SocketName {
  return (SOCKET_NAMES as readonly string[]).includes(name);
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false; // it is not open
  }
}

const HINT =
  'A socket unit each, with FileDescriptorName=receiver and FileDescriptorName=admin, one ListenStream=ADDRESS:PORT in each, and Accept=no: tallyhook init --deploy systemd writes them.';

function refused(problem: string, hint = HINT): TallyhookError {
  return new TallyhookError(`The passed sockets cannot be used: ${problem}.`, { kind: 'configuration', hint });
}
