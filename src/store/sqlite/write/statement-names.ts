import type { Timed } from '../../../time/clock.ts';
import type { StatementProfile } from '../../statements.ts';
import type { Database } from '../engine/database.ts';

/** What the statements that show, and imports under way, bind: names of accounts and profiles, and files. */
export function statementNames(database: Database) {
  const shows = database.prepare<[number]>(
    "SELECT 1 FROM imported_statements WHERE account_id = ? AND state = 'imported' LIMIT 1",
  );
  const ofFile = database
    .prepare<[number, string], number>(
      "SELECT id FROM imported_statements WHERE account_id = ? AND state = 'imported' AND file_sha256 = ? ORDER BY id",
    )
    .pluck();
  const profile = database.prepare<[string, number], { digest: string; firstUsedAtMs: number }>(`
    SELECT p.digest, p.first_used_at AS firstUsedAtMs
    FROM statement_profiles p JOIN imported_statements s ON s.profile_id = p.id
    WHERE p.name = ? AND (s.state = 'imported' OR s.id IN (SELECT importing FROM accounts WHERE leased_until > ?))
    ORDER BY p.id LIMIT 1`);
  const knowProfile = database
    .prepare<StatementProfile & Timed, number>(`
      INSERT INTO statement_profiles (name, digest, text, first_used_at) VALUES (@name, @digest, @text, @nowMs)
      ON CONFLICT (name, digest) DO UPDATE SET text = excluded.text RETURNING id`)
    .pluck();
  const dropProfiles = database.prepare<[]>(
    'DELETE FROM statement_profiles WHERE id NOT IN (SELECT profile_id FROM imported_statements)',
  );

  return {
    /** Whether the account has a statement that shows. */
    shows: (accountId: number): boolean => shows.get(accountId) !== undefined,
    statementOfFile: (accountId: number, sha256: string): number | null => ofFile.get(accountId, sha256) ?? null,
    /** The content that the name of a profile is bound to; null: the name is free. */
    profile: (name: string, nowMs: number) => profile.get(name, nowMs) ?? null,
    /** Keeps a profile and returns its id. */
    knowProfile: ({ name, digest, text }: StatementProfile, nowMs: number): number =>
      knowProfile.get({ name, digest, text, nowMs }) as number,
    /** Deletes profiles by which no statement was read. */
    dropUnusedProfiles: (): void => void dropProfiles.run(),
  };
}
