import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import { temporaryFolder } from '../folder.ts';
import { seededRandom } from '../random.ts';
import type { FilePlan } from './files.ts';
import { profileOf } from './profile.ts';
import { writeFile } from './write-file.ts';

/** A copy of a database that no process has open. */
export function copyOf(database: string): { readonly folder: string; readonly database: string } {
  const folder = temporaryFolder();
  copyFileSync(database, join(folder, 'tallyhook.db'));
  return { folder, database: join(folder, 'tallyhook.db') };
}

/** The same files with their lines in another order. */
export function shuffled(files: readonly FilePlan[], seed: number): FilePlan[] {
  const random = seededRandom(seed);
  return files.map((file) => {
    const keyed = file.lines.map((line) => [random(), line] as const);
    return { ...file, lines: keyed.sort(([one], [other]) => one - other).map(([, line]) => line) };
  });
}

/** Imports files with one command for each account; more words, such as a file twice, are not refused. */
export async function importPlans(folder: string, database: string, files: readonly FilePlan[]): Promise<void> {
  for (const [account, own] of Map.groupBy(files, (file) => file.account)) {
    const names = own.map((plan) => {
      const { name, bytes } = writeFile(plan);
      writeFileSync(join(folder, name), bytes);
      return name;
    });
    const profile = `${account.name}.yaml`;
    writeFileSync(join(folder, profile), profileOf(own[0] as FilePlan));
    const words = ['statements', 'import', ...names, '--profile', profile];
    const { code, stderr } = await command(words, { cwd: folder, env: commandEnv(database) });
    if (code !== 0) throw new Error(`${account.name}: ${stderr}`);
  }
}
