import { DIALECTS, type Dialect } from '../month/dialects.ts';
import type { FilePlan } from '../month/files.ts';
import type { AccountName } from '../month/story.ts';
import { batchDeed, topUpDeed } from './batches.ts';
import { Chance } from './chance.ts';
import { filesOf, partsOf } from './cut.ts';
import { adjustmentDeed, chargebackDeed, chargesApartDeed, suggestedDeed, tieDeed, unreadableDeed } from './lines.ts';
import { missingDays } from './missing.ts';
import { type Fault, paymentDeed, reversedDeed } from './payments.ts';
import { refundDeed } from './refunds.ts';
import { BANK, type Deed, OTHER_BANK, PERIODS, SETTLEMENTS, stageOf, WALLETS } from './world.ts';

/** Some months of a merchant, and the files that tell of them. */
export interface World {
  readonly seed: number;
  readonly deeds: readonly Deed[];
  /** By stage, in the order in which they are imported. */
  readonly files: readonly (readonly FilePlan[])[];
}

/** Its files are of whole months, and are exported once more where lines came late. */
const CORRECTED: AccountName = WALLETS[0];

const [, DOLLARS] = WALLETS;
/** Their files are of whole months: days between two files that state neither days nor balances may be missing. */
const WHOLE = new Set<AccountName>([CORRECTED, SETTLEMENTS]);
const ACCOUNTS = [...WALLETS, BANK, SETTLEMENTS];

const LAST_DAY = PERIODS[PERIODS.length - 1]?.last ?? 0;
const FAULTS: readonly Fault[] = ['none', 'none', 'none', 'amount', 'fee', 'copy', 'second'];
const OF_BATCHES = ['none', 'none', 'parts', 'wallet', 'bank', 'bankMissing', 'walletMissing', 'bankTwice'] as const;
const OF_REFUNDS = ['none', 'none', 'net', 'rejected', 'kept', 'amount'] as const;
const { plain, minorUnits, parentheses, spreadsheet, newestFirst } = DIALECTS;
const SPOKEN = [plain, minorUnits, parentheses, spreadsheet];

export function makeWorld(seed: number, size = 20): World {
  const chance = new Chance(seed);
  const deeds = Array.from({ length: size * PERIODS.length }, () => chance.of(KINDS)(chance));
  // At the edges of a month what is due is a matter of one day.
  for (const { last } of PERIODS.slice(0, -1))
    for (let day = last - 4; day <= last; day++)
      deeds.push(
        paymentDeed({
          ...{ chance, account: DOLLARS, kind: 'collection', day, lineDay: day, line: null, fault: 'none' },
          record: stageOf(day),
        }),
      );
  for (const { first, last } of PERIODS)
    if (chance.once(3)) deeds.push(unreadableDeed({ chance, account: BANK, day: chance.between(first + 1, last - 1) }));
  for (const account of ACCOUNTS)
    for (const { first, last } of PERIODS)
      for (const day of [first, last]) deeds.push(adjustmentDeed({ chance, account, day }));
  const missing = missingDays(chance, OTHER_BANK);
  deeds.push(missing.deed);
  const whole = ACCOUNTS.map((account) => ({
    account,
    dialect: dialectOf(chance, account),
    parts: PERIODS.map((period) => partsOf(chance, period, WHOLE.has(account))),
  }));
  const cuts = [...whole, { account: OTHER_BANK, dialect: parentheses, parts: missing.parts }];
  const files = PERIODS.map((_, stage) => chance.shuffled(cuts.flatMap((cut) => filesOf({ ...cut, deeds, stage }))));
  return { seed, deeds, files };
}

/** A file of one day need not show that its newest line is the first; one of a month does. */
function dialectOf(chance: Chance, account: AccountName): Dialect {
  if (account === SETTLEMENTS) return DIALECTS.grossAndNet;
  // Its files state what they close with, so that they tell what an unreadable row moved.
  if (account === BANK) return parentheses;
  return chance.of(account === CORRECTED ? [...SPOKEN, newestFirst] : SPOKEN);
}

/** A payout in naira, or anything in dollars: collections in naira are settled in batches. */
function payment(chance: Chance): Deed {
  const account = chance.of(WALLETS);
  const day = chance.between(1, LAST_DAY - 6);
  const lineDay = chance.once(3) ? chance.between(day, day + 6) : day;
  const [record, line] = [knownFrom(chance, day), knownFrom(chance, lineDay, account === CORRECTED)];
  const planted = chance.of(FAULTS);
  // Which of two lines the item of a late record shows is not settled.
  const fault = planted === 'second' && record !== stageOf(day) ? 'copy' : planted;
  const kind = account === DOLLARS ? chance.of(['collection', 'payout'] as const) : 'payout';
  return paymentDeed({ chance, account, kind, day, lineDay, record, line, fault });
}

const batch = (chance: Chance): Deed =>
  batchDeed({
    chance,
    sold: chance.between(1, LAST_DAY - 12),
    banked: chance.between(0, 5),
    fault: chance.of(OF_BATCHES),
  });

function refund(chance: Chance): Deed {
  const requested = chance.between(1, LAST_DAY - 10);
  return refundDeed({
    chance,
    requested,
    ended: chance.between(requested, requested + 9),
    fault: chance.of(OF_REFUNDS),
  });
}

function odd(chance: Chance): Deed {
  const place = { chance, account: DOLLARS, day: chance.between(1, LAST_DAY) };
  return chance.of([
    () => chargebackDeed({ ...place, isTwice: chance.once(2) }),
    () => suggestedDeed({ ...place, word: chance.of(['together', 'apart'] as const) }),
    () => tieDeed(place),
    () => chargesApartDeed({ ...place, over: chance.of([0n, 77n]) }),
  ])();
}

function moved(chance: Chance): Deed {
  const day = chance.between(1, LAST_DAY - 20);
  return chance.of([
    () => adjustmentDeed({ chance, account: CORRECTED, day, stage: Math.min(stageOf(day) + 1, PERIODS.length - 1) }),
    () => reversedDeed({ chance, account: chance.of(WALLETS), day, back: chance.between(day, day + 19) }),
    () => topUpDeed({ chance, day, banked: chance.once(3) ? null : chance.between(0, 5) }),
  ])();
}

const KINDS = [payment, payment, payment, payment, batch, batch, refund, refund, odd, odd, moved];

/** In time, a month later, or never. */
function knownFrom(chance: Chance, day: number, mayBeLate = true): number | null {
  if (chance.once(12)) return null;
  const inTime = stageOf(day);
  return mayBeLate && chance.once(8) && inTime + 1 < PERIODS.length ? inTime + 1 : inTime;
}
