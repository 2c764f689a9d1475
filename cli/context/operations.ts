import type { Config } from '../../src/config/load.ts';
import { TOKEN_VARIABLE } from '../../src/config/variables.ts';
import type { Credential } from '../../src/domain/access/proof.ts';
import { tokenDigest } from '../../src/domain/access/token.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import type { OpenOperations } from '../../src/store/store.ts';

/** What writes, for the acts of the person whose token this process was given. */
export function operationsOf(config: Config, { create = false } = {}): Promise<OpenOperations> {
  return storeOf(config).operations({ create, credential: credential() });
}

/** What proves whose acts these are; null: no token was given. */
export function credential(): Credential | null {
  const token = process.env[TOKEN_VARIABLE];
  return token === undefined ? null : { kind: 'token', digest: tokenDigest(token) };
}
