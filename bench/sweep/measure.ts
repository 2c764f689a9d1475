import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { V8_FLAGS } from '../../cli/runtime.js';
import type { SweepResult } from '../../src/confirm/sweep-result.ts';
import type { Workplace } from '../workplace.ts';
import { fillDue } from './fill.ts';

export interface SweepTask {
  readonly database: string;
  readonly url: string;
  readonly concurrency: number;
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
  const service = fork(script('service.ts'), [String(scale.serviceMs)]);
  const [{ url }] = (await once(service, 'message')) as [{ url: string }];
  const sweeper = fork(script('sweeper.ts'), [], { execArgv: V8_FLAGS });
  sweeper.send({ database, url, concurrency: scale.concurrency } satisfies SweepTask);
  const report = await answerOf(sweeper);
  service.send('report');
  const [{ meanMs: serviceMs }] = (await once(service, 'message')) as [{ meanMs: number }];
  service.disconnect();
  if (report.confirmed !== scale.records)
    throw new Error(`only ${report.confirmed} of ${scale.records} were confirmed`);
  return { ...report, serviceMs };
}

type OwnReport = Omit<SweepReport, 'serviceMs'>;

async function answerOf(child: ChildProcess): Promise<OwnReport> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the sweep ended with ${code}`);
  });
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [OwnReport];
  ended.catch(() => {});
  return report;
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
