import { connect, type Socket } from 'node:net';

export interface ConnectionEvents {
  readonly onAnswer: (connection: Connection, status: number, sinceMs: number) => void;
  readonly onBroken: (error: Error) => void;
}

const STATUS = /^HTTP\/1\.1 (\d{3})/;
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One keep-alive connection with at most one request at a time. It parses only the status and length of a response. */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #received = '';
  #sinceMs = 0;

  static open(port: number, events: ConnectionEvents): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket, events)));
      socket.once('error', reject);
    });
  }

  private constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.setNoDelay(true);
    socket.removeAllListeners('error');
    socket.on('error', events.onBroken);
    socket.on('close', () => events.onBroken(new Error('the subject closed a connection')));
    socket.on('data', (chunk) => this.#read(chunk));
  }

  /** `onAnswer` gets the same `sinceMs`. */
  send(request: Buffer, sinceMs: number): void {
    this.#sinceMs = sinceMs;
    this.#socket.write(request);
  }

  #read(chunk: Buffer): void {
    this.#received += chunk.toString('latin1');
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    this.#received = '';
    this.#events.onAnswer(this, Number(STATUS.exec(head)?.[1] ?? 0), this.#sinceMs);
  }
}
