import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../command.ts';
import { commandEnv } from '../command-env.ts';
import type { FilePlan } from './files.ts';
import { profileOf } from './profile.ts';
import type { FileLine } from './story.ts';
import { type WrittenFile, writeFile } from './write-file.ts';

export interface ImportAnswer {
  readonly statement: number;
  readonly lines: number;
  readonly new: number;
  readonly unparsed: readonly { readonly row: number; readonly value: string }[];
  readonly controls: readonly unknown[];
}

/** Where a line is: its statement, and its rows there. */
export type Places = Map<FileLine, { readonly statement: number; readonly rows: readonly number[] }>;

/** Writes a file and its profile into the folder and imports it; returns the command's answer. */
export async function importFile(
  folder: string,
  database: string,
  plan: FilePlan,
  written: WrittenFile = writeFile(plan),
): Promise<ImportAnswer> {
  const profile = `${plan.account.name}-${plan.dialect.name}.yaml`;
  writeFileSync(join(folder, written.name), written.bytes);
  writeFileSync(join(folder, profile), profileOf(plan));
  const { code, stdout, stderr } = await command(
    ['statements', 'import', written.name, '--profile', profile, '--json'],
    { cwd: folder, env: commandEnv(database) },
  );
  if (code !== 0 && code !== 3) throw new Error(`${written.name} was refused: ${stderr}${stdout}`);
  return JSON.parse(stdout) as ImportAnswer;
}

/** Imports every file of a month, one after the other. */
export async function importAll(folder: string, database: string, files: readonly FilePlan[]): Promise<Places> {
  const places: Places = new Map();
  for (const plan of files) {
    const written = writeFile(plan);
    const { statement } = await importFile(folder, database, plan, written);
    for (const [line, rows] of written.rowsOf) places.set(line, { statement, rows });
  }
  return places;
}
