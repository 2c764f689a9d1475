import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../receiver.ts';

/** What the recorded program did to its files, in order. */
export type Step =
  | { readonly type: 'create'; readonly path: string }
  | { readonly type: 'truncate'; readonly path: string; readonly size: number }
  | { readonly type: 'write'; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  /** A sync that another thread's calls overlap: what is written from here to its `sync` is not certain after it. */
  | { readonly type: 'syncing'; readonly path: string; readonly thread: string }
  | { readonly type: 'sync'; readonly path: string; readonly thread: string }
  | { readonly type: 'unlink'; readonly path: string }
  | { readonly type: 'ack'; readonly upTo: number };

export interface Recording {
  readonly folder: string;
  readonly database: string;
  readonly steps: readonly Step[];
}

const CALLS = 'openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,rename';

/** With CI=true no test is left out, so a missing strace must be named. */
export function expectStrace(): void {
  if (spawnSync('strace', ['-V']).error === undefined) return;
  throw new Error('strace is not installed, and these proofs need it. Install it: apt-get install strace');
}

/** Runs the recorder under strace and reads every change of a file in its folder. */
export function record(events: number, synchronous: 'FULL' | 'NORMAL'): Recording {
  expectStrace();
  const folder = temporaryFolder();
  const [database, log] = [join(folder, 'tallyhook.db'), join(temporaryFolder(), 'calls')];
  const recorder = join(import.meta.dirname, 'recorder.ts');
  const strace = ['-f', '-y', '-xx', '-s', '70000', '-e', `trace=${CALLS}`, '-o', log];
  const args = [...strace, process.execPath, recorder, database, join(folder, 'acks'), String(events), synchronous];
  const { status, stderr } = spawnSync('strace', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`The recorder ended with ${status}: ${stderr}`);
  return { folder, database, steps: stepsOf(readFileSync(log, 'latin1'), folder) };
}

function stepsOf(log: string, folder: string): Step[] {
  const unfinished = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of log.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      const begun = rest.slice(0, -'<unfinished ...>'.length);
      unfinished.set(pid, begun);
      if (/^f(data)?sync\(/.test(begun))
        steps.push({ type: 'syncing', path: pathIn(begun.slice(begun.indexOf('(') + 1)), thread: pid });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const step = stepOf(resumed === null ? rest : `${unfinished.get(pid)}${resumed[1]}`, pid);
    if (step !== null && (step.type === 'ack' || step.path.startsWith(folder))) steps.push(step);
  }
  return steps;
}

function stepOf(call: string, thread: string): Step | null {
  const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+.*)$/.exec(call) ?? [];
  if (name === '' || result.startsWith('-')) return null;
  if (name === 'openat') {
    const [, flags = ''] = /", ([A-Z_|]+)/.exec(args) ?? [];
    const path = pathIn(result);
    if (flags.includes('O_TRUNC')) return { type: 'truncate', path, size: 0 };
    return flags.includes('O_CREAT') ? { type: 'create', path } : null;
  }
  if (name === 'unlink') return { type: 'unlink', path: textIn(args).toString() };
  const path = pathIn(args);
  if (name === 'fsync' || name === 'fdatasync') return { type: 'sync', path, thread };
  const numbers = args.split(', ').slice(1).map(Number);
  if (name === 'ftruncate') return { type: 'truncate', path, size: numbers[0] as number };
  const bytes = textIn(args);
  if (name === 'pwrite64')
    return { type: 'write', path, offset: numbers[2] as number, bytes: whole(bytes, numbers[1]) };
  const [, upTo] = /^ACK (\d+)\n$/.exec(bytes.toString()) ?? [];
  if (name === 'write') return upTo === undefined ? null : { type: 'ack', upTo: Number(upTo) };
  throw new Error(`The recording holds a call that the replay does not know: ${name}`);
}

function whole(bytes: Buffer, length: number | undefined): Buffer {
  if (bytes.length !== length) throw new Error(`The recording cut a write of ${length} bytes to ${bytes.length}.`);
  return bytes;
}

/** The path that strace puts after a descriptor, `5</tmp/x>`. */
function pathIn(text: string): string {
  const [, path = ''] = /^\d+<([^>]*)>/.exec(text) ?? [];
  return path.includes('\\x') ? Buffer.from(path.replaceAll('\\x', ''), 'hex').toString() : path;
}

function textIn(args: string): Buffer {
  const [, text = ''] = /"((?:\\x[0-9a-f]{2})*)"/.exec(args) ?? [];
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}
