import { type Answer, RawConnection } from './raw-http.ts';

const CONNECTIONS = 16;
/** Requests under way on each connection, so that neither side waits for the other. */
const UNDERWAY = 8;

export interface Sending {
  readonly count: number;
  /** The bytes of the request with this number; called once for each. */
  readonly requestAt: (index: number) => Uint8Array;
  readonly onAnswer: (index: number, answer: Answer) => void;
}

/** Sends `count` requests over a few keep-alive connections. Rejects when a connection ends before its answers came. */
export async function sendAll(url: string, { count, requestAt, onAnswer }: Sending): Promise<void> {
  let next = 0;
  const lane = async (connection: RawConnection) => {
    while (next < count) {
      const index = next++;
      onAnswer(index, await connection.sendBytes(requestAt(index)));
    }
  };
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(url)));
  try {
    await Promise.all(connections.flatMap((connection) => Array.from({ length: UNDERWAY }, () => lane(connection))));
  } finally {
    for (const connection of connections) connection.close();
  }
}
