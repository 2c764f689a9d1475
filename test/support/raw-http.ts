import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** The Host header. */
  readonly host?: string;
  /** Pairs, so that a name may occur twice; values go out as latin1, byte for byte. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** One keep-alive connection that sends exactly the given bytes, also those that fetch would refuse. */
export class RawConnection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = [];
  /** The answer after `100 Continue`, when it came at once. */
  #early: Answer | null = null;
  #isContinued = false;
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => {}); // `close` follows, and rejects every waiting request
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('connection closed without an answer'));
    });
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  send(request: RawRequest): Promise<Answer> {
    return this.sendBytes(requestBytes(request));
  }

  /** Several requests may be under way: answers come in order. */
  sendBytes(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#early !== null) {
        resolve(this.#early);
        this.#early = null;
        return;
      }
      if (this.socket.destroyed) return reject(new Error('the connection is closed'));
      this.#waiting.push({ resolve, reject });
      this.socket.write(bytes);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    while (true) {
      const headEnd = this.#received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = this.#received.toString('latin1', 0, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (this.#received.length < end) return;
      const body = this.#received.toString('utf8', headEnd + 4, end);
      this.#received = this.#received.subarray(end);
      const answer = { status: Number(head.slice(9, 12)), headers: headersOf(head), body };
      const next = this.#waiting.shift();
      if (next === undefined && this.#isContinued) this.#early = answer;
      this.#isContinued = answer.status === 100;
      next?.resolve(answer);
    }
  }
}

/** One request on a connection of its own. */
export async function rawRequest(url: string, request: RawRequest): Promise<Answer> {
  const connection = await RawConnection.open(url);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}

/** Content-Length is added unless the headers hold it or Transfer-Encoding. */
export function requestBytes({
  method = 'POST',
  path,
  host = 'receiver',
  headers = [],
  body = '',
}: RawRequest): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (!framed) lines.push(`Content-Length: ${bytes.byteLength}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function headersOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]));
}
