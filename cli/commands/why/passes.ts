import type { Config } from '../../../src/config/load.ts';
import type { Environment } from '../../../src/domain/environment.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import { triedPasses } from '../../../src/reconcile/pass/tried.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { passesOfLines, passesOfRows } from '../../../src/why/passes.ts';
import { place, type TriedLeg } from '../../../src/why/tried-pass.ts';
import { namedValueLines } from '../../show/named-value.ts';
import { bold, note, print, terminalWidth } from '../../show/output.ts';

interface Asked {
  readonly reference: string;
  readonly environment?: Environment | undefined;
  readonly kind?: RecordKind | undefined;
}

/** The passes of the legs that have sides for the reference, by the rules of the configuration; none without a statement. */
export async function passesTried(
  archive: Archive,
  { timeZone: zone, reconcile }: Config,
  { reference, environment, kind }: Asked,
): Promise<TriedLeg[]> {
  const [any] = await archive.statements({}, { order: 'newest', limit: 1 });
  if (any === undefined) return [];
  const rules = await loadRules(reconcile.rules ?? undefined);
  const dayRule = { zone, cutOffMinutes: reconcile.cutOffMinutes };
  const tried = await triedPasses(archive, {
    ...{ reference, rules, dayRule, ...(environment !== undefined && { environment }) },
  });
  if (tried === null) return [];
  if (!tried.isWhole) note('So much shares a name with it that the passes were tried on a part of it.');
  const legs = [...passesOfRows(tried), ...passesOfLines(tried)];
  return legs.filter((leg) => kind === undefined || leg.kind === kind || leg.kind === null);
}

type Subject = Readonly<Record<'record', { readonly kind: RecordKind; readonly environment: Environment }>>;

/** Those of one record. */
export function passesOf(tried: readonly TriedLeg[], { kind, environment }: Subject['record']): TriedLeg[] {
  return tried.filter((leg) => leg.kind === kind && leg.environment === environment);
}

/** Those of lines, batches and top-ups. */
export function passesBeside(tried: readonly TriedLeg[], records: readonly Subject[]): TriedLeg[] {
  const shown = new Set(records.flatMap(({ record }) => passesOf(tried, record)));
  return tried.filter((leg) => !shown.has(leg));
}

export function printPasses(matching: readonly TriedLeg[]): void {
  for (const { leg, environment, currency, kind, line, passes } of matching) {
    const what = line === null ? (kind ?? '').replace('_', '-') : place(line);
    print(bold(`Passes of ${leg}`));
    print(`for the ${what} (${environment}, ${currency})`);
    const nameWidth = Math.max(...passes.map(({ pass }) => pass.length));
    for (const { pass, text } of passes) {
      for (const each of namedValueLines(pass.padEnd(nameWidth), text, { nameWidth, room: terminalWidth() }))
        print(each);
    }
  }
}
