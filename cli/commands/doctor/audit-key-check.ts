import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../../src/config/load.ts';
import { TallyhookError } from '../../../src/domain/error.ts';
import { type Examined, failed, ok, skipped, warning } from '../../../src/store/examination.ts';
import type { Store } from '../../../src/store/store.ts';

const NAME = 'audit key';

/** Checks that the key of the audit chain is there, or can be made: without it nothing that must be entered is done. */
export async function checkAuditKey({ audit }: Pick<Config, 'audit'>, store: Store): Promise<Examined> {
  const { file } = audit.key;
  const folder = dirname(file);
  if (existsSync(file)) {
    const hint = 'Let this user read it, as the user of serve must, too.';
    return may(file, constants.R_OK)
      ? ok(NAME, `in ${file}; keep a copy elsewhere`)
      : warning(NAME, `${file} cannot be read`, hint);
  }
  const entries = await hasEntries(store);
  if (entries === null) return skipped(NAME, 'whether it is needed is in the database, which cannot be read');
  if (entries)
    return failed(NAME, `${file} is gone`, 'Put your copy of it back, or let audit.key name the right file.');
  if (may(folder, constants.W_OK)) return ok(NAME, `the first act will make ${file}`);
  const hint =
    'Let audit.key name a file in a folder that the user of serve may write to: that of the database, or another.';
  return warning(NAME, `${file} is not there, and this user cannot make it`, hint);
}

/** Null: the database cannot be read. */
async function hasEntries(store: Store): Promise<boolean | null> {
  try {
    const archive = await store.archive();
    try {
      return (await archive.auditHead()) !== null;
    } finally {
      await archive.close();
    }
  } catch (error) {
    if (error instanceof TallyhookError) return null;
    throw error;
  }
}

function may(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch {
    return false;
  }
}
