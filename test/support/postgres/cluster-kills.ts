import { Load } from '../load.ts';
import { seededRandom } from '../random.ts';
import { until } from '../wait.ts';
import { auditMachines, type ClusterAudit, type ServedMachine, servedMachines } from './served-machines.ts';
import { PostgresServer } from './server.ts';
import { type Wire, wireTo } from './wire.ts';

const MACHINES = 3;
/** Lanes of the sender at each machine, and the pause of each after an answer: the files stay small enough to compare. */
const LANES = 3;
const PAUSE_MS = 10;
/** Most acks of a sender between two kills. */
const MOST_ACKS = 100;
/** Longer than a commit is waited for. */
const STOPPED_MS = 6_000;

/** What is killed. A stopped `serve` stands for `STOPPED_MS`, and then goes on as if nothing had happened. */
export const VICTIMS = ['serve', 'backend', 'server', 'stopped serve'] as const;

export interface ClusterKills extends ClusterAudit {
  /** By what was killed; `between`: once the server had committed an append, and before its answer arrived. */
  readonly kills: Readonly<Record<string, number>>;
}

/** A machine with its own network to the log, and a sender. */
interface Killed {
  readonly machine: ServedMachine;
  readonly wire: Wire;
  readonly load: Load;
}

/** Kills with -9, in turn by chance, a `serve`, a backend of PostgreSQL, or all of PostgreSQL, while three machines receive. */
export async function clusterKills({ rounds, seed }: { readonly rounds: number; readonly seed: number }) {
  const random = seededRandom(seed);
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  const server = await PostgresServer.start();
  const wires = await Promise.all(Array.from({ length: MACHINES }, () => wireTo(server.port)));
  const machines = await servedMachines(
    wires.map(({ port }) => ({ url: `postgres://postgres@127.0.0.1:${port}/postgres` })),
  );
  const all = machines.map((machine, n): Killed => {
    const about = { connections: LANES, pauseMs: PAUSE_MS, seed: seed * MACHINES + n };
    return { machine, wire: wires[n] as Wire, load: new Load(machine.serve.url, about) };
  });

  async function kill(victim: (typeof VICTIMS)[number], { machine, wire, load }: Killed): Promise<void> {
    if (victim === 'serve') {
      const next = pick(all.filter((one) => one.machine !== machine));
      await machine.serve.kill();
      load.moveTo(next.machine.serve.url); // as the proxy does
      wire.cut();
      await machine.start();
      load.moveTo(machine.serve.url);
    } else if (victim === 'stopped serve') {
      machine.serve.signal('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
      wire.cut();
      machine.serve.signal('SIGCONT');
    } else if (victim === 'backend') {
      await server.killBackend('tallyhook');
      wire.cut();
    } else {
      await server.stop('immediate');
      wire.cut();
      await server.resume();
    }
  }

  const kills: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const [victim, one, isBetween] = [pick(VICTIMS), pick(all), random() < 0.5];
    await moreAcks(all, 1 + Math.floor(random() * MOST_ACKS));
    if (isBetween) await one.wire.holdAnswers('append');
    await kill(victim, one);
    const kind = isBetween ? `${victim}, between` : victim;
    kills[kind] = (kills[kind] ?? 0) + 1;
  }
  await moreAcks(all, 1);
  const found = await auditMachines(
    machines,
    all.map(({ load }) => load),
    () => server.head(),
  );
  await server.stop();
  return { ...found, kills } satisfies ClusterKills;
}

/** Resolves when each sender has so many more acks. */
async function moreAcks(all: readonly Killed[], count: number): Promise<void> {
  const wanted = all.map(({ load }) => load.ackedTotal + count);
  const ended = () => all.find(({ machine }) => machine.serve.ended);
  const done = () => all.every(({ load }, n) => load.ackedTotal >= (wanted[n] ?? 0));
  await until(() => done() || ended() !== undefined, 'every machine acknowledges', 120_000);
  const lost = ended();
  if (lost !== undefined) throw new Error(`serve ended by itself:\n${lost.machine.serve.stderr}`);
}
