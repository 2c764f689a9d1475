import { october, timeOn } from '../month/days.ts';
import { moneyText } from '../month/money.ts';
import type { FileLine, OurRecord } from '../month/story.ts';
import type { Chance } from './chance.ts';
import { dueOf, lineOf } from './payments.ts';
import { type Deed, type Moment, type Posting, stageOf, type Verdict, WALLETS } from './world.ts';

/* Refunds in dollars: reserved on request, and on success released and paid with their fee. */

export interface Refund {
  readonly chance: Chance;
  readonly requested: number;
  /** The day of its success or rejection. */
  readonly ended: number;
  readonly fault: 'none' | 'net' | 'rejected' | 'kept' | 'amount';
}

const [, WALLET] = WALLETS;

export function refundDeed({ chance, requested, ended, fault }: Refund): Deed {
  const [amount, fee, reference] = [chance.amount(), BigInt(chance.between(0, 90)), chance.name('R')];
  const whole = amount + fee;
  const over = fault === 'amount' ? BigInt(chance.between(1, 400)) : 0n;
  const isRejected = fault === 'rejected' || fault === 'kept';
  const [first, second] = [stageOf(requested), stageOf(ended)];
  const record = (status: string, isEnded: boolean): OurRecord => ({
    ...{ kind: 'refund', environment: 'test', reference, status, currency: WALLET.currency, amount, fee, duty: 0n },
    ...{ day: october(isEnded ? ended : requested), sessionId: null, webhooks: null },
    ...{ beganAt: timeOn(october(requested), 10), endedAt: isEnded ? timeOn(october(ended), 20) : null },
    ...{ transactionReference: `T-${reference}`, data: fundingOf(isRejected && isEnded, whole, requested) },
  });
  const outcome = { record: record(isRejected ? 'rejected' : 'success', true), stage: second };
  const post = (day: number, row: Posting['row'], moved: bigint): Posting => ({
    ...{ account: WALLET, day, row, amount: moved, stage: stageOf(day) },
  });
  const paid = isRejected ? [] : [post(ended, 'refunds', -amount), post(ended, 'refund_fees', -fee)];
  const put = (day: number, type: FileLine['type'], moved: bigint, charged: bigint | null = null) =>
    lineOf(WALLET, october(day), { type, amount: moved, fee: charged, reference });
  const lines = [
    ...(fault === 'net' ? [] : [put(requested, 'reserve', -whole)]),
    ...(fault === 'net' || fault === 'kept' ? [] : [put(ended, 'release', whole)]),
    ...(isRejected ? [] : [put(ended, 'refund', -whole - over, fee)]),
  ];
  const about = { leg: 'records-wallet', account: WALLET, reference };
  const unsettled: Verdict = {
    ...{ code: 'timing', sub: 'unsettled', leg: null, account: null, currency: WALLET.currency, reference },
    ...{ ours: 'processing', theirs: null, effect: 0n },
  };
  const verdicts = ({ day: until, stage }: Moment): Verdict[] => {
    if (until < requested || stage < first) return [];
    const held: Verdict[] =
      fault === 'net' ? [{ ...about, code: 'timing', ours: amount, theirs: null, effect: whole }] : [];
    if (stage < second) return [...held, unsettled];
    if (until < ended) return held;
    const owed = { ...about, code: 'timing', ours: amount, theirs: null, effect: -whole };
    if (fault === 'kept' && until < dueOf(ended)) return [owed];
    if (fault === 'kept')
      return [
        {
          ...about,
          code: 'status_mismatch',
          sub: 'internal_vs_statement',
          ours: 'rejected',
          theirs: 'reserved',
          effect: -whole,
        },
      ];
    if (fault === 'amount')
      return [{ ...about, code: 'amount_mismatch', ours: amount, theirs: amount + over, effect: -over }];
    return [];
  };
  return {
    plant: `refund ${reference} of ${october(requested)} to ${october(ended)}: ${fault}`,
    records: first === second ? [outcome] : [{ record: record('processing', false), stage: first }, outcome],
    postings: [post(requested, 'reserves', -whole), post(ended, 'reserves', whole), ...paid],
    lines: lines.map((line) => ({ line, stage: line.type === 'reserve' ? first : second })),
    verdicts,
  };
}

/** Funding whose identities hold. */
function fundingOf(isReleased: boolean, reserved: bigint, day: number): OurRecord['data'] {
  const none = moneyText(0n);
  return {
    total_reserved: moneyText(reserved),
    funding: {
      ...{ status: isReleased ? 'released' : 'funded', available_reserved: moneyText(reserved) },
      ...{ pending_reserved: none, pending_funded_amount: none, pending_remaining: none },
      funded_at: timeOn(october(day), 11),
    },
  };
}
