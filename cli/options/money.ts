import { type Amount, AmountError, parseAmount } from '../../src/domain/amount.ts';
import { newReference } from '../../src/service/calls/references.ts';
import { UsageError } from './options.ts';

// Options of the commands that call the service.

/** Commands that move money send nothing without this option. */
export const YES_OPTION = {
  yes: { type: 'boolean', default: false, describe: 'Do it; without it the request is shown and not sent' },
} as const;

/** A yargs option `--amount` that takes an exact amount; anything else throws UsageError. */
export function amountOption(describe: string) {
  return {
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: unknown): Amount | undefined => (value === undefined ? undefined : amountOf(String(value))),
  } as const;
}

function amountOf(text: string): Amount {
  try {
    return parseAmount(text);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new UsageError(`--amount is ${JSON.stringify(text.slice(0, 40))}: ${pointHint(text) ?? error.hint}`);
  }
}

/** `use a point, 0.5.` for `0,5`; undefined for other text. */
export function pointHint(text: string): string | undefined {
  return /^\d{1,18},\d{1,2}$/.test(text) ? `use a point, ${text.replace(',', '.')}.` : undefined;
}

/** The reference of a new payment: the user's own, or one that is made now. */
export function chosenReference(given: string | undefined, prefix: string): { reference: string; made: boolean } {
  return given === undefined ? { reference: newReference(prefix), made: true } : { reference: given, made: false };
}
