import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Config } from '../../../src/config/load.ts';
import { importStatement } from '../../../src/reconcile/import/import.ts';
import { readProfile } from '../../../src/reconcile/profile/load.ts';
import {
  CURRENCIES,
  type Currency,
  type DialectName,
  type FileChaos,
  type PlantedFileFault,
  type Sandbox,
  STATEMENT_KINDS,
  type StatementFile,
  type StatementKind,
} from '../../../src/sandbox/index.ts';
import type { Statements } from '../../../src/store/statements.ts';

/** The days of the statements, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** An imported statement file with the faults that were planted in it. */
export interface ImportedStatement {
  readonly statement: number;
  readonly kind: StatementKind;
  readonly currency: Currency;
  readonly lines: number;
  readonly planted: readonly PlantedFileFault[];
}

/** Each kind comes in another layout, with a profile of its own. */
const LAYOUTS: Readonly<Record<StatementKind, DialectName>> = {
  wallet: 'windows',
  settlement: 'parentheses',
  bank: 'debit-credit',
};

/** Faults of the files in naira; the others have none. */
const FAULTY = 'NGN';
const FAULTS: Readonly<Record<StatementKind, FileChaos>> = {
  wallet: { lost: 1, fee: 1, doubled: 1 },
  settlement: {},
  bank: { altered: 1 },
};
/** The same lines have the faults under every seed of the demo. */
const FAULTY_LINES_SEED = 171;

/** Writes the statements that the service and the bank would send for these days into the folder, and imports each. */
export async function importStatements(
  sandbox: Sandbox,
  statements: Statements,
  { days, folder, config }: { readonly days: Days; readonly folder: string; readonly config: Config },
): Promise<ImportedStatement[]> {
  const to = join(folder, 'statements');
  mkdirSync(to, { recursive: true });
  const imported: ImportedStatement[] = [];
  for (const kind of STATEMENT_KINDS) {
    for (const currency of CURRENCIES) {
      const chaos = currency === FAULTY ? FAULTS[kind] : {};
      const about = { kind, currency, ...days, zone: config.timeZone, dialect: LAYOUTS[kind] };
      const file = await sandbox.statement({ ...about, chaos, seed: FAULTY_LINES_SEED });
      if (file.lines > 0)
        imported.push(await importOne(file, join(to, `${kind}-${currency.toLowerCase()}`), statements));
    }
  }
  return imported;
}

async function importOne(file: StatementFile, name: string, statements: Statements): Promise<ImportedStatement> {
  const [path, profilePath] = [`${name}.csv`, `${name}.yaml`];
  writeFileSync(path, Buffer.from(file.content, 'base64'));
  writeFileSync(profilePath, stringify(file.profile));
  const profile = readProfile(stringify(file.profile), profilePath);
  const parts = { signal: new AbortController().signal };
  const result = await importStatement({ path, profile }, statements, parts);
  if (result.outcome !== 'imported' || result.statement === null || result.totals.unparsed > 0)
    throw new Error(`The statement ${path} was not imported whole: ${result.outcome}.`);
  const { kind, currency, lines, planted } = file;
  return { statement: result.statement, kind, currency, lines, planted };
}
