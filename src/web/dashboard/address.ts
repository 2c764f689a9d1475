import type { Environment } from '../../domain/environment.ts';
import type { RecordKind } from '../../domain/records/lifecycle.ts';
import { addressOf } from './asked.ts';

/** The page of one record. A reference may hold any character. */
export function recordAddress({ kind, reference, environment }: RecordName): string {
  return addressOf(`/records/${kind}/${encodeURIComponent(reference)}`, { environment });
}

interface RecordName {
  readonly kind: RecordKind;
  readonly reference: string;
  readonly environment?: Environment | undefined;
}
