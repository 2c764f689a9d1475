import { connect, type Socket } from 'node:net';
import { requestBytes } from '../raw-http.ts';
import { signed } from '../signer.ts';

/** What the parent of the honest sender sends it, once. */
export interface HonestOrder {
  readonly host: string;
  readonly port: number;
  readonly from: string;
  readonly perSecond: number;
}

/** What the honest sender saw so far. */
export interface Honesty {
  readonly latenciesMs: readonly number[];
  /** Number of deliveries by answer: a status, or the code of an error. */
  readonly answers: Readonly<Record<string, number>>;
}

// Every other delivery has a connection of its own, as senders do that keep none alive; the others share one. The time of
// a delivery counts from when it was due, so that a receiver that does not answer cannot slow down its own measurement.

const latenciesMs: number[] = [];
const answers: Record<string, number> = {};
let kept: Socket | null = null;
let next = 0;

process.on('message', (order: HonestOrder) => {
  const startMs = performance.now();
  setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) * order.perSecond) / 1_000);
    while (next < due) void deliver(order, next, startMs + (next++ * 1_000) / order.perSecond);
  }, 2);
  setInterval(() => process.connected && process.send?.({ latenciesMs, answers } satisfies Honesty), 100);
});
process.on('disconnect', () => process.exit());

async function deliver(order: HonestOrder, index: number, dueMs: number): Promise<void> {
  const body = `{"event":"refund.pending","data":{"refund_reference":"HONEST-${index}","status":"pending","n":${index}}}`;
  const bytes = requestBytes({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
  const shared = index % 2 === 0;
  let socket = shared ? kept : null;
  if (socket?.destroyed !== false) socket = connected(order);
  kept = shared ? null : kept; // the next one must not send on it before the answer
  const answer = await answerOn(socket, bytes);
  latenciesMs.push(performance.now() - dueMs);
  answers[answer] = (answers[answer] ?? 0) + 1;
  if (shared && !socket.destroyed && kept === null) kept = socket;
  else socket.destroy();
}

function connected({ host, port, from }: HonestOrder): Socket {
  const socket = connect({ host, port, localAddress: from });
  socket.on('error', () => {}); // `answerOn` counts those that matter
  return socket;
}

/** Returns the status of the answer, or the code of the error that came instead. */
function answerOn(socket: Socket, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const end = (answer: string) => {
      socket.off('data', onData).off('close', onClose).off('error', onError);
      resolve(answer);
    };
    const onData = (data: Buffer) => end(data.toString('latin1', 9, 12));
    const onError = (error: NodeJS.ErrnoException) => end(error.code ?? error.message);
    const onClose = () => end('closed');
    socket.on('data', onData).on('error', onError).on('close', onClose);
    socket.write(bytes);
  });
}
