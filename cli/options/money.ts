import { type Amount, parseAmount } from '../../src/domain/amount.ts';
import { newReference } from '../../src/service/calls/references.ts';

// Options of the commands that call the service.

/** Commands that move money send nothing without this option. */
export const YES_OPTION = {
  yes: { type: 'boolean', default: false, describe: 'Do it; without it the request is shown and not sent' },
} as const;

/** A yargs option that takes an exact amount; anything else throws AmountError. */
export function amountOption(describe: string) {
  return {
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: unknown): Amount | undefined => (value === undefined ? undefined : parseAmount(String(value))),
  } as const;
}

/** The reference of a new payment: the user's own, or one that is made now. */
export function chosenReference(given: string | undefined, prefix: string): { reference: string; made: boolean } {
  return given === undefined ? { reference: newReference(prefix), made: true } : { reference: given, made: false };
}
