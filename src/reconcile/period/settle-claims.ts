import { evidenceDigest } from '../../domain/exceptions/evidence.ts';
import type { Item } from '../../domain/reconciling/break.ts';
import type { ClaimPayment, PaymentLine } from '../../store/exceptions.ts';
import { fingerprintOf } from '../judge/place-item.ts';
import type { MatchRun, OpenGroup } from '../judge/run.ts';
import type { SeenPayment } from '../load/claim-payments.ts';
import { breakOf, keptBreak } from '../recon-break.ts';

/*
 * How a paid claim ends (docs/closing.md, A paid claim): the lines that pay it stand among the adjustments, on the day of the last of
 * them our books take the claimed difference over, and the claim leaves the proof.
 */

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
      if (list === found.carried && !run.openings.isOwn(book.name)) continue;
      book.effects -= place.effect;
      settleGroup(found.groups, item, place.effect);
      book.addAll('ours', [{ row: 'adjustments', day, minor: place.effect }], window.from);
    }
    list.length = kept;
  }
}

/** What our books take over is open no more: a close does not freeze it. */
function settleGroup(groups: OpenGroup[], item: Item, effect: bigint): void {
  const index = groups.findIndex(({ items }) => items.includes(item));
  const group = groups[index];
  if (group === undefined) return;
  const items = group.items.filter((one) => one !== item);
  const rows = { ...group.rows, adjustments: (group.rows.adjustments ?? 0n) - effect };
  const isOver = items.length === 0 && Object.values(rows).reduce((sum, minor) => sum + minor, 0n) === 0n;
  groups.splice(index, 1, ...(isOver ? [] : [{ ...group, items, rows }]));
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
