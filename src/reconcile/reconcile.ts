import { compareItems, type Item } from '../domain/reconciling/break.ts';
import type { OurKind } from '../domain/reconciling/rules.ts';
import { RECORD_KINDS } from '../domain/records/lifecycle.ts';
import { compareTexts } from '../domain/records/observation.ts';
import type { ReconciliationArchive, RecordGroup, UnansweredRequest } from '../store/reconciliation.ts';
import type { EarlyLine } from './judge/early-lines.ts';
import type { Uncompared } from './judge/uncompared.ts';
import type { MatchKeeper } from './keep/keep-matches.ts';
import { type ReconcileOrder, type Span, spanOf } from './load/order.ts';
import { type MatchArchive, matchStatements } from './match.ts';
import type { Matched } from './period/period.ts';
import type { BalanceProof } from './period/proof.ts';
import { type AtRisk, valueAtRisk } from './period/value-at-risk.ts';
import { type ClosedRecordArchive, sinceClose } from './witnesses/closed-records.ts';
import { copiesOf, payoutTwins } from './witnesses/duplicates.ts';
import { unseenExpectations } from './witnesses/expectations.ts';
import { placedByLines } from './witnesses/placed-by-lines.ts';
import { type Reserve, reservesAt } from './witnesses/reserves.ts';
import { groupOf, type Total, totalsOf, type WitnessCount, witnessCounts } from './witnesses/totals.ts';
import { refundedTransactions, type Transaction } from './witnesses/transactions.ts';
import { compareWitnesses } from './witnesses/witnesses.ts';

/** What a run found. Lists are in their order for reports. */
export interface Reconciliation {
  readonly span: Span;
  readonly breaks: readonly Item[];
  /** Not due yet: never an exception. */
  readonly timing: readonly Item[];
  /** Of earlier days, and still open. */
  readonly carried: readonly Item[];
  /** The same where the statement's own opening balance has it on both sides: in no proof. */
  readonly inOpening: readonly Item[];
  /** Lines that may belong to a row of ours: a person has to say so. */
  readonly suggested: readonly Item[];
  /** Groups that the program judged wrongly: their verdicts do not add up to what they moved. */
  readonly unexplained: readonly Item[];
  /** The service cannot be asked about them. */
  readonly notConfirmed: readonly Item[];
  readonly witnesses: readonly WitnessCount[];
  readonly totals: readonly Total[];
  /** The money of records with a break, each record once. */
  readonly atRisk: readonly AtRisk[];
  readonly reserves: readonly Reserve[];
  readonly transactions: readonly Transaction[];
  /** Sent, or about to be, and never answered. */
  readonly unanswered: readonly UnansweredRequest[];
  /** Of each account and currency; empty when only some records, a leg or another account was asked for. */
  readonly proof: readonly BalanceProof[];
  /** Null: there is no statement. */
  readonly statements: Matched | null;
}

/**
 * Holds what webhooks reported, what the service confirmed and what statements show against each other, and proves balances and
 * the funding of refunds. The same store, order and as-at time give the same result for every order of arrival.
 */
export async function reconcile(
  archive: MatchArchive & ReconciliationArchive & ClosedRecordArchive,
  order: ReconcileOrder,
  keeper?: MatchKeeper,
): Promise<Reconciliation> {
  const span = spanOf(order);
  const compared = await compareWitnesses(archive, span);
  const expected = await unseenExpectations(archive, span);
  const twins = await payoutTwins(archive, span);
  const refunded = await refundedTransactions(archive, span);
  const groups: RecordGroup[] = compared.later.map(groupOf);
  for (const kind of order.kinds) groups.push(...(await archive.recordGroups(kind, { ...span.period, by: 'status' })));
  const statements = await matchStatements(archive, { span, twins, ...(keeper !== undefined && { keeper }) });
  const placed = await placedByLines(archive, { rows: statements?.learnt ?? [], witnessed: compared }, span);
  const { witnessed } = placed;
  groups.push(...placed.groups);
  const asked = (items: readonly Item[] | undefined) => (items ?? []).filter((item) => isAsked(item, order));
  const copied = copiesOf(twins, span, ({ id }) => statements?.twinsInWallet.has(id) === true);
  const others = copied.filter(
    ({ item }) => item.recordId === null || statements?.copiesPlaced.has(item.recordId) !== true,
  );
  const ofCopies = (wanted: 'now' | 'closed') => others.flatMap(({ item, when }) => (when === wanted ? [item] : []));
  const ofClosedDays = [...witnessed.ofClosedDays, ...ofCopies('closed'), ...refunded.ofClosedDays];
  const late = await sinceClose(archive, span, ofClosedDays);
  const ownBreaks = [...witnessed.breaks, ...late, ...expected.breaks, ...ofCopies('now'), ...refunded.breaks];
  const breaks = [...asked(ownBreaks), ...asked(statements?.breaks)].sort(compareItems);
  return {
    span,
    breaks,
    timing: asked([...witnessed.timing, ...expected.timing, ...(statements?.timing ?? [])]).sort(compareItems),
    carried: [...asked(statements?.carried)].sort(compareItems),
    inOpening: [...asked(statements?.inOpening)].sort(compareItems),
    suggested: [...asked(statements?.suggested)].sort(compareItems),
    unexplained: [...asked(statements?.unexplained)].sort(compareItems),
    notConfirmed: asked(witnessed.notConfirmed).sort(compareItems),
    witnesses: witnessCounts(groups),
    totals: totalsOf(groups),
    atRisk: valueAtRisk(breaks),
    reserves: await reservesAt(archive, span),
    transactions: order.kinds.includes('refund') ? refunded.transactions : [],
    unanswered: await unansweredOf(archive, span),
    proof: (statements?.proof ?? []).filter(({ account }) => isProofAsked(account, order)),
    statements: statements === null ? null : ofLeg(statements, order),
  };
}

/** Whether work remains beside the breaks: matches to confirm, or a group or a balance that is not explained. */
export function isOpenBeside(result: Reconciliation): boolean {
  const { unexplained, proof } = result;
  return toConfirm(result).length > 0 || unexplained.length > 0 || proof.some(({ unexplained: left }) => left !== 0n);
}

/** The matches that a person has to confirm, those of days before the period, too. */
export function toConfirm(result: Pick<Reconciliation, 'suggested' | 'carried' | 'inOpening'>): readonly Item[] {
  return [...result.suggested, ...fromBefore(result).filter(({ facts }) => facts.code === 'suggested')];
}

/** All that is open from before the period. */
export function fromBefore({ carried, inOpening }: Pick<Reconciliation, 'carried' | 'inOpening'>): readonly Item[] {
  return [...carried, ...inOpening];
}

/** The counts of the leg that was asked for, and the lines of what was asked for that were compared with nothing. */
function ofLeg(statements: Matched, order: ReconcileOrder): Matched {
  const { leg } = order;
  const uncompared = statements.uncompared.filter((one) => isUncomparedAsked(one, order));
  const early = statements.early.filter((one) => isEarlyAsked(one, order));
  if (leg === undefined) return { ...statements, uncompared, early };
  const own = (counts: ReadonlyMap<string, number>) => new Map([...counts].filter(([name]) => name === leg));
  return {
    ...statements,
    matched: own(statements.matched),
    noStatement: own(statements.noStatement),
    uncompared,
    early,
  };
}

/** Such lines are of batches and top-ups: of no kind of records. */
function isUncomparedAsked(one: Uncompared, { kinds, leg, account }: ReconcileOrder): boolean {
  if (account !== undefined && one.account !== account) return false;
  return leg === undefined ? kinds.length === RECORD_KINDS.length : one.leg === leg;
}

function isEarlyAsked(one: EarlyLine, { kinds, leg, account }: ReconcileOrder): boolean {
  if (account !== undefined && one.account !== account) return false;
  return (leg === undefined || one.leg === leg) && (kinds as readonly OurKind[]).includes(one.kind);
}

function isProofAsked(account: string, order: ReconcileOrder): boolean {
  const isWhole = order.leg === undefined && order.kinds.length === RECORD_KINDS.length;
  return isWhole && (order.account === undefined || order.account === account);
}

/** Whether an item is of the kinds, the leg and the account that were asked for. */
function isAsked({ kind, place }: Item, { kinds, leg, account }: ReconcileOrder): boolean {
  if (account !== undefined && place?.account !== account) return false;
  if (leg !== undefined) return place?.leg === leg;
  if (kinds.length === RECORD_KINDS.length) return true;
  return (kinds as readonly (OurKind | null)[]).includes(kind);
}

async function unansweredOf(archive: ReconciliationArchive, { order, period }: Span): Promise<UnansweredRequest[]> {
  const all = await archive.unansweredRequests(period);
  const name = ({ environment, kind, reference, key }: UnansweredRequest) =>
    `${environment} ${kind} ${reference} ${key}`;
  return all
    .filter(({ kind }) => order.kinds.includes(kind))
    .sort((one, other) => one.createdAtMs - other.createdAtMs || compareTexts(name(one), name(other)));
}
