import { expect, test } from 'vitest';
import { datedProfile } from '../support/month/dated-profile.ts';
import { Shop } from '../support/shop/shop.ts';

/* Statements that do not open where those before them ended. Lines have no records, and are on both sides. */

const TYPES = { Pay: 'adjustment' } as const;
const PROFILE = datedProfile('wallet', TYPES, { balance: { running: 'Balance' } });
/** Without days and balance. */
const BARE = datedProfile('wallet', TYPES, { name: 'bare', covers: undefined });
const BEGIN = 'reconcile: { begin: { date: 2026-08-01, balances: { wallet: { NGN: "1000.00" } } } }\n';

type Statement = readonly [from: string, to: string, ...rows: readonly string[]];

/** From 1,000.00 to 1,089.50. */
const AUGUST: Statement = ['2026-08-01', '2026-08-31', '2026-08-03,A1,Pay,89.50,1089.50'];
/** From 1,089.50 to 1,155.00. */
const SEPTEMBER: Statement = ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,65.50,1155.00'];
/** From 1,089.50 to 1,109.50, without the days after the 15th. */
const HALF_SEPTEMBER: Statement = ['2026-09-01', '2026-09-15', '2026-09-03,A2,Pay,20.00,1109.50'];
/** From 1,050.00 to 1,139.50. */
const HIGHER_AUGUST: Statement = ['2026-08-01', '2026-08-31', '2026-08-03,A1,Pay,89.50,1139.50'];
/** The line of September, from 1,039.50 to 1,105.00. */
const LOWER_SEPTEMBER: Statement = ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,65.50,1105.00'];
/** From 1,139.50. */
const HIGHER_SEPTEMBER: Statement = ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,15.50,1155.00'];
const october = (opening: number): Statement => [
  '2026-10-01',
  '2026-10-31',
  `2026-10-03,A3,Pay,7.00,${(opening + 7).toFixed(2)}`,
];
/** From 1,205.00. */
const BOTH_MONTHS: Statement = ['2026-09-21', '2026-10-31', '2026-10-03,A3,Pay,7.00,1212.00'];

const MONTHS = { AUGUST: ['2026-08-01', '2026-08-31'], SEPTEMBER: ['2026-09-01', '2026-09-30'] } as const;
const OCTOBER = ['2026-10-01', '2026-10-31'] as const;
const ALL = ['2026-08-01', '2026-10-31'] as const;
/** August with one more line, up to 1,094.50. */
const LONGER_AUGUST: Statement = [...AUGUST, '2026-08-04,A4,Pay,5.00,1094.50'];
/** September with another line, from 1,089.50. */
const OTHER_SEPTEMBER: Statement = ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,66.50,1156.00'];
/** August with other words on its line. */
const OTHER_AUGUST: Statement = ['2026-08-01', '2026-08-31', '2026-08-03,A1-booked,Pay,89.50,1089.50'];

/** Until September, without 11 to 20 August, in which 7.00 moved. */
const WITHOUT_TEN_DAYS: readonly Statement[] = [
  ['2026-08-01', '2026-08-10', '2026-08-03,A1,Pay,89.50,1089.50'],
  ['2026-08-21', '2026-08-31', '2026-08-22,A2,Pay,3.50,1100.00'],
  ['2026-09-01', '2026-09-30', '2026-09-03,A3,Pay,55.00,1155.00'],
];
/** The same, but nothing moved in these days. */
const WITHOUT_TEN_QUIET_DAYS: readonly Statement[] = [
  ['2026-08-01', '2026-08-10', '2026-08-03,A1,Pay,89.50,1089.50'],
  ['2026-08-21', '2026-08-31', '2026-08-22,A2,Pay,3.50,1093.00'],
  ['2026-09-01', '2026-09-30', '2026-09-03,A3,Pay,62.00,1155.00'],
];

interface Case {
  readonly files: readonly Statement[];
  readonly begins?: boolean;
  readonly closes?: readonly (keyof typeof MONTHS)[];
  /** Imported when these months are closed. */
  readonly late?: Partial<Record<keyof typeof MONTHS, readonly Statement[]>>;
  readonly days?: readonly [string, string];
  /** Where the statement opens, by the statements before it and by itself, effect and sub-kind. */
  readonly breaks?: readonly (readonly (string | null)[])[];
  readonly carried?: readonly (readonly (string | null)[])[];
  /** The closing balance by the statement. */
  readonly closing?: string;
}

const CASES: Record<string, Case> = {
  'a month without a statement': {
    files: [AUGUST, october(1139.5)],
    breaks: [['2026-10-01', '1089.50', '1139.50', '50.00', null]],
  },
  'a month without a statement, in one run over all days': {
    files: [AUGUST, october(1139.5)],
    days: ALL,
    breaks: [['2026-10-01', '1089.50', '1139.50', '50.00', null]],
  },
  'a month without a statement, after a closed one': {
    files: [AUGUST, october(1139.5)],
    closes: ['AUGUST'],
    breaks: [['2026-10-01', '1089.50', '1139.50', '50.00', null]],
  },
  'a month without a statement, and no opening balance of our own': {
    files: [AUGUST, october(1139.5)],
    begins: false,
    breaks: [['2026-10-01', '1089.50', '1139.50', '0.00', null]],
  },
  'a month without a statement in which nothing moved': { files: [AUGUST, october(1089.5)] },
  'the next day': {
    files: [AUGUST, SEPTEMBER, october(1105)],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
  },
  'the next day, in one run over all days': {
    files: [AUGUST, SEPTEMBER, october(1105)],
    days: ALL,
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
  },
  'the next day, after a closed month that follows a closed one': {
    files: [AUGUST, SEPTEMBER, october(1105)],
    closes: ['AUGUST', 'SEPTEMBER'],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
  },
  'the next day, after an open month that follows a closed one': {
    files: [AUGUST, SEPTEMBER, october(1105)],
    closes: ['AUGUST'],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
  },
  'the next day, and no opening balance of our own': {
    files: [AUGUST, SEPTEMBER, october(1105)],
    begins: false,
    breaks: [['2026-10-01', '1155.00', '1105.00', '0.00', null]],
  },
  'half a month': {
    files: [AUGUST, HALF_SEPTEMBER, october(1139.5)],
    breaks: [['2026-10-01', '1109.50', '1139.50', '30.00', null]],
  },
  'the month before, in its own run': {
    files: [AUGUST, HIGHER_SEPTEMBER, october(1155)],
    days: MONTHS.SEPTEMBER,
    breaks: [['2026-09-01', '1089.50', '1139.50', '50.00', null]],
  },
  'the month before': {
    files: [AUGUST, HIGHER_SEPTEMBER, october(1155)],
    carried: [['2026-09-01', '1089.50', '1139.50', '50.00', null]],
  },
  'the month before and the next day': {
    files: [AUGUST, HIGHER_SEPTEMBER, october(1105)],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
    carried: [['2026-09-01', '1089.50', '1139.50', '50.00', null]],
  },
  'days of the month before, of a statement that reaches into this one': {
    files: [AUGUST, HALF_SEPTEMBER, BOTH_MONTHS],
    carried: [['2026-09-21', '1109.50', '1205.00', '95.50', null]],
  },
  'two statements that contradict each other, the first of which goes on': {
    files: [AUGUST, SEPTEMBER, october(1155), october(1105)],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', 'contradicting']],
  },
  'two statements that contradict each other, the second of which goes on': {
    files: [AUGUST, SEPTEMBER, october(1105), october(1155)],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', 'contradicting']],
  },
  'two statements that contradict each other, in one run over all days': {
    files: [AUGUST, SEPTEMBER, october(1155), october(1105)],
    days: ALL,
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', 'contradicting']],
  },
  'two statements that contradict each other, after a closed month': {
    files: [AUGUST, SEPTEMBER, october(1155), october(1105)],
    closes: ['AUGUST', 'SEPTEMBER'],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', 'contradicting']],
  },
  'two statements that contradict each other, on the day our books begin': {
    files: [AUGUST, ['2026-08-01', '2026-08-31', '2026-08-03,A1,Pay,89.50,1139.50']],
    days: MONTHS.AUGUST,
    breaks: [['2026-08-01', '1000.00', '1050.00', '50.00', 'contradicting']],
  },
  'a month before our books begin': {
    files: [['2026-07-01', '2026-07-31', '2026-07-03,A0,Pay,7.00,907.00'], AUGUST, SEPTEMBER, october(1105)],
    breaks: [['2026-10-01', '1155.00', '1105.00', '-50.00', null]],
  },
  'a month before our books begin, in the run of their first month': {
    files: [['2026-07-01', '2026-07-31', '2026-07-03,A0,Pay,7.00,907.00'], AUGUST],
    days: MONTHS.AUGUST,
  },
  'the first month, which opens otherwise than our books': {
    files: [HIGHER_AUGUST],
    days: MONTHS.AUGUST,
    breaks: [['2026-08-01', '1000.00', '1050.00', '50.00', 'begin']],
  },
  'the first month, which opens otherwise than our books, in a later one': {
    files: [HIGHER_AUGUST, HIGHER_SEPTEMBER, october(1155)],
    carried: [['2026-08-01', '1000.00', '1050.00', '50.00', 'begin']],
  },
  'the first month, which opens otherwise than our books, after it was closed': {
    files: [HIGHER_AUGUST, HIGHER_SEPTEMBER],
    closes: ['AUGUST'],
    days: MONTHS.SEPTEMBER,
    carried: [['2026-08-01', '1000.00', '1050.00', '50.00', 'begin']],
  },
  'the first statement, weeks after our books begin': {
    files: [SEPTEMBER],
    days: ['2026-08-01', '2026-09-30'],
    breaks: [['2026-09-01', '1000.00', '1089.50', '89.50', 'begin']],
  },
  'the first statement, weeks after our books begin, in the next month': {
    files: [SEPTEMBER, october(1155)],
    carried: [['2026-09-01', '1000.00', '1089.50', '89.50', 'begin']],
  },
  'a first statement that begins before our books': {
    files: [['2026-07-21', '2026-08-31', '2026-07-30,A0,Pay,7.00,1047.00', '2026-08-03,A1,Pay,89.50,1136.50']],
    days: MONTHS.AUGUST,
    breaks: [['2026-08-01', '1000.00', '1047.00', '47.00', 'begin']],
  },
  'a first statement that begins before our books, in the next month': {
    files: [
      ['2026-07-21', '2026-08-31', '2026-07-30,A0,Pay,7.00,1047.00', '2026-08-03,A1,Pay,89.50,1136.50'],
      ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,3.50,1140.00'],
    ],
    days: MONTHS.SEPTEMBER,
    carried: [['2026-08-01', '1000.00', '1047.00', '47.00', 'begin']],
  },
  'a corrected statement of a closed month, from which the next one does not go on': {
    files: [AUGUST, SEPTEMBER],
    closes: ['AUGUST'],
    late: { AUGUST: [LONGER_AUGUST] },
    days: MONTHS.SEPTEMBER,
    breaks: [['2026-09-01', '1094.50', '1089.50', '-5.00', null]],
    closing: '1155.00',
  },
  'a corrected statement of a closed month, in the month after the next': {
    files: [AUGUST, SEPTEMBER, october(1155)],
    closes: ['AUGUST', 'SEPTEMBER'],
    late: { AUGUST: [LONGER_AUGUST] },
    carried: [['2026-09-01', '1094.50', '1089.50', '-5.00', null]],
    closing: '1162.00',
  },
  'a corrected statement of a closed month, with which the month after the next goes on': {
    files: [AUGUST, SEPTEMBER],
    closes: ['AUGUST', 'SEPTEMBER'],
    late: { SEPTEMBER: [LONGER_AUGUST, october(1160)] },
    breaks: [['2026-09-01', '1094.50', '1089.50', '0.00', 'contradicting']],
    closing: '1167.00',
  },
  'the same in one run over all days': {
    files: [AUGUST, LONGER_AUGUST, SEPTEMBER, october(1160)],
    days: ALL,
    breaks: [['2026-09-01', '1094.50', '1089.50', '0.00', 'contradicting']],
    closing: '1167.00',
  },
  'two halves of a closed month beside its whole, corrected statement, with which the next month goes on': {
    files: [
      ['2026-08-01', '2026-08-15', '2026-08-03,A1,Pay,89.50,1089.50'],
      ['2026-08-16', '2026-08-31', '2026-08-20,A5,Pay,1.00,1090.50'],
    ],
    closes: ['AUGUST'],
    late: {
      AUGUST: [
        [...LONGER_AUGUST, '2026-08-20,A5,Pay,1.00,1095.50'],
        ['2026-09-01', '2026-09-30', '2026-09-03,A2,Pay,65.50,1161.00'],
      ],
    },
    days: MONTHS.SEPTEMBER,
    breaks: [['2026-08-16', '1094.50', '1089.50', '0.00', 'contradicting']],
    closing: '1161.00',
  },
  'a corrected statement of a closed month, before two of the next that contradict each other': {
    files: [AUGUST, SEPTEMBER, OTHER_SEPTEMBER],
    closes: ['AUGUST'],
    late: { AUGUST: [LONGER_AUGUST] },
    days: MONTHS.SEPTEMBER,
    breaks: [
      ['2026-09-01', '1094.50', '1089.50', '-5.00', null],
      ['2026-09-30', '1221.50', '1156.00', '-65.50', 'contradicting'],
    ],
  },
  'the lines of the first days, which came after the close of their month': {
    files: [
      ['2026-08-02', '2026-08-10', '2026-08-03,A1,Pay,89.50,1096.50'],
      ['2026-08-11', '2026-08-31', '2026-08-12,A2,Pay,3.50,1100.00'],
      ['2026-09-01', '2026-09-30', '2026-09-03,A3,Pay,55.00,1155.00'],
    ],
    closes: ['AUGUST'],
    late: { AUGUST: [['', '', '2026-08-01,A0,Pay,7.00,']] },
    days: MONTHS.SEPTEMBER,
    closing: '1155.00',
  },
  'the statement of days that were missing, which came after the close of their month': {
    files: WITHOUT_TEN_DAYS,
    closes: ['AUGUST'],
    late: { AUGUST: [['2026-08-11', '2026-08-20', '2026-08-12,A4,Pay,7.00,1096.50']] },
    days: MONTHS.SEPTEMBER,
    closing: '1155.00',
  },
  'days that were missing, in which nothing moved in all, and whose statement came after the close': {
    files: WITHOUT_TEN_QUIET_DAYS,
    closes: ['AUGUST'],
    late: {
      AUGUST: [['2026-08-11', '2026-08-20', '2026-08-12,A4,Pay,5.00,1094.50', '2026-08-13,A5,Pay,-5.00,1089.50']],
    },
    days: MONTHS.SEPTEMBER,
    closing: '1155.00',
  },
  'days of which some are missing still, in which nothing moved': {
    files: WITHOUT_TEN_QUIET_DAYS,
    closes: ['AUGUST'],
    late: {
      AUGUST: [['2026-08-15', '2026-08-20', '2026-08-15,A4,Pay,5.00,1094.50', '2026-08-16,A5,Pay,-5.00,1089.50']],
    },
    days: MONTHS.SEPTEMBER,
    carried: [['2026-08-21', '1089.50', '1089.50', '0.00', null]],
  },
  'another sum than was missing, which came after the close of its month': {
    files: WITHOUT_TEN_DAYS,
    closes: ['AUGUST'],
    late: { AUGUST: [['', '', '2026-08-12,A4,Pay,5.00,']] },
    days: MONTHS.SEPTEMBER,
    carried: [['2026-08-21', '1094.50', '1096.50', '2.00', null]],
    closing: '1155.00',
  },
  'the lines of the first days, which came after the close of their month, in the month after the next': {
    files: [['2026-08-02', '2026-08-31', '2026-08-03,A1,Pay,89.50,1089.50'], SEPTEMBER, october(1155)],
    begins: false,
    closes: ['AUGUST', 'SEPTEMBER'],
    late: { AUGUST: [['', '', '2026-08-01,A0,Pay,7.00,']] },
    carried: [['2026-09-01', '1096.50', '1089.50', '-7.00', null]],
    closing: '1162.00',
  },
  'a statement of a closed month with other words': {
    files: [AUGUST, SEPTEMBER],
    closes: ['AUGUST'],
    late: { AUGUST: [OTHER_AUGUST] },
    days: MONTHS.SEPTEMBER,
    breaks: [['2026-08-31', '1179.00', '1089.50', '-89.50', 'contradicting']],
    closing: '1155.00',
  },
  'two statements of a month before without a line in common': {
    files: [AUGUST, OTHER_AUGUST, SEPTEMBER],
    days: MONTHS.SEPTEMBER,
    carried: [['2026-08-31', '1179.00', '1089.50', '-89.50', 'contradicting']],
    closing: '1155.00',
  },
  'a month with more lines than its statement tells, in the month after the next': {
    files: [AUGUST, ['', '', '2026-08-04,A4,Pay,5.00,'], SEPTEMBER, october(1155)],
    closes: ['AUGUST', 'SEPTEMBER'],
    carried: [['2026-08-31', '1094.50', '1089.50', '-5.00', 'contradicting']],
    closing: '1162.00',
  },
  'two statements that contradict each other, in the month after them': {
    files: [AUGUST, SEPTEMBER, LOWER_SEPTEMBER, october(1105)],
    carried: [['2026-09-01', '1089.50', '1039.50', '-50.00', 'contradicting']],
  },
};

test.each(Object.entries(CASES))(
  '%s',
  async (_, { files, begins = true, closes = [], late = {}, days = OCTOBER, ...expected }) => {
    const { shop, take } = await opened(files, begins);
    for (const month of closes) {
      const [from, to] = MONTHS[month];
      const { breaks } = await shop.reconcile({ from, to });
      const ids: string[] = breaks.map(({ id }: { id: string }) => id);
      await shop.resolve(ids, { reasonCode: 'bank_charge' });
      await shop.close(from.slice(0, 7));
      await take(late[month] ?? []);
    }
    const { breaks, carried, proof } = await shop.reconcile({ from: days[0], to: days[1] });
    expect({ breaks: openings(breaks), carried: openings(carried), unexplained: proof[0].unexplained }).toEqual({
      breaks: expected.breaks ?? [],
      carried: expected.carried ?? [],
      unexplained: '0.00',
    });
    if (expected.closing !== undefined) expect(proof[0].rows.at(-1)).toMatchObject({ theirs: expected.closing });
  },
);

test('a statement that contradicts another one has one break in its month and in the next', async () => {
  const { shop } = await opened([AUGUST, SEPTEMBER, LOWER_SEPTEMBER, october(1105)]);
  const gapsOf = async ([from, to]: readonly [string, string], list: 'breaks' | 'carried') => {
    const items: readonly { id: string; field: string; effect: string }[] = (await shop.reconcile({ from, to }))[list];
    return items.filter(({ field }) => field === 'opening').map(({ id, effect }) => [id, effect]);
  };
  const own = await gapsOf(MONTHS.SEPTEMBER, 'breaks');
  expect(own).toEqual([[expect.any(String), '-50.00']]);
  expect(await gapsOf(OCTOBER, 'carried')).toEqual(own);
});

test('what late lines leave open of a closed month stays as it was in the month after the next', async () => {
  const { shop, take } = await opened([...WITHOUT_TEN_DAYS, october(1155)]);
  const items = async ([from, to]: readonly [string, string]) => {
    const { breaks, carried } = await shop.reconcile({ from, to });
    const all: readonly Record<string, string>[] = [...breaks, ...carried];
    return all.filter(({ code }) => code === 'statement_gap');
  };
  const carry = async (gaps: readonly Record<string, string>[]) => {
    const ids = gaps.map(({ id }) => String(id));
    await shop.resolve(ids, { resolution: 'carry', reasonCode: 'next_period' });
  };
  await carry(await items(MONTHS.AUGUST));
  await shop.close('2026-08');
  await take([['', '', '2026-08-12,A4,Pay,5.00,']]);
  const september = await items(MONTHS.SEPTEMBER);
  expect(openings(september).map(([day, , , effect]) => [day, effect])).toEqual([['2026-08-21', '2.00']]);
  await carry(september);
  await shop.close('2026-09');
  const shown = ({ id, effect, reason }: Record<string, string>) => ({ id, effect, reason });
  expect((await items(OCTOBER)).map(shown).toSorted(byId)).toEqual(september.map(shown).toSorted(byId));
});

function byId(one: { readonly id?: string | undefined }, other: { readonly id?: string | undefined }) {
  return String(one.id) < String(other.id) ? -1 : 1;
}

/** A shop that has taken these statements, and takes more. One without days states no balance either. */
async function opened(files: readonly Statement[], begins = true) {
  const shop = await Shop.of([]);
  shop.file('wallet.yaml', PROFILE);
  shop.file('bare.yaml', BARE);
  if (begins) shop.file('tallyhook.yaml', BEGIN);
  let taken = 0;
  const take = async (some: readonly Statement[]) => {
    for (const [from, to, ...rows] of some) {
      const text = [`From,${from},To,${to}`, 'Date,Reference,Type,Amount,Balance', ...rows, ''].join('\n');
      await shop.take(from === '' ? 'bare' : 'wallet', `${taken++}.csv`, text);
    }
  };
  await take(files);
  return { shop, take };
}

function openings(items: readonly Record<string, string>[]) {
  return items
    .filter(
      ({ code, field, effect }) =>
        code === 'statement_gap' && (field === 'opening' || (field === 'lines' && effect !== '0.00')),
    )
    .map(({ firstSeen, ours, theirs, effect, sub }) => [firstSeen, ours, theirs, effect, sub]);
}
