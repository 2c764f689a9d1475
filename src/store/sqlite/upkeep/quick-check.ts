import { openDatabase } from '../engine/database.ts';

const PROBLEMS_SHOWN = 5;

/** At most PROBLEMS_SHOWN damages that the engine finds; empty when the file is sound. Reads all of it. */
export function quickCheck(path: string): string[] {
  const database = openDatabase(path, { readonly: true });
  try {
    const rows = database.pragma(`quick_check(${PROBLEMS_SHOWN})`) as { quick_check: string }[];
    return rows.map((row) => row.quick_check).filter((problem) => problem !== 'ok');
  } finally {
    database.close();
  }
}
