import { LINK_MS } from '../../../domain/access/one-time.ts';
import type { Timed } from '../../../time/clock.ts';
import type { ChangedCredentials, CredentialKind as Kind, NewCredentials } from '../../access.ts';
import type { NewLink } from '../../users.ts';
import type { Database } from '../engine/database.ts';

interface NewCredential extends Timed {
  readonly kind: Kind;
  readonly value: string;
  readonly endsAtMs: number | null;
}

/** Codes of a user that are known to be used: a wrong clock that is set right makes none good again. */
const MOST_USED_CODES = 1_000;

/** Rows of what users log in with. The caller holds the transaction. */
export function credentialRows(database: Database) {
  const one = database
    .prepare<[number, Kind], number>(
      'SELECT id FROM credentials WHERE user_id = ? AND kind = ? ORDER BY id DESC LIMIT 1',
    )
    .pluck();
  const owner = database
    .prepare<[Kind, string], number>('SELECT user_id FROM credentials WHERE kind = ? AND value = ?')
    .pluck();
  const insert = database.prepare<NewCredential & { userId: number }>(`
    INSERT INTO credentials (user_id, kind, value, made_at, ends_at) VALUES (@userId, @kind, @value, @nowMs, @endsAtMs)`);
  const take = database.prepare<[Kind, string]>('DELETE FROM credentials WHERE kind = ? AND value = ?');
  const dropKind = database.prepare<[number, Kind]>('DELETE FROM credentials WHERE user_id = ? AND kind = ?');
  const dropAll = database.prepare<[number]>('DELETE FROM credentials WHERE user_id = ?');
  const useCode = database.prepare<[number, number]>(
    'INSERT INTO used_codes (user_id, step) VALUES (?, ?) ON CONFLICT (user_id, step) DO NOTHING',
  );
  const forgetCodes = database.prepare<[number, number]>(`
    DELETE FROM used_codes WHERE user_id = ? AND id NOT IN (
      SELECT id FROM used_codes WHERE user_id = ? ORDER BY id DESC LIMIT ${MOST_USED_CODES})`);

  function putOne(userId: number, credential: NewCredential): void {
    dropKind.run(userId, credential.kind);
    insert.run({ ...credential, userId });
  }

  return {
    /** The number of the latest; null: the user has none. */
    one: (userId: number, kind: Kind): number | null => one.get(userId, kind) ?? null,
    /** The user who has it; null: no user. */
    ownerOf: (kind: Kind, value: string): number | null => owner.get(kind, value) ?? null,
    add: (userId: number, credential: NewCredential): void => void insert.run({ ...credential, userId }),
    take: (kind: Kind, value: string): void => void take.run(kind, value),

    /** False: it was used before. */
    useCode(userId: number, step: number): boolean {
      const isNew = useCode.run(userId, step).changes === 1;
      if (isNew) forgetCodes.run(userId, userId);
      return isNew;
    },

    putLink: (userId: number, { digest }: NewLink, nowMs: number): void =>
      putOne(userId, { kind: 'link', value: digest, endsAtMs: nowMs + LINK_MS, nowMs }),

    /** In the place of all before, the link too; a login elsewhere stays bound. */
    putAll(userId: number, { hash, sealed, recovery }: NewCredentials, nowMs: number): void {
      dropKind.run(userId, 'link');
      dropKind.run(userId, 'recovery');
      putOne(userId, { kind: 'password', value: hash, endsAtMs: null, nowMs });
      putOne(userId, { kind: 'totp', value: sealed, endsAtMs: null, nowMs });
      for (const value of recovery) insert.run({ userId, kind: 'recovery', value, endsAtMs: null, nowMs });
    },

    /** What is given takes the place of its kind; the others stay. */
    change(userId: number, { hash, device, recovery }: ChangedCredentials, nowMs: number): void {
      if (hash !== undefined) putOne(userId, { kind: 'password', value: hash, endsAtMs: null, nowMs });
      if (device !== undefined) putOne(userId, { kind: 'totp', value: device.sealed, endsAtMs: null, nowMs });
      if (recovery === undefined) return;
      dropKind.run(userId, 'recovery');
      for (const value of recovery) insert.run({ userId, kind: 'recovery', value, endsAtMs: null, nowMs });
    },

    dropAll: (userId: number): void => void dropAll.run(userId),
  };
}
