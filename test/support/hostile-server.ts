import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

export interface Hostile {
  readonly url: string;
  /** The raw requests that arrived, head and body. */
  readonly requests: string[];
  /** Bytes that were written to sockets. */
  written: number;
}

/** What to do with a connection on which a whole request has arrived; it may write, wait, or destroy the socket. */
export type Behaviour = (socket: Socket, request: string, server: Hostile) => void;

/** A server of raw sockets that misbehaves as `behave` does. It ends with the test file. */
export async function hostileServer(behave: Behaviour): Promise<Hostile> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the client closes the connection, as it should
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const [head = '', ...rest] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (rest.length === 0 || rest.join('\r\n\r\n').length < length) return;
      hostile.requests.push(received);
      const request = received;
      received = '';
      behave(socket, request, hostile);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const hostile: Hostile = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    written: 0,
  };
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return hostile;
}

/** Returns a complete HTTP response. */
export function answer(status: number, body: string, headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`;
}

/** Writes the same chunk until the other side closes. */
export function flood(socket: Socket, server: Hostile, chunk: Buffer): void {
  const more = () => {
    while (!socket.destroyed) {
      server.written += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', more);
  more();
}
