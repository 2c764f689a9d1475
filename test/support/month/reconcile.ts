import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import { FROM, TO } from './days.ts';
import type { Report } from './judge.ts';

export interface Reconciled {
  readonly code: number | null;
  readonly stderr: string;
  readonly text: string;
  readonly report: Report;
}

/** Reconciles October by the real command. */
export async function reconcileMonth(
  folder: string,
  database: string,
  ...more: readonly string[]
): Promise<Reconciled> {
  const words = ['reconcile', '--from', FROM, '--to', TO, '--json', ...more];
  const { code, stdout, stderr } = await command(words, { cwd: folder, env: commandEnv(database) });
  if (code !== 0 && code !== 3) throw new Error(`reconcile ended with ${code}: ${stderr}${stdout}`);
  return { code, stderr, text: stdout, report: JSON.parse(stdout) as Report };
}
