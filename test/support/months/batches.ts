import { nextBusinessDay, numberOf, october } from '../month/days.ts';
import { sumOf } from '../month/money.ts';
import type { FileLine, OurRecord } from '../month/story.ts';
import type { Chance } from './chance.ts';
import { dueOf, lineOf, recordOf } from './payments.ts';
import { BANK, type Deed, type Moment, type Posting, SETTLEMENTS, stageOf, type Verdict, WALLETS } from './world.ts';

/* Sales that the service pays to the bank in a batch: a line each in the settlement file, and one for all in the wallet and at the bank. */

export type BatchFault = 'none' | 'parts' | 'wallet' | 'bank' | 'bankMissing' | 'walletMissing' | 'bankTwice';

export interface Batch {
  readonly chance: Chance;
  /** The day of its sales. */
  readonly sold: number;
  /** How many days after the batch its line at the bank is. */
  readonly banked: number;
  readonly fault: BatchFault;
}

const [WALLET] = WALLETS;

const numberAfter = (day: number): number => numberOf(nextBusinessDay(october(day)));

export function batchDeed({ chance, sold, banked, fault }: Batch): Deed {
  const group = chance.name('B');
  const paid = numberAfter(sold);
  const sales = Array.from({ length: chance.between(1, 3) }, () => saleOf(chance, sold, paid, group));
  const sum = sumOf(sales.map(({ net }) => net));
  const over = BigInt(chance.between(1, 400));
  const bankDay = paid + banked;
  const inWallet = movedBy(chance, WALLET, paid, group, fault === 'wallet' ? over - sum : -sum, fault === 'parts');
  const atBank = movedBy(chance, BANK, bankDay, group, fault === 'bank' ? sum - over : sum, fault === 'parts');
  const lines = [
    ...sales.flatMap(({ wallet, settlement }) => [wallet, settlement]),
    ...(fault === 'walletMissing' ? [] : inWallet),
    ...(fault === 'bankMissing' ? [] : atBank),
    ...(fault === 'bankTwice' ? atBank : []),
  ];
  const stage = stageOf(paid);
  const postings: Posting[] = [
    ...sales.flatMap(({ postings: own }) => own),
    { account: WALLET, day: paid, row: 'settlements', amount: -sum, stage },
    { account: BANK, day: paid, row: 'settlements', amount: sum, stage },
  ];
  const verdicts = (moment: Moment): Verdict[] => {
    const { day: until, stage: known } = moment;
    const unsettled = sales.flatMap((sale): Verdict[] =>
      sold <= until && stageOf(sold) <= known && (paid > until || stage > known) ? [sale.unsettled] : [],
    );
    if (paid > until || stage > known) return unsettled;
    const about = { reference: group, ours: sum };
    const wallet = { ...about, leg: 'batch-wallet', account: WALLET };
    const bank = { ...about, leg: 'batch-bank', account: BANK };
    const isBanked = fault !== 'bankMissing' && bankDay <= until && stageOf(bankDay) <= known;
    const isToCome = fault !== 'bankMissing' && stageOf(bankDay) <= known;
    const waits = (isLater: boolean) => (isLater || until < dueOf(paid) ? 'timing' : 'missing_external');
    const found: Verdict[] = [];
    if (fault === 'walletMissing') found.push({ ...wallet, code: waits(false), theirs: null, effect: sum });
    if (fault === 'wallet') found.push({ ...wallet, code: 'split_incomplete', theirs: sum - over, effect: over });
    if (!isBanked) return [...found, { ...bank, code: waits(isToCome), theirs: null, effect: -sum }];
    if (fault === 'bank') found.push({ ...bank, code: 'split_incomplete', theirs: sum - over, effect: -over });
    if (fault === 'bankTwice')
      found.push({ ...bank, code: 'duplicate_external', ours: null, theirs: sum, effect: sum });
    return found;
  };
  return {
    plant: `batch ${group} of ${october(paid)}: ${fault}`,
    records: sales.map(({ record }) => ({ record, stage: stageOf(sold) })),
    ...{ postings, verdicts },
    lines: lines.map((line) => ({ line, stage: stageOf(numberOf(line.day)) })),
  };
}

interface Sale {
  readonly record: OurRecord;
  readonly net: bigint;
  readonly wallet: FileLine;
  readonly settlement: FileLine;
  readonly postings: readonly Posting[];
  /** What is said until the settlement file has it. */
  readonly unsettled: Verdict;
}

function saleOf(chance: Chance, sold: number, paid: number, group: string): Sale {
  const [amount, fee, reference] = [chance.amount(), BigInt(chance.between(0, 900)), chance.name('C')];
  const net = amount - fee;
  const record = recordOf(
    { chance, kind: 'collection', account: WALLET, day: sold },
    { reference, amount, fee, duty: 0n },
  );
  const line = { type: 'collection', amount: net, fee, reference } as const;
  const posted = { account: WALLET, day: sold, stage: stageOf(sold) };
  const settled = { ...posted, account: SETTLEMENTS };
  return {
    ...{ record, net, wallet: lineOf(WALLET, october(sold), line) },
    settlement: lineOf(SETTLEMENTS, october(paid), { ...line, group }),
    postings: [
      { ...posted, row: 'collections', amount },
      { ...posted, row: 'fees', amount: -fee },
      { ...settled, row: 'collections', amount },
      { ...settled, row: 'fees', amount: -fee },
    ],
    unsettled: {
      ...{ code: 'timing', leg: 'records-settlement', account: SETTLEMENTS, reference },
      ...{ ours: amount, theirs: null, effect: -net },
    },
  };
}

/** The line of a batch, or two that are its parts. */
function movedBy(
  chance: Chance,
  account: FileLine['account'],
  day: number,
  group: string,
  amount: bigint,
  inParts: boolean,
): FileLine[] {
  const part = amount / BigInt(chance.between(2, 5));
  const parts = inParts ? [part, amount - part] : [amount];
  return parts.map((one) => lineOf(account, october(day), { type: 'settlement', amount: one, group }));
}

/** Money from the bank into the wallet, whose line at the bank is some days later. Null: it never comes. */
export function topUpDeed({
  chance,
  day,
  banked,
}: {
  readonly chance: Chance;
  readonly day: number;
  readonly banked: number | null;
}): Deed {
  const [amount, reference] = [chance.amount(), chance.name('U')];
  const bankDay = day + (banked ?? 0);
  const stage = stageOf(day);
  const line = lineOf(WALLET, october(day), { type: 'top_up', amount, reference });
  const paid = lineOf(BANK, october(bankDay), { type: 'top_up', amount: -amount, reference });
  const about = { leg: 'topup-bank', account: BANK, reference, ours: amount, theirs: null, effect: amount };
  return {
    ...{
      plant: `top-up ${reference} of ${line.day}, at the bank ${banked === null ? 'never' : paid.day}`,
      records: [],
    },
    postings: [
      { account: WALLET, day, row: 'top_ups', amount, stage },
      { account: BANK, day, row: 'top_ups', amount: -amount, stage },
    ],
    lines: [{ line, stage }, ...(banked === null ? [] : [{ line: paid, stage: stageOf(bankDay) }])],
    verdicts: ({ day: until, stage: known }) => {
      if (day > until || stage > known) return [];
      const isToCome = banked !== null && stageOf(bankDay) <= known;
      if (isToCome && bankDay <= until) return [];
      return [{ ...about, code: isToCome || until < dueOf(day) ? 'timing' : 'missing_external' }];
    },
  };
}
