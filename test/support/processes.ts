import { type ChildProcess, fork as nodeFork, spawn as nodeSpawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { onTestFinished, TestRunner } from 'vitest';

// Every process of the tests is started here, in a process group of its own. The group is killed when its test ends, also
// after a time-out, or with the test file if it was started for many tests, or when the process of the tests dies.

/** As that of `node:child_process`. */
export const spawn = ((program: string, args: readonly string[], options: object = {}) =>
  owned(nodeSpawn(program, args, { ...options, detached: true }))) as typeof nodeSpawn;

/** As that of `node:child_process`. */
export const fork = ((path: string, args: readonly string[] = [], options: object = {}) =>
  owned(nodeFork(path, args, { ...options, detached: true }))) as typeof nodeFork;

/** Kills a process that was started here, its group, and its child in another session, as `script` starts one. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined || !started.delete(pid)) return;
  for (const child of childrenOf(pid)) kill(child);
  kill(-pid);
  guard().stdin?.write(`- ${pid}\n`);
}

/** Leaders of the groups that are not killed yet. */
const started = new Set<number>();

function owned<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child; // it could not be started; its `error` event says why
  started.add(pid);
  guard().stdin?.write(`+ ${pid}\n`);
  if (startsFor === 'file' || (startsFor === 'test' && TestRunner.getCurrentTest() === undefined))
    ofThisFile.push(child);
  else if (startsFor === 'test') onTestFinished(() => killGroup(child));
  return child;
}

/** Runs `start` in a test; what it starts lives on until the end of the file, for the tests that follow. */
export async function forThisFile<Result>(start: () => Promise<Result>): Promise<Result> {
  startsFor = 'file';
  try {
    return await start();
  } finally {
    startsFor = 'test';
  }
}
let startsFor: 'test' | 'file' | 'worker' = 'test';

/** What `start` starts lives until the end of the file, or on for the files that follow, until this process ends. */
export function startFor<Started>(span: 'file' | 'worker', start: () => Started): Started {
  startsFor = span;
  try {
    return start();
  } finally {
    startsFor = 'test';
  }
}

/** Started while the file was loaded, in `beforeAll`, or by `forThisFile`. */
const ofThisFile: ChildProcess[] = [];

/** To be called after each file: a worker runs many, and loads this module once. */
export function killProcessesOfFile(): void {
  for (const child of ofThisFile.splice(0)) killGroup(child);
}

/**
 * Outlives this process by a moment. Its input ends however this process ends, also by kill -9; it then kills the groups
 * that are left.
 */
const GUARD = `
  left=' '
  while read -r sign pid; do
    case $sign in
      +) left="$left$pid " ;;
      -) left="\${left%% $pid *} \${left#* $pid }" ;;
    esac
  done
  for pid in $left; do kill -9 $(cat /proc/$pid/task/$pid/children) "-$pid"; done 2>/dev/null`;
let theGuard: ChildProcess | undefined;

function guard(): ChildProcess {
  if (theGuard !== undefined) return theGuard;
  // Detached, so that Ctrl-C does not end it; unreferenced, so that this process does not wait for it.
  theGuard = nodeSpawn('sh', ['-c', GUARD], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  theGuard.unref();
  (theGuard.stdin as unknown as { unref(): void }).unref();
  return theGuard;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has ended, or this is not Linux
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended
  }
}
