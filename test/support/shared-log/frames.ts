import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** Writes a value to a socket, with its length before it. */
export function send(socket: Socket, value: unknown): void {
  const bytes = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.byteLength);
  socket.write(Buffer.concat([length, bytes]));
}

/** Calls `take` with each value that arrives. */
export function receive(socket: Socket, take: (value: unknown) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on('data', (data) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      if (waiting.byteLength < 4) return;
      const end = 4 + waiting.readUInt32LE();
      if (waiting.byteLength < end) return;
      const value: unknown = deserialize(waiting.subarray(4, end));
      waiting = waiting.subarray(end);
      take(value);
    }
  });
}
