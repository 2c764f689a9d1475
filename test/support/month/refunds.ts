import { WALLETS } from './accounts.ts';
import type { Business } from './business.ts';
import { isInMonth, TO, timeOn } from './days.ts';
import { moneyText } from './money.ts';
import type { FileLine, OurRecord } from './story.ts';

export interface GivenBack {
  readonly requested: string;
  /** The day of success or rejection; null: it is not settled. */
  readonly ended: string | null;
  readonly amount: bigint;
  readonly fee?: bigint;
  readonly status: string;
  readonly reference?: string;
  readonly transactionReference?: string;
  readonly data?: OurRecord['data'];
  readonly webhooks?: OurRecord['webhooks'];
  /** `steps`: reserve, release and refund; `net`: the refund alone; `none`: no line. */
  readonly lines?: 'steps' | 'net' | 'none';
  /** Differences of the refund's own line. */
  readonly refund?: Partial<FileLine>;
  readonly reserved?: bigint;
}

export interface Refunded {
  readonly record: OurRecord;
  readonly reserved: bigint;
  readonly lines: readonly FileLine[];
}

/** A refund of a card payment in dollars: reserved on request, and on success released and paid with its fee. */
export function giveBack(business: Business, given: GivenBack): Refunded {
  const { requested, ended, amount, fee = 50n, status, lines: kind = 'steps' } = given;
  const reserved = given.reserved ?? amount + fee;
  const { book } = business;
  const wallet = WALLETS.USD;
  const record = book.record(refundOf(business, given, reserved));
  const { reference } = record;
  book.post(wallet, requested, { reserves: -reserved });
  if (ended !== null) book.post(wallet, ended, { reserves: reserved });
  if (ended !== null && status === 'success') book.post(wallet, ended, { refunds: -amount, refund_fees: -fee });
  const lines: FileLine[] = [];
  if (kind === 'steps') {
    lines.push(book.line(wallet, requested, 'reserve', -reserved, { reference }));
    if (ended !== null) lines.push(book.line(wallet, ended, 'release', reserved, { reference }));
  }
  if (kind !== 'none' && ended !== null && status === 'success') {
    const paid = { amount: -amount - fee, fee, reference, ...given.refund };
    lines.push(book.line(wallet, ended, 'refund', paid.amount, paid));
  }
  const isOfMonth = isInMonth(ended ?? requested);
  if (lines.length > 0 && isOfMonth) book.match('records-wallet');
  if (requested <= TO && (ended === null || ended > TO)) book.tolerated.add(reference);
  return { record, reserved, lines };
}

function refundOf(business: Business, given: GivenBack, reserved: bigint): OurRecord {
  const { requested, ended, amount, fee = 50n, status, webhooks = null } = given;
  const minute = business.pick(700);
  return {
    ...{ kind: 'refund', environment: 'test', reference: given.reference ?? business.name('R'), status },
    ...{ currency: 'USD', amount, fee, duty: 0n, day: ended ?? requested, sessionId: null, webhooks },
    beganAt: timeOn(requested, minute),
    endedAt: ended === null ? null : timeOn(ended, minute + 1),
    transactionReference: given.transactionReference ?? business.name('T'),
    data: { ...fundingOf(status, reserved, timeOn(requested, minute)), ...given.data },
  };
}

/** Funding whose identities hold: rejected ones are released, waiting ones partly funded. */
function fundingOf(status: string, reserved: bigint, fundedAt: string): OurRecord['data'] {
  const waits = status === 'awaiting_settlement';
  const pending = waits ? reserved / 3n : 0n;
  const funded = waits ? pending / 2n : 0n;
  return {
    total_reserved: moneyText(reserved),
    funding: {
      status: status === 'rejected' ? 'released' : waits ? 'awaiting_settlement' : 'funded',
      available_reserved: moneyText(reserved - pending),
      pending_reserved: moneyText(pending),
      pending_funded_amount: moneyText(funded),
      pending_remaining: moneyText(pending - funded),
      funded_at: waits ? null : fundedAt,
    },
  };
}
