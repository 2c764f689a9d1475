import type { Config } from '../../src/config/load.ts';
import { TOKEN_VARIABLE } from '../../src/config/variables.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import type { OpenOperations } from '../../src/store/store.ts';

/** What writes, for the acts of the person whose token this process was given. */
export function operationsOf(config: Config, { create = false } = {}): Promise<OpenOperations> {
  return storeOf(config).operations({ create, credential: credential() });
}

/** The digest of the token; null: none was given. */
export function credential(): string | null {
  const token = process.env[TOKEN_VARIABLE];
  return token === undefined ? null : tokenDigest(token);
}
