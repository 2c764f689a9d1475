import { RECORD_KINDS, type RecordKind } from '../domain/records/lifecycle.ts';
import type { Config } from './load.ts';

/** The kinds whose status the service cannot be asked for with this configuration. */
export function kindsWithoutEndpoint({ baseUrl, service }: Pick<Config, 'baseUrl' | 'service'>): readonly RecordKind[] {
  if (baseUrl === null) return RECORD_KINDS;
  return [
    ...(service.payoutPath === null ? (['payout'] as const) : []),
    ...(service.collectionPath === null ? (['collection'] as const) : []),
  ];
}
