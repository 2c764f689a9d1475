import { spawn } from './processes.ts';
import { LAUNCHER } from './program.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** A program that runs it, such as unshare with its options. */
  readonly under?: readonly string[];
  /** Of another copy of the program. */
  readonly launcher?: string;
}

/** As a shell passes it to a program that it found on the PATH: advice then names `tallyhook`. */
export const FOUND_ON_PATH = { _: 'tallyhook' };

/** Runs the real program without the caller's TALLYHOOK_… variables, and waits for its end. */
export function tallyhook(
  args: readonly string[],
  { cwd, env = {}, input = '', under = [], launcher = LAUNCHER }: RunOptions,
): Promise<Ended> {
  const [program = '', ...words] = [...under, process.execPath, launcher, ...args];
  const child = spawn(program, words, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...FOUND_ON_PATH, ...env },
  });
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  child.stdin.on('error', () => {}); // a command that reads no input may end before it is written
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...ended }));
  });
}
