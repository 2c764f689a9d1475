import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import { TallyhookError } from '../../domain/error.ts';
import type { PeriodSet } from '../../domain/periods/period.ts';
import type { StatementArchive } from '../../store/statements.ts';

/** Sets as the configuration has them (`periods.sets`). */
export type ConfiguredSets = Readonly<
  Record<string, { readonly environment: Environment; readonly accounts: readonly string[] }>
>;

/** The sets: those of the configuration, else one per environment, named like it, of all its accounts. */
export function periodSets(configured: ConfiguredSets): readonly PeriodSet[] {
  const sets = Object.entries(configured).map(([name, set]) => ({ name, ...set }));
  return sets.length > 0
    ? sets
    : ENVIRONMENTS.map((environment) => ({ name: environment, environment, accounts: null }));
}

/**
 * The set of this name; without a name the only one, or the only one with statements.
 *
 * @throws TallyhookError for a name that is none, and when the name is needed
 */
export async function setNamed(
  name: string | undefined,
  configured: ConfiguredSets,
  archive: Pick<StatementArchive, 'statements'>,
): Promise<PeriodSet> {
  const sets = periodSets(configured);
  const names = sets.map((set) => set.name).join(', ');
  if (name !== undefined) {
    const found = sets.find((set) => set.name === name);
    if (found !== undefined) return found;
    throw new TallyhookError(`There is no set of accounts ${JSON.stringify(name)}.`, {
      kind: 'usage',
      hint: `Give one of: ${names}.`,
    });
  }
  const [only, ...others] = sets.length === 1 ? sets : await usedSets(sets, archive);
  if (only !== undefined && others.length === 0) return only;
  throw new TallyhookError('Which set of accounts is meant?', { kind: 'usage', hint: `Give --set: one of ${names}.` });
}

/** Those of the sets that have statements. */
export async function usedSets(
  sets: readonly PeriodSet[],
  archive: Pick<StatementArchive, 'statements'>,
): Promise<readonly PeriodSet[]> {
  const used: PeriodSet[] = [];
  for (const set of sets) if (await hasStatements(set, archive)) used.push(set);
  return used;
}

async function hasStatements({ environment, accounts }: PeriodSet, archive: Pick<StatementArchive, 'statements'>) {
  for (const account of accounts ?? [undefined]) {
    const filter = { environment, ...(account !== undefined && { account }) };
    if ((await archive.statements(filter, { order: 'newest', limit: 1 })).length > 0) return true;
  }
  return false;
}
