import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { NODE_ROLES, type NodeRole } from '../../../src/domain/cluster/node-role.ts';
import type { KnownLog, SharedLog } from '../../../src/store/cluster/shared-log.ts';
import type { ClusterOptions } from '../../../src/store/cluster-options.ts';
import { failureOf, StoreError } from '../../../src/store/error.ts';
import { parentFolder } from '../run-folder.ts';
import { receive, send } from './frames.ts';
import type { LogInMemory } from './in-memory.ts';

/** A call of a client. The first of a connection is `open`, with its name and what it knows. */
export interface LogCall {
  readonly id: number;
  readonly method: string;
  readonly input: readonly unknown[];
}

export interface ServedLog {
  readonly log: LogInMemory;
  readonly path: string;
  /** How a store uses the log as the machine of this name. */
  cluster(node: string, roles?: readonly NodeRole[]): ClusterOptions;
  close(): Promise<void>;
}

/** Serves a log in memory to the threads and processes of a test, which outlives all of them. */
export async function serveLog(log: LogInMemory): Promise<ServedLog> {
  const folder = mkdtempSync(join(parentFolder(false), 'log-'));
  const path = join(folder, 'log.sock');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    answer(socket, log);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  server.unref();
  return {
    log,
    path,
    cluster: (node, roles) => clusterOf(node, path, roles),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        rmSync(folder, { recursive: true, force: true });
      }),
  };
}

function answer(socket: Socket, log: LogInMemory): void {
  let opened: SharedLog | undefined;
  receive(socket, async (call) => {
    const { id, method, input } = call as LogCall;
    try {
      if (method === 'open') opened = log.open(...(input as [string, KnownLog | null, boolean]));
      else if (method.startsWith('upkeep.')) {
        const [, act = ''] = method.split('.');
        send(socket, { id, result: await called(log.upkeep(), act, input) });
      } else send(socket, { id, result: await resultOf(opened as SharedLog, method, input) });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      send(socket, { id, failure: failureOf(error) });
    }
  });
}

async function resultOf(log: SharedLog, method: string, input: readonly unknown[]): Promise<unknown> {
  if (method === 'snapshotParts') return Array.fromAsync(log.snapshotParts(input[0] as never));
  return called(log, method, input);
}

function called(target: object, method: string, input: readonly unknown[]): unknown {
  return (target as Record<string, (...input: readonly unknown[]) => unknown>)[method]?.(...input);
}

/** How a store uses the log that is served at `path`, as the machine of this name. */
export function clusterOf(node: string, path: string, roles: readonly NodeRole[] = NODE_ROLES): ClusterOptions {
  return {
    node,
    roles,
    keys: [],
    takenOver: {},
    keepDays: 30,
    log: { kind: 'module', module: new URL('./client.ts', import.meta.url).href, options: path },
  };
}
