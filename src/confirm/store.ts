import type { Config } from '../config/load.ts';
import type { StoreOptions } from '../store/library.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { SECOND_MS } from '../time/clock.ts';
import { checkRulesOf } from './settings.ts';

/** The store of a configuration, with its rules of checking: the same for `serve`, the jobs and every command. */
export function storeOf(
  config: Pick<Config, 'database' | 'timeZone' | 'confirm' | 'service' | 'audit'>,
  { clock }: Pick<StoreOptions, 'clock'> = {},
): Store {
  const { encryption } = config.service;
  return openStore(config.database, {
    zone: config.timeZone,
    encryption: encryption && { keyHex: encryption.key, ivHex: encryption.iv },
    debounceMs: config.confirm.debounceSeconds * SECOND_MS,
    checkRules: checkRulesOf(config),
    auditKey: config.audit.key.file,
    ...(clock !== undefined && { clock }),
  });
}
