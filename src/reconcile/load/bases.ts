import type { Environment } from '../../domain/environment.ts';
import { type BookName, bookKey } from '../../domain/matching/book.ts';
import { type OurRow, PRINCIPAL_TYPE, type TheirLine } from '../../domain/matching/rows.ts';
import { parseAmount, toMinor } from '../../domain/money/amount.ts';
import { isOfFile } from '../../domain/reconciling/codes.ts';
import { LINES } from '../../domain/statements/lines.ts';
import type { FrozenGroup, KeptBreak, RunArchive } from '../../store/runs.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { Closings } from './closed.ts';

/*
 * What the last close froze of each group: its base (docs/matching.md, Laws). Where groups were merged or split since, the base of a frozen
 * one counts once: in the group of the row of ours that names it, else in the first one that shares a row or a line with it.
 */

/** The key of a row of ours in a leg: the same in every run. */
export function rowKey(
  { kind, environment, reference }: Pick<OurRow, 'kind' | 'environment' | 'reference'>,
  leg: string,
): string {
  return JSON.stringify([kind, environment, reference, leg]);
}

/** The key of a line: the same in each file and row that brings it. */
export function lineKey({
  account,
  fingerprint,
  occurrence,
}: Pick<TheirLine, 'account' | 'fingerprint' | 'occurrence'>): string {
  return JSON.stringify([account, fingerprint, occurrence]);
}

/** What the key of a row of ours, or of the fees of some days, is made of. */
export function rowOf(name: string): Pick<OurRow, 'kind' | 'environment' | 'reference'> & { readonly leg: string } {
  const [kind, environment, reference, leg] = JSON.parse(name);
  return { kind, environment, reference, leg };
}

function lineOf(name: string): Pick<TheirLine, 'account' | 'fingerprint' | 'occurrence'> {
  const [account, fingerprint, occurrence] = JSON.parse(name);
  return { account, fingerprint, occurrence };
}

/** Rows of ours and lines, by their names. */
export interface Members {
  readonly ours: readonly string[];
  readonly lines: readonly string[];
}

type BaseArchive = Pick<RunArchive, 'frozenGroups' | 'breaks'>;

interface BaseOrder {
  readonly closings: Closings;
  /** Missing: both. */
  readonly environment: Environment | undefined;
}

/** Reads what the periods that end the day before froze. Their groups are judged, however clean they look. */
export async function readBases(
  archive: BaseArchive,
  scratch: Scratch,
  { closings, environment }: BaseOrder,
): Promise<Bases> {
  const groups: FrozenGroup[] = [];
  const judgedAgain = new Set<string>();
  for (const { run, environment: own, balances } of closings.before) {
    if (environment !== undefined && environment !== own) continue;
    const frozen = await archive.frozenGroups(run);
    groups.push(...(frozen ?? (await groupsOfBreaks(archive, run))).filter((one) => one.environment === own));
    if (frozen === null) for (const balance of balances) judgedAgain.add(bookKey({ ...balance, environment: own }));
  }
  const names = groups.flatMap(({ ours }) => ours);
  const { ours, lines } = scratch.late.judge({
    ours: names.map(rowOf),
    lines: groups.flatMap((group) => group.lines.map(lineOf)),
  });
  const rows = new Set(ours.map((row) => rowKey(row, '')));
  const there = new Set([...names.filter((name) => rows.has(rowKey(rowOf(name), ''))), ...lines.map(lineKey)]);
  return new Bases(groups, { there, judgedAgain });
}

async function groupsOfBreaks(archive: BaseArchive, run: number): Promise<FrozenGroup[]> {
  const found: FrozenGroup[] = [];
  for (const carried of [false, true]) {
    const kept = await archive.breaks({ run, carried }, { order: 'oldest', limit: Number.MAX_SAFE_INTEGER });
    found.push(...kept.flatMap((one) => groupOfBreak(one) ?? []));
  }
  return found;
}

/** The frozen groups of the periods that end the day before. */
export class Bases {
  readonly #of = new Map<string, FrozenGroup[]>();
  readonly #left: Set<FrozenGroup>;
  /** Of their rows and lines, those that are there in this run. */
  readonly #there: ReadonlySet<string>;
  /** Books of periods that a version before closed: what was not due there is judged again. */
  readonly #judgedAgain: ReadonlySet<string>;

  constructor(
    groups: readonly FrozenGroup[],
    { there, judgedAgain }: { readonly there: ReadonlySet<string>; readonly judgedAgain: ReadonlySet<string> },
  ) {
    this.#left = new Set(groups);
    this.#there = there;
    this.#judgedAgain = judgedAgain;
    for (const group of groups) {
      for (const name of [...group.ours, ...group.lines]) {
        const known = this.#of.get(name);
        if (known === undefined) this.#of.set(name, [group]);
        else known.push(group);
      }
    }
  }

  /** Takes those that are the base of a group, each once. */
  take({ ours, lines }: Members): FrozenGroup[] {
    const found: FrozenGroup[] = [];
    if (this.#of.size === 0) return found;
    for (const name of [...ours, ...lines]) {
      for (const group of this.#of.get(name) ?? []) {
        const isOfOther = group.ours.includes(group.key) && !ours.includes(group.key) && this.#there.has(group.key);
        if (isOfOther || !this.#left.delete(group)) continue;
        found.push(group);
      }
    }
    return found;
  }

  /** Whether the close froze something of a group, or of one that was split since. */
  has({ ours, lines }: Members): boolean {
    return [...ours, ...lines].some((name) => this.#of.has(name));
  }

  /** Whether a row or a line of a frozen group is in another group than this one: it was split since. */
  isSplit(group: FrozenGroup, { ours, lines }: Members): boolean {
    const isElsewhere = (own: readonly string[]) => (name: string) => !own.includes(name) && this.#there.has(name);
    return group.ours.some(isElsewhere(ours)) || group.lines.some(isElsewhere(lines));
  }

  /** Puts groups back that stand as they were frozen. */
  leave(groups: readonly FrozenGroup[]): void {
    for (const group of groups) this.#left.add(group);
  }

  /** Those of which no row or line is there any more: they stand as they were frozen. */
  left(): readonly FrozenGroup[] {
    return [...this.#left];
  }

  isJudgedAgain(name: BookName): boolean {
    return this.#judgedAgain.has(bookKey(name));
  }
}

/** The group of a break that a version before kept, which kept no groups; null: it moves nothing. */
export function groupOfBreak(kept: KeptBreak): FrozenGroup | null {
  const { kind, environment, account, currency, reference, leg, line } = kept;
  const effect = toMinor(parseAmount(kept.effect));
  if (
    isOfFile(kept.code) ||
    account === null ||
    currency === null ||
    effect === 0n ||
    (line === null && reference === null)
  )
    return null;
  const lines = line === null ? [] : [lineKey({ ...line, account })];
  const ours =
    kind === null || reference === null || leg === null ? [] : [rowKey({ kind, environment, reference }, leg)];
  const [key = ''] = [...ours, ...lines];
  if (key === '') return null;
  const { row } = LINES[kind === null ? 'other' : PRINCIPAL_TYPE[kind]];
  return { key, environment, account, currency, rows: { [row]: effect }, verdicts: [kept], ours, lines };
}
