import { type Amount, formatAmount } from '../../src/domain/money/amount.ts';
import { maskedValue } from '../../src/domain/text/privacy.ts';
import { note, print, printFacts, printJson } from './output.ts';
import { isTimeName, serviceTime } from './text.ts';

// A call of the service: the request before it is sent, and the result.

export interface Plan {
  /** What `--yes` does, as a heading. */
  readonly does: string;
  readonly environment: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** This run made the reference: only the same reference makes another run the same payment. Default false. */
  readonly made?: boolean;
}

/** True with `--yes`. Otherwise prints the request, masked, and sets exit code 2: nothing was done. */
export function allowed(
  { does, environment, request, made = false }: Plan,
  { yes, json, reveal }: { yes: boolean; json: boolean | undefined; reveal: boolean },
): boolean {
  if (yes) return true;
  const visible = resultJson(request, reveal);
  if (json) printJson({ sent: false, does, environment, request: visible });
  else {
    print(`Dry run: would ${does}`);
    printFacts([['environment', environment], ...factsOf(visible)]);
  }
  note(`Nothing was sent. To send it, add --yes${made ? ` --reference ${request.reference}` : ''}.`);
  process.exitCode = 2;
  return false;
}

/** Prints the reference that this run made, before it sends it: after a cut, a run without it would begin another payment. */
export function announceReference(reference: string): void {
  note(`The reference is ${reference}.`);
}

/** Prints a result of the client, as `resultJson` has it. */
export function printResult(result: object, { json, reveal }: { json: boolean | undefined; reveal: boolean }): void {
  const plain = resultJson(result, reveal);
  if (json) printJson(plain);
  else printFacts(factsOf(plain));
}

/** A result of the client: amounts as decimals, the service's own object left out, account data masked. */
export function resultJson(value: object, reveal: boolean): Record<string, unknown> {
  const entries = Object.entries(value).filter(([name, each]) => name !== 'wire' && each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, valueJson(name, each, reveal)]));
}

function valueJson(name: string, value: unknown, reveal: boolean): unknown {
  if (typeof value === 'string') return reveal ? value : maskedValue(name, value);
  if (typeof value !== 'object' || value === null) return value;
  if (isAmount(value)) return formatAmount(value);
  if (Array.isArray(value)) return value.map((each) => valueJson(name, each, reveal));
  return resultJson(value, reveal);
}

function factsOf(plain: Record<string, unknown>, prefix = ''): (readonly [string, string])[] {
  return Object.entries(plain).flatMap(([name, value]) => {
    const words = prefix + name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (value === null) return [];
    if (typeof value === 'string' && isTimeName(name)) return [[words, serviceTime(value)] as const];
    if (typeof value !== 'object') return [[words, String(value)] as const];
    if (Array.isArray(value)) return [[words, value.join(', ')] as const];
    return factsOf(value as Record<string, unknown>, prefix === '' && isWrapper(name) ? '' : `${words} `);
  });
}

/** `{ refund: {…} }` is printed as the lines of the refund, without a prefix. */
const isWrapper = (name: string) => ['refund', 'payout', 'session'].includes(name);

function isAmount(value: object): value is Amount {
  return 'units' in value && typeof value.units === 'bigint';
}
