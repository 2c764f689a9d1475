import { type Amount, AmountError, parseAmount, pointHint } from '../../src/domain/money/amount.ts';
import { newReference } from '../../src/service/calls/references.ts';
import { UsageError } from './options.ts';

// Options of the commands that call the service.

/** Commands that move money send nothing without this option. */
export const YES_OPTION = {
  yes: { type: 'boolean', default: false, describe: 'Do it; without it the request is shown and not sent' },
} as const;

/** A yargs option, `--amount` unless `name` is given, that takes an exact amount; anything else throws UsageError. */
export function amountOption(describe: string, name = 'amount') {
  return {
    type: 'string',
    requiresArg: true,
    describe,
    coerce: (value: unknown): Amount | undefined => (value === undefined ? undefined : amountOf(name, String(value))),
  } as const;
}

function amountOf(name: string, text: string): Amount {
  try {
    return parseAmount(text);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new UsageError(`--${name} is ${JSON.stringify(text.slice(0, 40))}: ${pointRule(text) ?? error.hint}`);
  }
}

/** The rule of a text with a decimal comma; undefined for other text. */
export function pointRule(text: string): string | undefined {
  const point = pointHint(text);
  return point && `${point}.`;
}

/** The reference of a new payment: the user's own, or one that is made now. */
export function chosenReference(given: string | undefined, prefix: string): { reference: string; made: boolean } {
  return given === undefined ? { reference: newReference(prefix), made: true } : { reference: given, made: false };
}
