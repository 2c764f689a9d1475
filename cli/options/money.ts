import { type Amount, formatAmount, parseAmount } from '../../src/domain/amount.ts';
import { newReference } from '../../src/service/calls/references.ts';
import { note, printFacts, printJson } from '../show/output.ts';
import { maskedValue } from '../show/privacy.ts';

// What commands that call the service share: amounts as options, the plan that stands in for --yes, results as text.

/** Commands that move money do so only with this. */
export const YES_OPTION = {
  yes: { type: 'boolean', default: false, describe: 'Do it; without it the request is shown and not sent' },
} as const;

/** A yargs option that takes an exact amount; throws AmountError for anything else. */
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

export interface Plan {
  /** What would be done, as a heading. */
  readonly does: string;
  readonly environment: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Its reference was made by us: another run must be told it, or would make another. Default false. */
  readonly made?: boolean;
}

/** True when `--yes` was given. Else shows what would be sent, masked, and lets the process end with 2: nothing was done. */
export function allowed(
  { does, environment, request, made = false }: Plan,
  { yes, json, reveal }: { yes: boolean; json: boolean | undefined; reveal: boolean },
): boolean {
  // Said before it leaves: whoever is cut off now needs it, and without it would begin another payment.
  if (yes && made) note(`The reference is ${request.reference}.`);
  if (yes) return true;
  const visible = shown(request, reveal);
  if (json) printJson({ sent: false, does, environment, request: visible });
  else printFacts([['would do', does], ['environment', environment], ...factsOf(visible)]);
  note(`Nothing was sent. To send it, add --yes${made ? ` --reference ${request.reference}` : ''}.`);
  process.exitCode = 2;
  return false;
}

/** Prints a result of the client: amounts as decimals, the service's own object left out, account data masked. */
export function printResult(result: object, { json, reveal }: { json: boolean | undefined; reveal: boolean }): void {
  const plain = shown(result, reveal);
  if (json) printJson(plain);
  else printFacts(factsOf(plain));
}

/** A result of the client as JSON has it. */
export function shown(value: object, reveal: boolean): Record<string, unknown> {
  const entries = Object.entries(value).filter(([name, each]) => name !== 'wire' && each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, shownValue(name, each, reveal)]));
}

function shownValue(name: string, value: unknown, reveal: boolean): unknown {
  if (typeof value === 'string') return reveal ? value : maskedValue(name, value);
  if (typeof value !== 'object' || value === null) return value;
  if (isAmount(value)) return formatAmount(value);
  if (Array.isArray(value)) return value.map((each) => shownValue(name, each, reveal));
  return shown(value, reveal);
}

function factsOf(plain: Record<string, unknown>, prefix = ''): (readonly [string, string])[] {
  return Object.entries(plain).flatMap(([name, value]) => {
    const words = prefix + name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (value === null) return [];
    if (typeof value !== 'object') return [[words, String(value)] as const];
    if (Array.isArray(value)) return [[words, value.join(', ')] as const];
    return factsOf(value as Record<string, unknown>, prefix === '' && isWrapper(name) ? '' : `${words} `);
  });
}

/** `{ refund: {…} }` is shown as the refund's own lines. */
const isWrapper = (name: string) => ['refund', 'payout', 'session'].includes(name);

function isAmount(value: object): value is Amount {
  return 'units' in value && typeof value.units === 'bigint';
}
