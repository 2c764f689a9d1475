import { createHash } from 'node:crypto';
import type { Environment } from '../../domain/environment.ts';
import { BREAK_CODES, type BreakCode, isBreakCode } from '../../domain/reconciling/break.ts';
import { isCharge, isOfGroup } from '../../domain/reconciling/codes.ts';
import { compareTexts } from '../../domain/records/observation.ts';
import { AGE_BUCKETS, type AgeBucket } from '../../domain/records/settling-age.ts';
import { sumOf } from './decimal.ts';
import type {
  ExceptionSum,
  ReportClaims,
  ReportExceptions,
  ReportedException,
  ReportFees,
  ReportLate,
} from './model.ts';
import type { MovesBalance } from './proven.ts';

/** What a report says of its exceptions as a whole. */
export interface ExceptionFigures {
  readonly exceptions: ReportExceptions;
  readonly claimed: ReportFees['claimed'];
  readonly late: readonly ReportLate[];
  readonly totals: readonly ExceptionSum[];
  /** sha256 of all of them, row by row. */
  readonly digest: string;
}

/** Adds up exceptions one by one. Memory grows with codes and currencies, not with rows. */
export function exceptionSums(movesBalance: MovesBalance) {
  const hash = createHash('sha256');
  const shared = sharedSums<ReportedException>(movesBalance);
  const byResolution = new Sums<{ resolution: string | null; reasonCode: string | null }>(movesBalance);
  const [claimed, totals] = [new Sums<object>(movesBalance), new Sums<object>(movesBalance)];
  const late = new Sums<{ account: string | null }>(movesBalance);

  function addOnce(row: ReportedException): void {
    const { code, resolution, reasonCode } = row;
    const decided = isOpen(row) ? { resolution: null, reasonCode: null } : { resolution, reasonCode };
    byResolution.add(row, [decided.resolution ?? '', decided.reasonCode ?? ''], decided);
    totals.add(row, [], {});
    if (isCharge(code) && resolution === 'claim' && !isOpen(row)) claimed.add(row, [], {});
  }

  return {
    add(row: ReportedException): void {
      // The row of the file depends on how the lines were divided into files.
      const { line: _line, ...said } = row;
      hash.update(`${JSON.stringify(said)}\n`);
      if (shared.add(row)) addOnce(row);
      if (isOfGroup(row.code, 'late_items')) late.add(row, [row.account], { account: row.account });
    },

    figures(): ExceptionFigures {
      const { repeated, ...sums } = shared.all();
      return {
        exceptions: { ...sums, byResolution: byResolution.all(), repeated },
        claimed: claimsOf(claimed).filter(({ currency }) => currency !== null),
        late: late.all().map(({ environment, account, currency, count, effect }) => {
          return { environment, account, currency, count, effect };
        }),
        totals: totals.all(),
        digest: hash.copy().digest('hex'),
      };
    },
  };
}

/** By what exceptions, and those from before, are added up alike. */
export function sharedSums<Row extends ReportedException>(isInProof: (row: Row) => boolean) {
  const byCode = new Sums<{ code: BreakCode }, Row>(isInProof);
  const byAge = new Sums<{ age: AgeBucket }, Row>(isInProof);
  const repeated = new Sums<object, Row>(isInProof);
  return {
    /** Returns whether it counts here: a difference that a settlement statement repeats counts where the wallet shows it. */
    add(row: Row): boolean {
      const { code, age, sameAs } = row;
      if (sameAs !== null) repeated.add(row, [], {});
      else {
        if (isBreakCode(code)) byCode.add(row, [rank(BREAK_CODES, code)], { code });
        byAge.add(row, [rank(AGE_BUCKETS, age)], { age });
      }
      return sameAs === null;
    },
    all: () => ({ byCode: byCode.all(), byAge: byAge.all(), repeated: repeated.all() }),
  };
}

/** Sums whose variance is what was claimed. */
export function claimsOf(sums: Sums<object, never>): ReportClaims[] {
  return sums.all().map(({ environment, currency, count, variance }) => {
    return { environment, currency, claims: count, amount: variance };
  });
}

/** Whether an exception still needs work: one that waits for its approval does. */
export function isOpen({ status, needsApproval }: Pick<ReportedException, 'status' | 'needsApproval'>): boolean {
  return status === 'resolved' ? needsApproval : status !== 'closed';
}

/** The place of a word in its list, as text that sorts. */
function rank(words: readonly string[], word: string): string {
  return String(words.indexOf(word)).padStart(3, '0');
}

interface Added {
  readonly environment: Environment;
  readonly currency: string | null;
  count: number;
  open: number;
  readonly variances: string[];
  readonly effects: string[];
  readonly outside: string[];
}

/** Added up this many at a time. */
const AT_ONCE = 1_000;

/** Sums by environment, currency and what else names them. */
export class Sums<Name extends object, Row extends ReportedException = ReportedException> {
  readonly #sums = new Map<string, Added & { readonly name: Name }>();
  readonly #isInProof: (row: Row) => boolean;

  constructor(isInProof: (row: Row) => boolean) {
    this.#isInProof = isInProof;
  }

  add(row: Row, key: readonly (string | null)[], name: Name): void {
    const { environment, currency, variance, effect } = row;
    const place = JSON.stringify([environment, currency, ...key]);
    const none = { count: 0, open: 0, variances: [], effects: [], outside: [] };
    const sum = this.#sums.get(place) ?? { environment, currency, name, ...none };
    this.#sums.set(place, sum);
    sum.count++;
    sum.open += Number(isOpen(row));
    if (variance !== null) collect(sum.variances, variance);
    collect(this.#isInProof(row) ? sum.effects : sum.outside, effect);
  }

  all(): (Name & ExceptionSum)[] {
    return [...this.#sums]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([, { name, environment, currency, count, open, variances, effects, outside }]) => ({
        ...{ environment, currency, ...name, count, open, variance: sumOf(variances) },
        ...{ effect: sumOf(effects), effectOutside: sumOf(outside) },
      }));
  }
}

function collect(amounts: string[], amount: string): void {
  amounts.push(amount);
  if (amounts.length >= AT_ONCE) amounts.splice(0, amounts.length, sumOf(amounts));
}
