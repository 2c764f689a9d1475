import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readStatement } from '../../../src/reconcile/file/read.ts';
import { readProfile } from '../../../src/reconcile/profile/load.ts';
import { proposeProfile } from '../../../src/reconcile/proposal/propose.ts';
import { readSource } from '../../../src/reconcile/sheet/read/source.ts';

/*
 * Reads the files that it is told, one after the other, and answers each with how it ended, the processor time that it took, and the
 * most memory that the process had meanwhile.
 */

export type ReadHow = 'statement' | 'profile' | 'exceptions';
export interface ReadOrder {
  readonly how: ReadHow;
  readonly path: string;
  /** The profile of a statement, as text. */
  readonly profile: string;
}
export interface ReadAnswer {
  /** The sentence that refuses the file, with its hint; null: it was read. */
  readonly refused: string | null;
  readonly isSentence: boolean;
  readonly processorMs: number;
  readonly mostBytes: number;
  /** What the process has afterwards. */
  readonly keptBytes: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

process.on('message', async (order: ReadOrder) => process.send?.(await answerTo(order)));

async function answerTo({ how, path, profile }: ReadOrder): Promise<ReadAnswer> {
  collectGarbage();
  // The most memory so far counts from here.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = process.cpuUsage();
  const error = await read(how, path, profile).then(
    () => null,
    (reason: Error & { hint?: string }) => reason,
  );
  const { user, system } = process.cpuUsage(before);
  const mostBytes = memoryBytes('VmHWM');
  collectGarbage();
  return {
    refused: error === null ? null : `${error.message} ${error.hint ?? ''}`,
    isSentence: error === null || error.name === 'StatementFileError',
    processorMs: (user + system) / 1_000,
    mostBytes,
    keptBytes: memoryBytes('VmRSS'),
  };
}

function memoryBytes(name: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
}

async function read(how: ReadHow, path: string, profile: string): Promise<unknown> {
  if (how === 'profile') return proposeProfile(path);
  if (how === 'exceptions') return readSource(path);
  for await (const _chunk of readStatement({ path, profile: readProfile(profile, 'profile.yaml') }).chunks) {
    // Only that it is read.
  }
  return null;
}
