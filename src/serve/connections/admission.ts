import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Reads one new connection per turn of the event loop, the newest first. The first read of a connection can hold ten thousand
 * chunks of one byte, which take Node 25 ms: fifty that arrive together would keep every other delivery waiting for more
 * than a second. Newest first, because then a flood waits for itself; an honest connection is read in the next turn.
 */
export function admitInTurns(server: Server): void {
  const waiting: Socket[] = [];
  let isTaken = false;

  server.on('connection', (socket) => {
    if (isTaken) {
      socket.pause();
      waiting.push(socket);
      return;
    }
    isTaken = true;
    setImmediate(next);
  });

  function next(): void {
    const socket = waiting.pop();
    isTaken = socket !== undefined;
    if (socket === undefined) return;
    socket.resume();
    setImmediate(next);
  }
}
