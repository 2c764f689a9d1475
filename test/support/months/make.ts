import { DIALECTS } from '../month/dialects.ts';
import type { FilePlan } from '../month/files.ts';
import type { AccountName } from '../month/story.ts';
import { Chance } from './chance.ts';
import { filesOf, partsOf } from './cut.ts';
import { adjustmentDeed, dueOf, type Fault, paymentDeed } from './payments.ts';
import { type Deed, PERIODS, WALLETS } from './world.ts';

/** Some months of a merchant, and the files that tell of them. */
export interface World {
  readonly seed: number;
  readonly deeds: readonly Deed[];
  /** By stage, in the order in which they are imported. */
  readonly files: readonly (readonly FilePlan[])[];
  readonly accounts: readonly AccountName[];
}

/** Its files are of whole months, and are exported once more where lines came late. */
const CORRECTED: AccountName = WALLETS[0];

const LAST_DAY = PERIODS[PERIODS.length - 1]?.last ?? 0;
const FAULTS: readonly Fault[] = ['none', 'none', 'none', 'amount', 'fee', 'copy', 'second'];
const { plain, minorUnits, parentheses, spreadsheet, newestFirst } = DIALECTS;
const SPOKEN = [plain, minorUnits, parentheses, spreadsheet, newestFirst];

export function makeWorld(seed: number, size = 20): World {
  const chance = new Chance(seed);
  const deeds: Deed[] = [];
  for (let n = 0; n < size * PERIODS.length; n++) {
    const account = chance.of(WALLETS);
    const day = chance.between(1, LAST_DAY - 6);
    const lineDay = chance.once(3) ? chance.between(day, day + 6) : day;
    const [record, line] = [knownFrom(chance, day), knownFrom(chance, lineDay, account === CORRECTED)];
    const planted = chance.of(FAULTS);
    // Which of two lines the item of a late record shows is not settled.
    const fault = planted === 'second' && record !== stageOf(day) ? 'copy' : planted;
    const kind = chance.of(['collection', 'payout'] as const);
    deeds.push(paymentDeed({ chance, account, kind, day, lineDay, record, line, fault }));
  }
  // At the edges of a period what is due is a matter of one day.
  for (const { last } of PERIODS)
    for (let day = last - 4; day <= last; day++) {
      if (last === LAST_DAY || dueOf(day) > LAST_DAY) continue;
      const account = chance.of(WALLETS);
      deeds.push(
        paymentDeed({
          ...{ chance, account, kind: 'collection', day, lineDay: day, line: null },
          record: stageOf(day),
          fault: 'none',
        }),
      );
    }
  for (const account of WALLETS)
    for (const { first, last } of PERIODS)
      for (const day of [first, last]) deeds.push(adjustmentDeed(chance, account, day, stageOf(day)));
  const cuts = WALLETS.map((account) => ({
    account,
    dialect: chance.of(SPOKEN),
    parts: PERIODS.map((period) => partsOf(chance, period, account === CORRECTED)),
  }));
  const files = PERIODS.map((_, stage) => chance.shuffled(cuts.flatMap((cut) => filesOf({ ...cut, deeds, stage }))));
  return { seed, deeds, files, accounts: WALLETS };
}

/** In time, a month later, or never. */
function knownFrom(chance: Chance, day: number, mayBeLate = true): number | null {
  if (chance.once(12)) return null;
  const inTime = stageOf(day);
  return mayBeLate && chance.once(8) && inTime + 1 < PERIODS.length ? inTime + 1 : inTime;
}

/** The stage in which what happens on a day is known in time. */
export function stageOf(day: number): number {
  return PERIODS.findIndex(({ last }) => day <= last);
}
