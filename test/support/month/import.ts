import type { Shop } from '../shop/shop.ts';
import type { FilePlan } from './files.ts';
import { profileOf } from './profile.ts';
import type { FileLine } from './story.ts';
import { type WrittenFile, writeFile } from './write-file.ts';

/** Where a line is: its statement, and its rows there. */
export type Places = Map<FileLine, { readonly statement: number; readonly rows: readonly number[] }>;

/** Imports a file by a profile of its own. Returns the number of the statement; a file that is known has one already. */
export async function importFile(shop: Shop, plan: FilePlan, written: WrittenFile = writeFile(plan)): Promise<number> {
  const profile = `${plan.account.name}-${plan.dialect.name}.yaml`;
  shop.file(profile, profileOf(plan));
  const result = await shop.tryImport(profile, written.name, written.bytes);
  if (result.outcome === 'stopped' || result.statement === null) throw new Error(`${written.name} was not imported.`);
  return result.statement;
}

/** Imports every file of a month, one after the other. */
export async function importAll(shop: Shop, files: readonly FilePlan[]): Promise<Places> {
  const places: Places = new Map();
  for (const plan of files) {
    const written = writeFile(plan);
    const statement = await importFile(shop, plan, written);
    for (const [line, rows] of written.rowsOf) places.set(line, { statement, rows });
  }
  return places;
}
