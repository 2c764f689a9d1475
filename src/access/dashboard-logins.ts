import { randomBytes } from 'node:crypto';
import type { SessionLengths } from '../domain/access/session.ts';
import type { Archive } from '../store/archive.ts';
import type { Operations } from '../store/operations.ts';
import { type Clock, HOUR_MS, MINUTE_MS, systemClock } from '../time/clock.ts';
import { IdentityProvider, type IdentitySettings } from './identity.ts';
import { type Logins, logins } from './logins.ts';
import { Passwords } from './passwords.ts';
import { type Seal, sealKey, sealKeyFile, sealOf } from './seal.ts';

/** What of the configuration logins depend on. */
export interface LoginSettings {
  readonly audit: { readonly key: { readonly file: string } };
  readonly dashboard: {
    readonly idleMinutes: number;
    readonly sessionHours: number;
    readonly oidc: IdentitySettings | null;
  };
}

interface LoginsOrder {
  readonly config: LoginSettings;
  readonly archive: Pick<Archive, 'login' | 'linkOwner' | 'session'>;
  readonly operations: Pick<Operations, 'access'>;
  readonly clock: Clock;
}

interface Kept {
  readonly seal: Seal;
  readonly passwords: Passwords;
  readonly identity: IdentityProvider | null;
}

/** By configuration: one queue of hashes, one key, and what the provider said of itself. */
const kept = new WeakMap<LoginSettings, Kept>();

function keptOf(config: LoginSettings): Kept {
  const known = kept.get(config);
  if (known !== undefined) return known;
  const seal = sealOf(sealKey(sealKeyFile(config.audit.key.file), randomBytes), randomBytes);
  const { oidc } = config.dashboard;
  const identity = oidc === null ? null : new IdentityProvider(oidc, { seal, random: randomBytes, clock: systemClock });
  const made = { seal, passwords: new Passwords(), identity };
  kept.set(config, made);
  return made;
}

/** The logins of a dashboard. @throws TallyhookError when the key of their secrets cannot be read or made */
export function loginsOf({ config, archive, operations, clock }: LoginsOrder): Logins {
  const { seal, passwords } = keptOf(config);
  return logins({ archive, operations, passwords, seal, clock, random: randomBytes, lengths: lengthsOf(config) });
}

/** The identity provider; null: none is configured. */
export function identityOf(config: LoginSettings): IdentityProvider | null {
  return keptOf(config).identity;
}

function lengthsOf({ dashboard: { idleMinutes, sessionHours } }: LoginSettings): SessionLengths {
  return { idleMs: idleMinutes * MINUTE_MS, absoluteMs: sessionHours * HOUR_MS };
}
