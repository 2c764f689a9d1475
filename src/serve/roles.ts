import type { Config } from '../config/load.ts';
import type { NodeRole } from '../domain/cluster/node-role.ts';
import { TallyhookError } from '../domain/error.ts';
import type { AppParts } from './app-parts.ts';

/** What a process with the receiver in it does. */
export interface Doing {
  readonly roles: readonly NodeRole[];
  /** It listens for webhooks. */
  readonly receives: boolean;
  /** It carries the log out, forwards, runs the jobs and serves the pages. */
  readonly works: boolean;
}

/**
 * What this process does, by `cluster.roles`.
 *
 * @throws TallyhookError when something else of the configuration, or of its start, needs the role that it does not have
 */
export function doingOf(
  { cluster, callback }: Pick<Config, 'cluster' | 'callback'>,
  { sockets = {}, host }: Pick<AppParts, 'sockets' | 'host'>,
): Doing {
  const { roles } = cluster;
  const [receives, works] = [roles.includes('receive'), roles.includes('work')];
  if (receives && works) return { roles, receives, works };
  const only = `This machine is to ${receives ? 'receive' : 'work'} only`;
  if (cluster.url === null)
    throw refused(
      `${only}, and cluster.url is not set: a machine alone does everything`,
      'Take cluster.roles (or --roles) out, or set cluster.url.',
    );
  if (host !== undefined)
    throw refused(
      `${only}: a program that has the receiver in it receives, and gets the confirmed news`,
      'Give it both roles, or run serve on this machine.',
    );
  if (receives && callback.page !== null)
    throw refused(
      `${only}, and callback.page is set: a callback is checked at the service, which is work`,
      'Give it both roles, or take callback out here and lead /callback to a machine with both.',
    );
  if (!receives && sockets.receiver !== undefined)
    throw refused(
      `${only}, and a socket for the receiver was passed to it`,
      'Disable the socket unit of the receiver here, or give it the role receive, too.',
    );
  return { roles, receives, works };
}

function refused(message: string, hint: string): TallyhookError {
  return new TallyhookError(`${message}.`, { kind: 'configuration', hint });
}
