import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';
import { digits } from './table.ts';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  /** Median time of a write of 4 KiB and its fdatasync. */
  readonly fsyncMs: number;
  /** Load average of the last minute, before the first measurement. */
  readonly load: number;
}

const SYNCS = 200;
const TMPFS = 0x01021994;

/** Facts on which the figures depend. `folder` is on the disk of the databases. */
export function machineFacts(folder: string): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
    fsyncMs: fsyncMs(folder),
    load: loadavg()[0] ?? 0,
  };
}

export function machineText({ cpu, cores, memoryBytes, node, fsyncMs, load }: Machine): string {
  return `${cpu}, ${cores} cores, ${digits(memoryBytes / 2 ** 30, 0)} GiB, Node ${node}; fsync median ${digits(fsyncMs, 3)} ms; load ${digits(load)} before the run`;
}

export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === TMPFS;
}

function fsyncMs(folder: string): number {
  const path = join(folder, 'fsync');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: SYNCS }, () => {
    const startMs = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - startMs;
  });
  closeSync(file);
  rmSync(path);
  return median(times);
}
