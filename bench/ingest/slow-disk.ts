import { spawnSync } from 'node:child_process';
import { digits, table, whole } from '../table.ts';
import type { Bench } from './bench.ts';
import { senderLoad } from './load.ts';
import { expectClean } from './load-result.ts';
import { SubjectProcess } from './subject-process.ts';

const DELAY_MS = 200;
const CONNECTIONS = 64;
const HEALTH_CHECKS_PER_SECOND = 100;
const FASTEST = 5_000;
/** Limit of the p99 of `/healthz`: the event loop must not wait for the disk. */
const HEALTH_P99_MS = 50;
/** Ten times the rate of one event per fsync: acks come in groups. */
const ACKS_PER_SECOND = 10 * (1_000 / DELAY_MS);

export interface SlowDiskResult {
  readonly acksPerSecond: number;
  readonly ackP99Ms: number;
  readonly healthP50Ms: number;
  readonly healthP99Ms: number;
}

/** Measures with every fsync delayed by 200 ms. Sets exit code 1 when `/healthz` or the acks miss their limit. */
export async function slowDisk(bench: Bench): Promise<SlowDiskResult> {
  if (spawnSync('strace', ['-V']).error !== undefined) throw new Error('--slow-disk needs strace on the PATH');
  const calls = 'fsync,fdatasync';
  const inject = `inject=${calls}:delay_enter=${DELAY_MS * 1_000}`;
  const subject = await SubjectProcess.start(bench.workplace, 'tallyhook', {
    database: bench.workplace.path('slow-disk.db'),
    wrapper: ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', inject],
  });
  const { port } = subject;
  const events = bench.events.file(FASTEST * bench.seconds);
  const checks = bench.events.healthChecks(HEALTH_CHECKS_PER_SECOND * bench.seconds);
  const [acks, health] = await Promise.all([
    senderLoad(
      bench.workplace,
      { port, connections: CONNECTIONS, file: events },
      { kind: 'closed', seconds: bench.seconds },
    ),
    senderLoad(
      bench.workplace,
      { port, connections: 1, file: checks },
      { kind: 'steady', perSecond: HEALTH_CHECKS_PER_SECOND },
    ),
  ]);
  expectClean('slow disk', acks);
  expectClean('slow disk, /healthz', health);
  await subject.discard();
  bench.events.discard(events);
  bench.events.discard(checks);
  const acksPerSecond = acks.requests / acks.seconds;
  if (health.p99Ms >= HEALTH_P99_MS || acksPerSecond <= ACKS_PER_SECOND) process.exitCode = 1;
  return { acksPerSecond, ackP99Ms: acks.p99Ms, healthP50Ms: health.p50Ms, healthP99Ms: health.p99Ms };
}

export function slowDiskText(result: SlowDiskResult): string {
  return table(
    [`every fsync takes ${DELAY_MS} ms, ${CONNECTIONS} connections`, 'value'],
    [
      [`acks per second (more than ${ACKS_PER_SECOND})`, whole(result.acksPerSecond)],
      ['ack p99 ms', digits(result.ackP99Ms)],
      ['/healthz p50 ms', digits(result.healthP50Ms)],
      [`/healthz p99 ms (less than ${HEALTH_P99_MS})`, digits(result.healthP99Ms)],
    ],
  );
}
