import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../src/package-root.ts';
import { fork } from '../processes.ts';
import type { Serve } from '../serve.ts';
import type { AttackOrder } from './attack-process.ts';
import type { AttackName, AttackSize } from './attacks.ts';
import type { HonestOrder, Honesty } from './honest-process.ts';
import type { Tally } from './sockets.ts';

const MEBIBYTE = 1024 * 1024;

/** A process that attacks until it is stopped; `seen` is what it reported last. */
export interface Attacker {
  readonly seen: Tally;
  stop(): void;
}

/** Attacks from processes of their own, so that the memory and time they take are not those of `serve` or the test. */
export function attackFrom(
  url: string,
  attack: AttackName,
  { from, ...size }: AttackSize & { from: string },
): Attacker {
  const child = started('attack-process');
  let seen: Tally = { opened: 0, open: 0, sentBytes: 0, answers: {} };
  child.on('message', (tally: Tally) => {
    seen = tally;
  });
  const target = { host: new URL(url).hostname, port: Number(new URL(url).port), from };
  child.send({ attack, target, ...size } satisfies AttackOrder);
  return {
    get seen() {
      return seen;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

/** A process that delivers authentic events at a steady rate; `seen` is what it reported last. */
export interface Honest {
  readonly seen: Honesty;
  stop(): void;
}

export function honestSender(url: string, { perSecond, from }: { perSecond: number; from: string }): Honest {
  const child = started('honest-process');
  let seen: Honesty = { latenciesMs: [], answers: {} };
  child.on('message', (honesty: Honesty) => {
    seen = honesty;
  });
  const { hostname: host, port } = new URL(url);
  child.send({ host, port: Number(port), from, perSecond } satisfies HonestOrder);
  return {
    get seen() {
      return seen;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

/** Memory of `serve` in MiB: now, and at its highest so far. */
export function memoryOf({ pid }: Serve): { readonly nowMiB: number; readonly peakMiB: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    Math.round((Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / MEBIBYTE);
  return { nowMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
}

/** Returns the smallest number that is not exceeded by `share` of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function started(name: string): ChildProcess {
  return fork(packageFile(`test/support/attacks/${name}.ts`));
}
