import { openDatabase } from '../engine/database.ts';

const PROBLEMS_SHOWN = 5;

/** At most PROBLEMS_SHOWN damages of the structure of the file; empty when it is sound. Reads all of it. */
export function quickCheck(path: string): string[] {
  return problemsOf(path, 'quick_check');
}

/** As `quickCheck`; `integrity_check` also compares every index with the rows, and takes several times as long. */
export function problemsOf(path: string, check: 'quick_check' | 'integrity_check'): string[] {
  const database = openDatabase(path, { readonly: true });
  try {
    const problems = database.prepare<[], string>(`PRAGMA ${check}(${PROBLEMS_SHOWN})`).pluck().all();
    return problems.filter((problem) => problem !== 'ok');
  } finally {
    database.close();
  }
}
