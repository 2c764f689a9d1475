import { readFileSync } from 'node:fs';
import { packageFile } from '../package-root.ts';

/** Statements for the owner of the log in PostgreSQL: the rights of the program's role, and of `ROLE_upkeep`, which deletes what is dispensable. */
export function grantsFor(role: string): string {
  const text = readFileSync(packageFile('migrations', 'postgres', 'grants.sql'), 'utf8');
  return text.replaceAll('NAME', () => role.replaceAll('"', '""'));
}
