import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The network between a program and a server, whose answers a test can keep back, and whose connections it can cut. */
export interface Wire {
  readonly port: number;
  /** Connections that were made so far. */
  readonly connections: number;
  /** From now on no answer arrives; resolves with each that is kept back. */
  holdAnswers(): Promise<void>;
  letThrough(): void;
  cut(): void;
}

export async function wireTo(port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isHolding = false;
  let held = Promise.withResolvers<void>();
  let connections = 0;
  const server = createServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.on('data', (bytes) => far.write(bytes)).on('close', () => far.destroy());
    far.on('data', (bytes) => {
      if (isHolding) held.resolve();
      else near.write(bytes);
    });
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
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
    holdAnswers() {
      isHolding = true;
      held = Promise.withResolvers();
      return held.promise;
    },
    letThrough() {
      isHolding = false;
    },
    cut,
  };
}
