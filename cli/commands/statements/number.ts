import { TallyhookError } from '../../../src/domain/error.ts';
import { UsageError } from '../../options/options.ts';

const LIST = 'List them: tallyhook statements list';

/** The number of a statement, as typed. Throws UsageError. */
export function statementNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of a statement.`, LIST);
}

export function noStatement(id: number): TallyhookError {
  return new TallyhookError(`There is no statement ${id}.`, { kind: 'not_found', hint: LIST });
}
