import type { Argv } from 'yargs';
import { TallyhookError } from '../../src/domain/error.ts';
import { withoutCards } from '../../src/service/calls/scrub.ts';

/** Options that main.ts adds to every command. */
export interface GlobalOptions {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly 'at-least': string | undefined;
  readonly verbose: boolean | undefined;
}

/** The command line that a command adds itself to: `export function addSweepCommand(cli: Cli): Cli`. */
export type Cli = Argv<GlobalOptions>;

/** A yargs option that takes a whole number from `least` to `most`. yargs alone would take "abc" as NaN, and 1.5. */
export function wholeNumberOption<const Standard extends number | undefined>(
  name: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER, standard, describe }: WholeNumberFacts<Standard>,
) {
  WHOLE_NUMBERS.add(`${name}: ${describe}`);
  return {
    type: 'string',
    describe,
    requiresArg: true,
    default: standard as unknown as string,
    coerce: (value: unknown): number | Standard => {
      if (value === undefined) return undefined as Standard;
      const number = /^\d{1,16}$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= least && number <= most) return number;
      // usageError would replace the 16 digits of MAX_SAFE_INTEGER as a card number.
      const range = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
      throw new UsageError(`--${name} is ${JSON.stringify(value)}: it must be a whole number${range}.`);
    },
  } as const;
}

/** The options above by name and description: yargs itself takes them for text. */
const WHOLE_NUMBERS = new Set<string>();

/** Whether an option of this name and description takes a whole number. */
export function isWholeNumber(name: string, describe: string | undefined): boolean {
  return WHOLE_NUMBERS.has(`${name}: ${describe}`);
}

interface WholeNumberFacts<Standard> {
  readonly least?: number;
  readonly most?: number;
  readonly standard: Standard;
  readonly describe: string;
}

/** The command line is wrong; the exit code is 2. */
export class UsageError extends TallyhookError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string) {
    super(message, hint === undefined ? { kind: 'usage' } : { kind: 'usage', hint });
  }
}

/** A UsageError whose message may quote arguments: card numbers in it are replaced, and the hint then says where they belong. */
export function usageError(message: string, hint?: string): UsageError {
  const shown = withoutCards(message);
  if (shown === message) return new UsageError(message, hint);
  return new UsageError(
    shown,
    'Card details are read from a prompt or stdin: all users of this machine can see arguments.',
  );
}
