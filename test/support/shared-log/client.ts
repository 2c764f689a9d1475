import { connect, type Socket } from 'node:net';
import type { LogUser, SharedLog, SharedLogUpkeep } from '../../../src/store/cluster/shared-log.ts';
import { errorOf, type Failure, StoreError } from '../../../src/store/error.ts';
import { receive, send } from './frames.ts';

type Answer = { readonly id: number } & ({ readonly result: unknown } | { readonly failure: Failure });

/** Calls the methods of the log that `serveLog` serves at `path`, as this user. */
function caller(path: unknown, { name, known, evenLeft }: LogUser) {
  let socket: Socket | null = null;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();

  function connected(): Socket {
    if (socket !== null) return socket;
    const made = connect(path as string);
    socket = made;
    receive(made, (value) => {
      const answer = value as Answer;
      const answered = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) made.unref();
      if ('failure' in answer) answered?.reject(errorOf(answer.failure));
      else answered?.resolve(answer.result);
    });
    made.on('error', () => {});
    made.on('close', () => {
      socket = null;
      for (const { reject } of waiting.values())
        reject(new StoreError('cluster_unreachable', 'The log in memory does not answer.'));
      waiting.clear();
    });
    send(made, { id: 0, method: 'open', input: [name, known, evenLeft] });
    return made;
  }

  function call<Result>(method: string, ...input: readonly unknown[]): Promise<Result> {
    const answered = Promise.withResolvers<unknown>();
    const own = connected();
    const id = ++lastId;
    waiting.set(id, answered);
    own.ref();
    send(own, { id, method, input });
    return answered.promise as Promise<Result>;
  }

  return { call, close: async (): Promise<void> => void socket?.destroy() };
}

/** The log that `serveLog` serves at `path`, for one thread. */
export async function openLog(path: unknown, user: LogUser): Promise<SharedLog> {
  const { call, close } = caller(path, user);
  return {
    append: (...input) => call('append', ...input),
    read: (...input) => call('read', ...input),
    noteKept: () => {},
    chainAt: (...input) => call('chainAt', ...input),
    oldest: () => call('oldest'),
    head: () => call('head'),
    seen: (...input) => call('seen', ...input),
    signOff: (...input) => call('signOff', ...input),
    putDigest: (...input) => call('putDigest', ...input),
    digestsAt: (...input) => call('digestsAt', ...input),
    status: () => call('status'),
    putSnapshot: async (facts, parts) => call('putSnapshot', facts, await Array.fromAsync(parts)),
    newestSnapshot: (...input) => call('newestSnapshot', ...input),
    async *snapshotParts(snapshot) {
      yield* await call<Uint8Array[]>('snapshotParts', snapshot);
    },
    close,
  };
}

export async function openUpkeep(path: unknown): Promise<SharedLogUpkeep> {
  const { call, close } = caller(path, { name: 'upkeep', known: null, evenLeft: true });
  return {
    begin: (order) => call('upkeep.begin', order),
    leave: (id) => call('upkeep.leave', id),
    raiseEpoch: (id) => call('upkeep.raiseEpoch', id),
    adopt: () => call('upkeep.adopt'),
    prune: (order) => call('upkeep.prune', order),
    close,
  };
}
