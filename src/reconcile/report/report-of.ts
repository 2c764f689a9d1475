import { hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import { cutOffText } from '../../domain/reconciling/business-day.ts';
import type { RunSummary } from '../../store/runs.ts';
import { type CarriedTotal, controlTotals } from './control-totals.ts';
import { sumOf } from './decimal.ts';
import type { ExceptionFigures } from './exception-sums.ts';
import { feesOf } from './fees.ts';
import type { Figures } from './figures.ts';
import type { ItemList, ItemSum } from './item-sums.ts';
import { matchRate } from './match-rate.ts';
import {
  EXPLANATIONS,
  type Report,
  type ReportCarried,
  type ReportDigests,
  type ReportKind,
  type ReportProof,
  type ReportWaiting,
  type Signature,
} from './model.ts';
import { rowsOf } from './rows-of.ts';

/** What a report is made of. */
export interface ReportInput {
  readonly report: ReportKind;
  readonly period: string;
  readonly run: Pick<RunSummary, 'from' | 'to' | 'zone' | 'cutOffMinutes' | 'environment' | 'asAtMs' | 'rules'>;
  readonly figures: Figures;
  readonly exceptions: ExceptionFigures;
  readonly carried: ReportCarried;
  readonly carriedTotals: readonly CarriedTotal[];
  /** Null: all that the run found. */
  readonly set: PeriodSet | null;
  readonly prepared: Signature | null;
  readonly approved: Signature | null;
}

/** Makes a report of what a run kept and of how its exceptions stand. Pure. */
export function reportOf({ report, period, run, set, exceptions, ...input }: ReportInput): Report {
  const figures = ofSet(input.figures, set);
  return {
    ...{ report, period, from: run.from, to: run.to, zone: run.zone, cutOff: cutOffText(run.cutOffMinutes) },
    set: set?.name ?? null,
    environment: set?.environment ?? run.environment,
    asAt: new Date(run.asAtMs).toISOString(),
    proof: figures.proof.map((proof) => proofOf(proof, figures.items)),
    inTransit: {
      byAge: figures.inTransit,
      byDay: figures.inTransitByDay,
      batches: figures.batchesInTransit,
    },
    reserved: figures.reserved.map(
      ({ environment, currency, status, age, refunds, reserved, broken, withoutReserve }) => {
        return { environment, currency, status, age, refunds, reserved, broken, withoutReserve };
      },
    ),
    fees: feesOf(figures, exceptions.claimed),
    exceptions: exceptions.exceptions,
    carried: input.carried,
    waiting: waitingOf(figures.items),
    atRisk: figures.atRisk,
    matchRate: matchRate(figures.matches, run),
    uncompared: figures.uncompared,
    late: exceptions.late,
    prepared: input.prepared,
    approved: input.approved,
    digests: digestsOf(figures, run.rules, exceptions.digest),
    controlTotals: controlTotals(figures, exceptions.totals, input.carriedTotals),
  };
}

/** Only what belongs to the accounts of a set, and what stands in no account. */
function ofSet(figures: Figures, set: PeriodSet | null): Figures {
  if (set === null) return figures;
  return rowsOf(figures, 'environment', ({ environment, account = null }) => {
    return environment === set.environment && hasAccount(set, account as string | null);
  });
}

function digestsOf({ files }: Figures, rules: RunSummary['rules'], exceptions: string): ReportDigests {
  const profiles = new Map(files.map(({ profile }) => [`${profile.name} ${profile.sha256}`, profile]));
  return {
    rules: { name: rules.name, sha256: rules.digest },
    profiles: [...profiles].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, profile]) => profile),
    files: files.map(({ profile: _profile, ...file }) => file),
    exceptions,
  };
}

/** A balance proof with what its difference is made of. */
function proofOf(proof: Figures['proof'][number], items: readonly ItemSum[]): ReportProof {
  const { environment, account, currency, isBalanceStated, covers, rows, unexplained } = proof;
  const own = items.filter(
    (one) => one.environment === environment && one.account === account && one.currency === currency,
  );
  const explained = EXPLANATIONS.flatMap((by) => {
    const sum = addedUp(own.filter(({ list }) => NAMES[list] === by));
    return sum.count === 0 ? [] : [{ by, ...sum }];
  });
  return { environment, account, currency, isBalanceStated, covers, rows, explained, unexplained };
}

/** The lists of a run, by their names in a report; of the breaks, how their exceptions stand. */
const NAMES = {
  ...{ breaks: 'exceptions', timing: 'timing', suggested: 'suggested', carried: 'carried' },
  ...{ notConfirmed: 'not_confirmed', unexplained: 'unexplained' },
} as const satisfies Record<ItemList, 'exceptions' | ReportWaiting['list']>;

/** What is no exception, by list, account and currency; all codes together. */
function waitingOf(items: readonly ItemSum[]): ReportWaiting[] {
  const groups = Map.groupBy(items, ({ list, environment, account, currency }) =>
    JSON.stringify([list, environment, account, currency]),
  );
  return [...groups.values()].flatMap((own) => {
    const [{ list, environment, account, currency }] = own as [ItemSum];
    const name = NAMES[list];
    return name === 'exceptions' ? [] : [{ list: name, environment, account, currency, ...addedUp(own) }];
  });
}

function addedUp(sums: readonly ItemSum[]) {
  return {
    count: sums.reduce((sum, one) => sum + one.count, 0),
    effect: sumOf(sums.map(({ effect }) => effect)),
  };
}
