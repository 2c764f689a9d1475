import { existsSync, readdirSync, readFileSync } from 'node:fs';

// Figures of a process from /proc. Where there is no /proc they are NaN.

/** CPU microseconds since the start. */
export interface CpuTimes {
  readonly all: number;
  readonly mainThread: number;
  /** The busiest of the other threads: of Tallyhook the one that carries out, or with few connections the one that appends. */
  readonly secondThread: number;
}

/** The kernel counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;
const UNKNOWN: CpuTimes = { all: Number.NaN, mainThread: Number.NaN, secondThread: Number.NaN };

export function cpuTimes(pid: number): CpuTimes {
  if (!existsSync(`/proc/${pid}/task`)) return UNKNOWN;
  const others = readdirSync(`/proc/${pid}/task`)
    .filter((thread) => Number(thread) !== pid)
    .map((thread) => cpuOf(`/proc/${pid}/task/${thread}/stat`));
  return {
    all: cpuOf(`/proc/${pid}/stat`),
    mainThread: cpuOf(`/proc/${pid}/task/${pid}/stat`),
    secondThread: Math.max(0, ...others),
  };
}

export function cpuPer(requests: number, before: CpuTimes, after: CpuTimes): CpuTimes {
  return {
    all: (after.all - before.all) / requests,
    mainThread: (after.mainThread - before.mainThread) / requests,
    secondThread: (after.secondThread - before.secondThread) / requests,
  };
}

export function memory(pid: number): { rssBytes: number; peakBytes: number } {
  if (!existsSync(`/proc/${pid}/status`)) return { rssBytes: Number.NaN, peakBytes: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
  return { rssBytes: kibibytes('VmRSS'), peakBytes: kibibytes('VmHWM') };
}

function cpuOf(path: string): number {
  // The name in parentheses may hold blanks; utime and stime are the 12th and 13th field after it.
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}
