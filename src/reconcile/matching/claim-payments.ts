import { evidenceDigest } from '../../domain/exceptions/evidence.ts';
import type { ClaimPayment, PaymentLine } from '../../store/exceptions.ts';
import type { Scratch } from '../../store/scratch/scratch.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { Closings } from '../closed.ts';
import type { Item } from '../item.ts';
import { breakOf, keptBreak } from '../recon-break.ts';
import { fingerprintOf, latest } from './place-item.ts';
import type { MatchRun } from './run.ts';

/*
 * How a paid claim ends (RECONCILIATION 7, States): the lines that pay it stand among the adjustments, on the day of the last of
 * them our books take the claimed difference over, and the claim leaves the proof.
 */

/** A payment that this run sees. */
export interface SeenPayment extends ClaimPayment {
  /** On which our books take the difference over. */
  readonly postsOn: string;
  /** Lines that a closed period has as what they were before they were named. */
  readonly frozen: readonly PaymentLine[];
}

export interface PaymentOrder {
  readonly scratch: Scratch;
  readonly closings: Closings;
  readonly statements: readonly StatementSummary[];
  readonly until: string;
}

/** The payments of which this run sees every line. Late lines stand on the day on which they post by then. */
export function seenPayments(payments: readonly ClaimPayment[], order: PaymentOrder): SeenPayment[] {
  const { scratch, closings, until } = order;
  const shown = new Set(order.statements.map(({ statement }) => statement));
  const days = scratch.paid.days(payments.flatMap(({ lines }) => lines.map(({ lineId }) => lineId)));
  return payments.flatMap((payment) => {
    const { account, environment, lines, isWhole, paidAtMs } = payment;
    const dated = lines.flatMap((line) => {
      const day = days.get(line.lineId);
      return day === undefined || day > until || !shown.has(line.statement) ? [] : [{ line, day }];
    });
    if (account === null || !isWhole || dated.length < lines.length) return [];
    const isClosed = (of: string, day: string) => {
      const closing = closings.ofAccount(environment, of);
      return closing !== null && day <= closing.to && paidAtMs > closing.closedAtMs;
    };
    const day = latest(dated.map((one) => one.day));
    const postsOn = isClosed(account, day) ? (closings.ofAccount(environment, account)?.postsOn ?? day) : day;
    const frozen = dated.filter((one) => isClosed(one.line.account, one.day)).map(({ line }) => line);
    return [{ ...payment, postsOn, frozen }];
  });
}

/** Sets the lines of the payments aside, before anything looks for their records; again after more lines came in. */
export function setAsidePayments(scratch: Scratch, payments: readonly SeenPayment[]): void {
  const lines = payments.flatMap(({ lines, frozen }) => lines.filter((line) => !frozen.includes(line)));
  scratch.paid.setAside(lines.map(({ lineId }) => lineId));
}

/** Ends the claims that were paid. Everything that explains a difference must be listed by then. */
export function settleClaims(run: MatchRun, payments: readonly SeenPayment[]): void {
  if (payments.length === 0) return;
  const byPlace = Map.groupBy(payments, placeOf);
  const settled: SeenPayment[] = [];
  takeOut(run, (item) => {
    const here = byPlace.get(placeOf({ ...item, code: item.facts.code, account: item.place?.account ?? null }));
    if (here === undefined) return null;
    const { id, ...kept } = keptBreak(breakOf(item, '', null), null);
    const payment = here.find((one) => one.id === id && !settled.includes(one));
    if (payment === undefined || payment.evidence !== evidenceDigest(kept)) return null;
    settled.push(payment);
    return payment.postsOn;
  });
  const frozen = new Map(
    settled.flatMap((one) => one.frozen.map((line) => [lineKey(line.account, line), one.postsOn])),
  );
  if (frozen.size === 0) return;
  // What a closed period has as a line without a record is explained by the claim that it pays.
  takeOut(run, ({ place }) => {
    return place?.line == null ? null : (frozen.get(lineKey(place.account, place.line)) ?? null);
  });
}

/** Takes items out of the lists, and enters their effects in our books on the day that `dayOf` gives; null: the item stays. */
function takeOut(run: MatchRun, dayOf: (item: Item) => string | null): void {
  const { found, books, window } = run;
  for (const list of [found.breaks, found.carried]) {
    let kept = 0;
    for (const item of list) {
      const { place, environment, currency } = item;
      const day = place === null || currency === null ? null : dayOf(item);
      if (place === null || currency === null || day === null) {
        list[kept++] = item;
        continue;
      }
      const book = books.of({ environment, account: place.account, currency });
      // Open from before in an account without a balance: it is in no book of this run.
      if (list === found.carried && !run.hasOwnOpening(book.name)) continue;
      book.effects -= place.effect;
      book.addAll('ours', [{ row: 'adjustments', day, minor: place.effect }], window.from);
    }
    list.length = kept;
  }
}

interface Place extends Pick<ClaimPayment, 'environment' | 'account'> {
  readonly code: string;
}

function placeOf({ environment, account, code }: Place): string {
  return JSON.stringify([environment, account, code]);
}

function lineKey(account: string, line: Pick<PaymentLine, 'fingerprint' | 'occurrence'>): string {
  return `${account} ${fingerprintOf({ statement: 0, row: 0, ...line })}`;
}
