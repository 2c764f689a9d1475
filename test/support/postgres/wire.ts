import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The network between a program and a server, whose answers a test can keep back, and whose connections it can cut. */
export interface Wire {
  readonly port: number;
  /** Connections that were made so far. */
  readonly connections: number;
  /**
   * From its next request that contains `to` on, a connection gets no answer; `to` is empty: each of them. Resolves when the server has
   * answered one.
   */
  holdAnswers(to?: string): Promise<void>;
  /** Delivers what was held. */
  letThrough(): void;
  /** Ends every connection; what was held is lost. New ones get their answers. */
  cut(): void;
}

/** One connection, by its end at the program. */
interface Held {
  isHeld: boolean;
  readonly answers: Buffer[];
}

export async function wireTo(port: number): Promise<Wire> {
  const open = new Map<Socket, Held>();
  let [holdsFrom, answered]: [string | null, PromiseWithResolvers<void>] = [null, Promise.withResolvers()];
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    const held: Held = { isHeld: false, answers: [] };
    open.set(near, held);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('data', (bytes) => {
      held.isHeld ||= holdsFrom !== null && bytes.includes(holdsFrom);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (held.isHeld) {
        held.answers.push(bytes);
        answered.resolve();
      } else near.write(bytes);
    });
    near.on('close', () => {
      open.delete(near);
      far.destroy();
    });
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cut = () => {
    holdsFrom = null;
    for (const near of open.keys()) near.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    holdAnswers(to = '') {
      [holdsFrom, answered] = [to, Promise.withResolvers()];
      return answered.promise;
    },
    letThrough() {
      holdsFrom = null;
      for (const [near, held] of open) {
        held.isHeld = false;
        for (const bytes of held.answers.splice(0)) near.write(bytes);
      }
    },
    cut,
  };
}
