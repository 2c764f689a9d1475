import { join } from 'node:path';
import { type Audit, audit } from './audit.ts';
import { temporaryFolder } from './folder.ts';
import { Load } from './load.ts';
import { seededRandom } from './random.ts';
import { carriedOut } from './reader.ts';
import { Serve, type ServeSetup } from './serve.ts';
import { until } from './wait.ts';

export interface KillFigures extends Audit {
  readonly kills: number;
  readonly acked: number;
  readonly distinctAcked: number;
  readonly restartMsP50: number;
  readonly restartMsMax: number;
}

export interface KillOrder {
  readonly kills: number;
  readonly seed: number;
  /** Most acks between two kills. */
  readonly mostAcks?: number;
  /** How the program runs; the last start, after the last kill, is the usual one. */
  readonly program?: Pick<ServeSetup, 'under' | 'launcher' | 'env'>;
}

/** Kills the real process with -9 under load, `kills` times, each after a random number of acks; then audits the store. */
export async function killRounds({ kills, seed, mostAcks = 1_550, program = {} }: KillOrder): Promise<KillFigures> {
  const random = seededRandom(seed);
  const cwd = temporaryFolder();
  const database = join(cwd, 'tallyhook.db');
  const restartMs: number[] = [];
  let serve = await Serve.start({ cwd, database, ...program });
  const load = new Load(serve.url, { connections: 64, seed });
  for (let kill = 0; kill < kills; kill++) {
    const target = load.ackedTotal + Math.floor((random() * 0.97 + 0.03) * mostAcks);
    await until(() => load.ackedTotal >= target || serve.ended, `kill ${kill} has its acks`, 120_000);
    if (serve.ended) throw new Error(`serve ended early:\n${serve.stderr}`);
    load.moveTo(null);
    await serve.kill();
    const startedAt = performance.now();
    serve = await Serve.start({ cwd, database, ...(kill === kills - 1 ? {} : program) });
    restartMs.push(performance.now() - startedAt);
    load.moveTo(serve.url);
  }
  await load.stop();
  await carriedOut(database, 120_000);
  const code = await serve.stop();
  if (code !== 0) throw new Error(`serve ended with code ${code}:\n${serve.stderr}`);
  restartMs.sort((one, other) => one - other);
  return {
    kills,
    acked: load.ackedTotal,
    distinctAcked: load.acked.size,
    restartMsP50: Math.round(restartMs[restartMs.length >> 1] ?? 0),
    restartMsMax: Math.round(restartMs.at(-1) ?? 0),
    ...audit(database, load.acked, load.sent),
  };
}
