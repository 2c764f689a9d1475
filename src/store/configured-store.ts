import type { CheckRules } from '../domain/checks/next-check.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../time/clock.ts';
import type { StoreOptions } from './library.ts';
import { openStore } from './open.ts';
import type { Store } from './store.ts';

/** What of the configuration a store depends on. Each setting is in docs/configuration.md. */
export interface StoreSettings {
  readonly database: string;
  readonly timeZone: string;
  readonly service: { readonly encryption: { readonly key: Secret; readonly iv: Secret } | null };
  readonly audit: { readonly key: { readonly file: string } };
  readonly confirm: CheckSettings & { readonly debounceSeconds: number };
}

interface CheckSettings {
  readonly unsettledMinutes: readonly number[];
  readonly awaitingSettlementMinutes: number;
  readonly watchDays: readonly number[];
  readonly unprovenMinutes: number;
  readonly attempts: number;
  readonly awaitingSettlementAttempts: number;
  readonly jitterPercent: number;
}

/** The store of a configuration, with its rules of checking: the same for `serve`, the jobs and every command. */
export function storeOf(settings: StoreSettings, { clock }: Pick<StoreOptions, 'clock'> = {}): Store {
  const { encryption } = settings.service;
  return openStore(settings.database, {
    zone: settings.timeZone,
    encryption: encryption && { keyHex: encryption.key, ivHex: encryption.iv },
    debounceMs: settings.confirm.debounceSeconds * SECOND_MS,
    checkRules: checkRulesOf(settings.confirm),
    auditKey: settings.audit.key.file,
    ...(clock !== undefined && { clock }),
  });
}

export function checkRulesOf(confirm: CheckSettings): CheckRules {
  return {
    unsettledMs: confirm.unsettledMinutes.map((minutes) => minutes * MINUTE_MS),
    awaitingSettlementMs: confirm.awaitingSettlementMinutes * MINUTE_MS,
    watchMs: confirm.watchDays.map((days) => days * DAY_MS),
    unprovenMs: confirm.unprovenMinutes * MINUTE_MS,
    attempts: confirm.attempts,
    awaitingSettlementAttempts: confirm.awaitingSettlementAttempts,
    jitter: confirm.jitterPercent / 100,
  };
}
