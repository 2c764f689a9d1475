import { nextBusinessDay, numberOf, october, timeOn } from '../month/days.ts';
import type { AccountName, FileLine, OurRecord, ProofRow } from '../month/story.ts';
import type { Chance } from './chance.ts';
import { type Deed, type Moment, type Posting, stageOf, type Verdict } from './world.ts';

/* Collections and payouts: one record of ours, one line of the wallet. */

/** Where a deed stands: its account, its day, and from which stage on its record and its line are known. */
export interface Place {
  readonly chance: Chance;
  readonly account: AccountName;
  readonly day: number;
  /** Stages of the record and of the line; null: it never comes. */
  readonly record: number | null;
  readonly line: number | null;
  /** The day of the line, which may be another one. */
  readonly lineDay: number;
}

export type Fault = 'none' | 'amount' | 'fee' | 'copy' | 'second';

export interface Payment extends Place {
  readonly kind: 'collection' | 'payout';
  readonly fault: Fault;
}

const LEG = 'records-wallet';

/** The day after which a wallet's line of that day is missing: a business day later. */
export const dueOf = (day: number): number => numberOf(nextBusinessDay(october(day)));

export function paymentDeed(payment: Payment): Deed {
  const { chance, kind, account, day, fault } = payment;
  const isSale = kind === 'collection';
  const [amount, fee, duty] = [chance.amount(), BigInt(chance.between(0, 900)), isSale ? 0n : chance.of([0n, 5_000n])];
  const reference = chance.name(isSale ? 'C' : 'P');
  const charges = fee + duty;
  const sign = isSale ? 1n : -1n;
  const over = BigInt(chance.between(1, 400));
  const moves = sign * amount - charges;
  const record = recordOf(payment, { reference, amount, fee, duty });
  const post = (row: ProofRow, minor: bigint): Posting => ({
    ...{ account, day, row, amount: minor, stage: payment.record ?? Number.POSITIVE_INFINITY },
  });
  const more = fault === 'amount' ? sign * over : fault === 'fee' ? -over : 0n;
  const line = lineOf(account, october(payment.lineDay), {
    ...{ type: kind, amount: moves + more, fee: fee + (fault === 'fee' ? over : 0n), reference },
    duty: isSale ? null : duty,
  });
  const second = fault === 'copy' ? line : { ...line, amount: line.amount + sign * 70_000n };
  const twice = fault === 'copy' || fault === 'second';
  const about = { leg: LEG, account, reference };
  const verdicts = ({ day: until, stage }: Moment): Verdict[] => {
    const isKnown = payment.record !== null && payment.record <= stage;
    const isShown = payment.line !== null && payment.line <= stage;
    const [isOurs, isTheirs] = [isKnown && day <= until, isShown && payment.lineDay <= until];
    const shown = { ...about, theirs: principalOf(line) };
    if (isOurs && !isTheirs) {
      const code = isShown || until < dueOf(day) ? 'timing' : 'missing_external';
      return [{ ...about, code, ours: amount, theirs: null, effect: -moves }];
    }
    const copies: Verdict[] =
      twice && isTheirs
        ? [
            {
              ...{ ...about, code: isKnown ? 'duplicate_external' : 'missing_internal', ours: null },
              ...{ theirs: principalOf(second), effect: second.amount },
            },
          ]
        : [];
    if (isTheirs && !isOurs)
      return [{ ...shown, code: isKnown ? 'timing' : 'missing_internal', ours: null, effect: line.amount }, ...copies];
    if (!isOurs) return [];
    if (fault === 'amount') return [{ ...shown, code: 'amount_mismatch', ours: amount, effect: more }];
    if (fault === 'fee') return [{ ...about, code: 'fee_mismatch', ours: fee, theirs: fee + over, effect: more }];
    return copies;
  };
  return {
    plant: `${kind} ${reference} of ${october(day)}: ${fault}`,
    records: payment.record === null ? [] : [{ record, stage: payment.record }],
    postings: [post(isSale ? 'collections' : 'payouts', sign * amount), post('fees', -fee), post('duty', -duty)],
    lines:
      payment.line === null
        ? []
        : (twice ? [line, second] : [line]).map((one) => ({ line: one, stage: payment.line ?? 0 })),
    verdicts,
  };
}

/** A payout that comes back: until then it is one that succeeded, also in months that were closed. */
export function reversedDeed({
  chance,
  account,
  day,
  back,
}: Pick<Place, 'chance' | 'account' | 'day'> & { readonly back: number }): Deed {
  const [amount, fee, reference] = [chance.amount(), BigInt(chance.between(0, 900)), chance.name('P')];
  const whole = amount + fee;
  const [first, second] = [stageOf(day), stageOf(back)];
  const record = recordOf({ chance, kind: 'payout', account, day }, { reference, amount, fee, duty: 0n });
  const reversed = { ...record, status: 'reversed', endedAt: timeOn(october(back), 710) };
  const post = (on: number, row: ProofRow, moved: bigint): Posting => ({
    account,
    day: on,
    row,
    amount: moved,
    stage: stageOf(on),
  });
  const debit = lineOf(account, october(day), { type: 'payout', amount: -whole, fee, duty: 0n, reference });
  const credit = lineOf(account, october(back), { type: 'payout_reversal', amount: whole, reference });
  return {
    plant: `payout ${reference} of ${debit.day}, reversed on ${credit.day}`,
    records:
      first === second
        ? [{ record: reversed, stage: second }]
        : [
            { record, stage: first },
            { record: reversed, stage: second },
          ],
    postings: [post(day, 'payouts', -amount), post(day, 'fees', -fee), post(back, 'reversals', whole)],
    lines: [
      { line: debit, stage: first },
      { line: credit, stage: second },
    ],
    verdicts: () => [],
  };
}

const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/** What a line moves before its charges. */
export const principalOf = ({ amount, fee, tax, duty }: FileLine): bigint =>
  size(amount + (fee ?? 0n) + (tax ?? 0n) + (duty ?? 0n));

/** A line of a file that says nothing but what is given. */
export function lineOf(
  account: AccountName,
  day: string,
  given: Partial<FileLine> & Pick<FileLine, 'type' | 'amount'>,
): FileLine {
  return {
    ...{ account, day, fee: null, tax: null, duty: null, reference: null, sessionId: null },
    ...{ transactionReference: null, group: null, word: null, unreadable: null },
    ...given,
    sequence: 0,
  };
}

/** A payment that succeeded on its day. */
export function recordOf(
  { chance, kind, account, day }: Pick<Payment, 'chance' | 'kind' | 'account' | 'day'>,
  given: Pick<OurRecord, 'reference' | 'amount' | 'fee' | 'duty'>,
): OurRecord {
  const time = timeOn(october(day), chance.between(0, 700));
  const { reference } = given;
  return {
    ...{ ...given, kind, environment: account.environment, status: 'success', currency: account.currency },
    ...{ day: october(day), beganAt: time, endedAt: time, transactionReference: null, webhooks: null },
    sessionId: kind === 'payout' ? `S${reference}` : null,
    data: kind === 'payout' ? { bank_code: '990001', account_number: `1${reference.slice(-4)}00000` } : {},
  };
}
