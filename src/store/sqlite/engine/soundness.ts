import type { Soundness } from '../../system-state.ts';
import type { Database } from './database.ts';

/** Reads what the background comparison of all rows found. */
export function soundnessRead(database: Database): () => Soundness {
  const read = database.prepare<[], { damage: string; finishedAtMs: number | null }>(
    'SELECT damage, finished_at AS finishedAtMs FROM soundness WHERE id = 1',
  );
  return () => {
    const { damage = '[]', finishedAtMs = null } = read.get() ?? {};
    return { damage: JSON.parse(damage), finishedAtMs };
  };
}
