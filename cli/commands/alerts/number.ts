import { TallyhookError } from '../../../src/domain/error.ts';
import { UsageError } from '../../options/options.ts';

const LIST_THEM = 'List them: tallyhook alerts list --closed';

/** @throws UsageError when it is no number */
export function alertNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of an alert.`, LIST_THEM);
}

export function noAlert(id: string): TallyhookError {
  return new TallyhookError(`There is no alert ${id}.`, { kind: 'not_found', hint: LIST_THEM });
}
