import { type AddressInfo, isIP } from 'node:net';
import type { Config } from '../config/load.ts';
import { isLoopback } from '../domain/requests/base-url.ts';
import type { Listening } from './http-server.ts';
import { type PassedSockets, SOCKET_NAMES, type SocketName } from './sockets.ts';

/** Where a listener listens: on a passed socket, else as configured. */
export function listeningOf(name: SocketName, config: Config, sockets: PassedSockets): Listening {
  const { host, port } = config[name];
  const listening = { name, host, port, socket: sockets[name] ?? null };
  return name === 'admin' ? { ...listening, accepts: (address) => openAdminProblem(address, config) } : listening;
}

/** The rule of admin.host, for a socket that it did not choose. */
function openAdminProblem({ address, port }: AddressInfo, { admin }: Config): string | null {
  if (admin.token !== null || isLoopback(address)) return null;
  return `admin is at ${address}:${port}, which reaches beyond this machine and needs an admin.token`;
}

/** Passed sockets at another address than the configuration's, with both. */
export function otherAddresses(
  config: Config,
  sockets: PassedSockets,
  urls: Readonly<Record<SocketName, string>>,
): { name: SocketName; socket: string; configured: string }[] {
  return SOCKET_NAMES.filter((name) => name in sockets).flatMap((name) => {
    const { host, port } = config[name];
    const { hostname, port: opened } = new URL(urls[name]);
    const isThere =
      (port === 0 || port === Number(opened || 80)) && (isIP(bare(host)) === 0 || bare(host) === bare(hostname));
    return isThere ? [] : [{ name, socket: urls[name], configured: `${host}:${port}` }];
  });
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
