import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { V8_FLAGS } from '../../cli/runtime.js';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import { tallyhookVariables } from '../ingest/tallyhook.ts';
import type { Workplace } from '../workplace.ts';
import { fillDue } from './fill.ts';

export interface SweepTask {
  readonly url: string;
  readonly concurrency: number;
  /** The configuration of the machine. */
  readonly env: Readonly<Record<string, string>> & { readonly TALLYHOOK_DATABASE: string };
}

export interface SweepReport extends SweepResult {
  readonly seconds: number;
  readonly cpuMicros: number;
  /** Mean of the service's real delays. */
  readonly serviceMs: number;
  /** Sampled twice a second. */
  readonly rssBytes: readonly number[];
}

export interface SweepScale {
  readonly records: number;
  readonly concurrency: number;
  readonly serviceMs: number;
}

/** Measures one sweep over due records alone, against a service with a fixed delay. */
export async function measureSweep(workplace: Workplace, scale: SweepScale, round: number): Promise<SweepReport> {
  const database = workplace.path(`sweep-${round}.db`);
  await fillDue(database, scale.records);
  const { reports, serviceMs } = await sweepTogether([tallyhookVariables(database)], scale);
  return { ...(reports[0] as OwnReport), serviceMs };
}

type OwnReport = Omit<SweepReport, 'serviceMs'>;

/** One sweep on each of these machines at once, which share out the checks at a time; checks that each record was confirmed once. */
export async function sweepTogether(
  machines: readonly SweepTask['env'][],
  { records, concurrency, serviceMs }: SweepScale,
): Promise<{ readonly reports: readonly OwnReport[]; readonly serviceMs: number }> {
  const service = fork(script('service.ts'), [String(serviceMs)]);
  const [{ url }] = (await once(service, 'message')) as [{ url: string }];
  const sweepers = machines.map((env) => {
    const sweeper = fork(script('sweeper.ts'), [], { execArgv: V8_FLAGS });
    sweeper.send({ url, env, concurrency: concurrency / machines.length } satisfies SweepTask);
    return sweeper;
  });
  await Promise.all(sweepers.map(answerOf));
  for (const sweeper of sweepers) sweeper.send('begin');
  const reports = (await Promise.all(sweepers.map(answerOf))) as OwnReport[];
  service.send('report');
  const [{ meanMs, answers }] = (await once(service, 'message')) as [{ meanMs: number; answers: number }];
  service.disconnect();
  const confirmed = reports.reduce((sum, report) => sum + report.confirmed, 0);
  if (confirmed !== records || answers !== records)
    throw new Error(`${confirmed} of ${records} were confirmed, by ${answers} answers`);
  return { reports, serviceMs: meanMs };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the sweep ended with ${code}`);
  });
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return answer;
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
