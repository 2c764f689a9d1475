import type { Environment } from '../../domain/environment.ts';
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
  type Explanation,
  type Report,
  type ReportCarried,
  type ReportDigests,
  type ReportKind,
  type ReportProof,
  type ReportWaiting,
  type Signature,
} from './model.ts';

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
      byAge: figures.inTransit.map(({ environment, currency, age, collections, amount }) => {
        return { environment, currency, age, collections, amount };
      }),
      byDay: figures.inTransitByDay.map(({ environment, currency, date, collections, amount }) => {
        return { environment, currency, date, collections, amount };
      }),
      batches: figures.batchesInTransit.map(({ environment, account, currency, reference, date, age, amount }) => {
        return { environment, account, currency, reference, date, age, amount };
      }),
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
    atRisk: figures.atRisk.map(({ environment, currency, records, amount }) => {
      return { environment, currency, records, amount };
    }),
    matchRate: matchRate(figures.matches, run),
    uncompared: figures.uncompared.map(({ environment, account, currency, type, leg, lacks, lines, moved }) => {
      return { environment, account, currency, type, leg, lacks, lines, moved };
    }),
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
  const isOfSet = ({ environment, account = null }: { environment: Environment; account?: string | null }) =>
    environment === set.environment && hasAccount(set, account);
  return {
    ...figures,
    proof: figures.proof.filter(isOfSet),
    inTransit: figures.inTransit.filter(isOfSet),
    inTransitByDay: figures.inTransitByDay.filter(isOfSet),
    batchesInTransit: figures.batchesInTransit.filter(isOfSet),
    matches: figures.matches.filter(isOfSet),
    uncompared: figures.uncompared.filter(isOfSet),
    items: figures.items.filter(isOfSet),
    lines: figures.lines.filter(isOfSet),
    files: figures.files.filter(isOfSet),
    atRisk: figures.atRisk.filter(isOfSet),
    reserved: figures.reserved.filter(isOfSet),
    audit: figures.audit === null ? null : { ...figures.audit, sums: figures.audit.sums.filter(isOfSet) },
  };
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
    const sums = own.filter(({ list }) => EXPLAINS[list] === by);
    const count = sums.reduce((sum, one) => sum + one.count, 0);
    return count === 0 ? [] : [{ by, count, effect: sumOf(sums.map(({ effect }) => effect)) }];
  });
  return { environment, account, currency, isBalanceStated, covers, rows, explained, unexplained };
}

const EXPLAINS: Readonly<Record<ItemSum['list'], Explanation | null>> = {
  breaks: 'exceptions',
  timing: 'timing',
  suggested: 'suggested',
  carried: 'carried',
  notConfirmed: null,
  unexplained: null,
};

const NAMES: Readonly<Record<Exclude<ItemList, 'breaks'>, ReportWaiting['list']>> = {
  timing: 'timing',
  suggested: 'suggested',
  carried: 'carried',
  notConfirmed: 'not_confirmed',
  unexplained: 'unexplained',
};

/** What is no exception, by list, account and currency; all codes together. */
function waitingOf(items: readonly ItemSum[]): ReportWaiting[] {
  const sums = new Map<string, ReportWaiting>();
  for (const { list, environment, account, currency, count, effect } of items) {
    if (list === 'breaks') continue;
    const key = JSON.stringify([list, environment, account, currency]);
    const before = sums.get(key);
    sums.set(key, {
      ...{ list: NAMES[list], environment, account, currency, count: (before?.count ?? 0) + count },
      effect: sumOf([before?.effect ?? '0.00', effect]),
    });
  }
  return [...sums.values()];
}
