import type { Environment } from '../../domain/environment.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { addressOf } from './asked.ts';

/** The page of one record. A reference may hold any character; one or two dots in a path are folded by the browser, so they stand behind `?`. */
export function recordAddress({ kind, reference, environment }: RecordName): string {
  if (/^\.\.?$/.test(reference)) return addressOf(`/records/${kind}`, { reference, environment });
  return addressOf(`/records/${kind}/${encodeURIComponent(reference)}`, { environment });
}

interface RecordName {
  readonly kind: RecordKind;
  readonly reference: string;
  readonly environment?: Environment | undefined;
}
