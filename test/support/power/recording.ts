import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { RawConnection } from '../raw-http.ts';
import { carriedOut } from '../reader.ts';
import { Serve } from '../serve.ts';
import { signed } from '../signer.ts';
import { deliveries } from './deliveries.ts';
import { FILE_CALLS, SOCKET_CALLS, type Step, stepsOf } from './steps.ts';

export type RecordedStep = Exclude<Step, { type: 'ack' }> | { readonly type: 'ack'; readonly body: string };

export interface Recording {
  readonly folder: string;
  readonly database: string;
  readonly steps: readonly RecordedStep[];
}

/** With CI=true no test is left out, so a missing strace must be named. */
export function expectStrace(): void {
  if (spawnSync('strace', ['-V']).error === undefined) return;
  throw new Error('strace is not installed, and these proofs need it. Install it: apt-get install strace');
}

/** Deliveries under way at once: groups of one to a few share a commit, as in production. */
const CONNECTIONS = 5;
/** Each fsync takes this long, as on a real disk: an ack that does not wait for it leaves before it ends. */
const FSYNC_MICROSECONDS = 1_000;

interface Program {
  readonly launcher?: string;
  readonly env?: Record<string, string>;
}

/**
 * Records the real `serve`, with its default settings and all its threads, while real clients deliver; then stops it.
 * Every change of a file in its folder is in the recording, and every 200 at the moment when it began to leave: earlier
 * than any client can have read it, so the event must be certain earlier, too.
 */
export async function record(count: number, seed: number, program: Program = {}): Promise<Recording> {
  expectStrace();
  const folder = temporaryFolder();
  const [database, log] = [join(folder, 'tallyhook.db'), join(temporaryFolder(), 'calls')];
  const options = ['-f', '-yy', '-xx', '-s', '70000', '--seccomp-bpf', '-e', `trace=${FILE_CALLS},${SOCKET_CALLS}`];
  const slow = ['-e', `inject=fsync:delay_enter=${FSYNC_MICROSECONDS}`];
  const serve = await Serve.start({
    cwd: folder,
    database,
    under: ['strace', ...options, ...slow, '-o', log],
    ...program,
  });
  try {
    const acked = await deliver(serve.url, deliveries(count, seed), () => carriedOut(database));
    const code = await serve.stop();
    if (code !== 0) throw new Error(`serve ended with code ${code}:\n${serve.stderr}`);
    return { folder, database, steps: withBodies(stepsOf(readFileSync(log, 'latin1'), folder), acked) };
  } finally {
    await serve.kill();
  }
}

/** Sends every body over a few connections, the second half after what came before is `carriedOut`; by the client's port, the bodies in the order of the 200s that it read. */
async function deliver(
  url: string,
  bodies: readonly string[],
  isCarriedOut: () => Promise<void>,
): Promise<Map<number, string[]>> {
  const waiting = [...bodies].reverse();
  let moved: Promise<void> | undefined;
  const acked = new Map<number, string[]>();
  const lane = async () => {
    const connection = await RawConnection.open(url);
    const port = connection.socket.localPort as number;
    const mine: string[] = [];
    acked.set(port, mine);
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      if (waiting.length < bodies.length / 2) {
        moved ??= isCarriedOut();
        await moved;
      }
      const { status } = await connection.send({ path: '/webhooks/test', headers: Object.entries(signed(body)), body });
      if (status !== 200) throw new Error(`A delivery was answered ${status}.`);
      mine.push(body);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return acked;
}

/** Puts the body to each 200 that left. Throws unless the clients read exactly these. */
function withBodies(steps: readonly Step[], acked: ReadonlyMap<number, readonly string[]>): RecordedStep[] {
  const left = new Map([...acked].map(([port, bodies]) => [port, [...bodies]]));
  const recorded = steps.map((step): RecordedStep => {
    if (step.type !== 'ack') return step;
    const body = left.get(step.port)?.shift();
    if (body === undefined) throw new Error(`A 200 left for port ${step.port} that no client read.`);
    return { type: 'ack', body };
  });
  const unseen = [...left.values()].flat().length;
  if (unseen > 0) throw new Error(`The recording misses ${unseen} of the 200s that the clients read.`);
  return recorded;
}
