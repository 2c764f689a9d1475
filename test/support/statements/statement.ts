import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatementLine, UnparsedRow } from '../../../src/domain/statements/statement.ts';
import type { FileLimits } from '../../../src/reconcile/file/limits.ts';
import { readStatement, type StatementEnd } from '../../../src/reconcile/file/read.ts';
import { type Profile, readProfile } from '../../../src/reconcile/profile/load.ts';

export interface ReadWhole extends StatementEnd {
  readonly lines: readonly StatementLine[];
  readonly unparsed: readonly UnparsedRow[];
}

/** Settings of a profile for a table with Date, Reference and Amount. */
export const PLAIN = {
  version: 1,
  name: 'plain',
  kind: 'wallet',
  account: 'main',
  environment: 'test',
  currency: 'NGN',
  columns: { date: 'Date', reference: 'Reference' },
  dateFormat: 'yyyy-MM-dd',
  amount: { signed: 'Amount' },
};

/** Returns a profile from its settings; JSON is YAML. */
export function profileOf(settings: object = {}): Profile {
  return readProfile(JSON.stringify({ ...PLAIN, ...settings }), 'profile.yaml');
}

/** Writes a file and passes its path on; the file is gone afterwards. */
export async function withFile<Result>(
  content: string | Uint8Array,
  use: (path: string) => Promise<Result>,
  name = 'statement.csv',
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tallyhook-statement-'));
  try {
    writeFileSync(join(folder, name), content);
    return await use(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a whole statement through the one interface. */
export function readWhole(
  content: string | Uint8Array,
  profile: Profile = profileOf(),
  limits: Partial<FileLimits> = {},
): Promise<ReadWhole> {
  return withFile(content, (path) => readPath(path, profile, limits));
}

export async function readPath(path: string, profile: Profile, limits: Partial<FileLimits> = {}): Promise<ReadWhole> {
  const reading = readStatement({ path, profile, limits });
  const lines: StatementLine[] = [];
  const unparsed: UnparsedRow[] = [];
  for await (const chunk of reading.chunks) {
    lines.push(...chunk.lines);
    unparsed.push(...chunk.unparsed);
  }
  return { ...reading.end(), lines, unparsed };
}
