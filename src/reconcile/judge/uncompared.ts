import type { Environment } from '../../domain/environment.ts';
import type { Leg, Rules } from '../../domain/reconciling/rules.ts';
import { LINES, type LineType, type StatementKind } from '../../domain/statements/lines.ts';
import type { LineSum } from '../../store/scratch/line-sums.ts';
import type { StatementSummary } from '../../store/statements.ts';
import { kindsOf, type Sides } from '../load/sides.ts';

/** Lines of the period that were compared with nothing. They are no breaks. */
export interface Uncompared {
  readonly environment: Environment;
  readonly account: string;
  readonly currency: string;
  readonly type: LineType;
  /** The leg that would compare them, if there were a statement of its other side; null: no rule compares them. */
  readonly leg: string | null;
  /** The kind of statement that is not there; null: no rule compares them. */
  readonly lacks: StatementKind | null;
  readonly lines: number;
  /** Signed as they move the balance, in minor units. */
  readonly moved: bigint;
}

type Moved = Pick<LineSum, 'environment' | 'account' | 'currency' | 'type' | 'lines' | 'amount'>;

interface Order {
  readonly rules: Rules;
  readonly statements: readonly StatementSummary[];
  /** The legs of which both sides are there. */
  readonly sides: readonly Sides[];
}

/** Counts the lines that no leg compares, by account, currency and type. */
export class UncomparedLines {
  readonly #found = new Map<string, Uncompared>();
  /** Lines of top-ups stand in no leg, as they are ours, and are compared where theirs are there. */
  readonly #compared = new Set<string>();

  constructor({ rules, statements, sides }: Order) {
    for (const leg of rules.legs) {
      for (const { kind, type, lacks } of endsOf(leg)) {
        for (const { account, balances } of statements.filter((one) => one.account.kind === kind)) {
          const { environment, name } = account;
          for (const { currency } of balances) {
            const isThere = (one: Sides) => one.environment === environment && one.currency === currency;
            const isCompared = sides.some(
              (one) => isThere(one) && endsOf(one.leg).some((end) => end.kind === kind && end.type === type),
            );
            const found = { environment, account: name, currency, type };
            if (isCompared) this.#compared.add(nameOf(found));
            else this.#found.set(nameOf(found), { ...found, leg: leg.name, lacks, lines: 0, moved: 0n });
          }
        }
      }
    }
  }

  /** Lines that stand in no leg. A type that the profile does not know is a break, and a chargeback is held against its collection. */
  add({ environment, account, currency, type, lines, amount }: Moved): void {
    if (type === null) return;
    const own = { environment, account, currency, type };
    const name = nameOf(own);
    if (this.#compared.has(name)) return;
    const found = this.#found.get(name) ?? { ...own, leg: null, lacks: null, lines: 0, moved: 0n };
    this.#found.set(name, { ...found, lines: found.lines + lines, moved: found.moved + amount });
  }

  /** Those that have lines, in the order of environment, account, currency and type. */
  all(): Uncompared[] {
    const sorted = [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, found]) => found).filter(({ lines }) => lines > 0);
  }
}

/** The lines on both sides of a leg between statements, and whose statement each needs. A batch is no line: its lines have records. */
function endsOf(leg: Leg): { readonly kind: StatementKind; readonly type: LineType; readonly lacks: StatementKind }[] {
  const { ours, theirs } = leg;
  if ('records' in ours) return [];
  const source = 'batches' in ours ? ours.batches : ours.topUps;
  const types = theirs.types.filter((type) => kindsOf(leg).some((kind) => kind === LINES[type].of));
  return [
    ...types.map((type) => ({ kind: theirs.statement, type, lacks: source })),
    ...('topUps' in ours ? [{ kind: source, type: 'top_up' as const, lacks: theirs.statement }] : []),
  ];
}

/** Why lines were compared with nothing, as a clause. */
export function whyUncompared({ lacks, lines }: Pick<Uncompared, 'lacks' | 'lines'>): string {
  const them = lines === 1 ? 'it' : 'them';
  return lacks === null ? `no rule compares ${them}` : `no ${lacks} statement covers ${them}`;
}

/** What it would take to compare them. */
export function lackedBy({ lacks }: Pick<Uncompared, 'lacks'>): string {
  return lacks === null ? 'a rule' : `a ${lacks} statement`;
}

function nameOf(one: Pick<LineSum, 'environment' | 'account' | 'currency' | 'type'>): string {
  return JSON.stringify([one.environment, one.account, one.currency, one.type]);
}
