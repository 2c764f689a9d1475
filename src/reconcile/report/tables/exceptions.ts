import { type MoreCarried, moreCarried } from '../carried-more.ts';
import { isZero } from '../decimal.ts';
import { carriedAnchor } from '../html/anchors.ts';
import type { CarriedItem, ExceptionSum, Report, ReportedException, ReportRisk, ReportWaiting } from '../model.ts';
import { movesBalance } from '../proven.ts';
import { amount, book, type Column, count, day, effect, name, onlyCsv, type Table, text, value } from '../table.ts';
import { age, breakName, counted } from '../words.ts';
import { EXPLAINED } from './balance.ts';
import type { PageLinks } from './links.ts';

// What does not agree, by what it is, and one by one; and what waits.

type Only = Report['environment'];

/** The exceptions of the period, and what is open from before it, have the same sums; the sections of CSV. */
const SECTIONS = { Exceptions: 'exceptions', 'From before': 'carried' } as const;
type Section = keyof typeof SECTIONS;

type OfCode = Report['exceptions']['byCode'][number];

export function byCode(section: Section, rows: readonly OfCode[], only: Only, links: PageLinks): Table<OfCode> {
  const code = name<OfCode>('Code', (row) => row.code, { csv: 'item', width: 24 });
  const to = section === 'Exceptions' ? (row: OfCode) => links.exceptions(row) : undefined;
  return sumsTable(`${section} by code`, { csv: `${SECTIONS[section]}_by_code`, rows, code, only, to });
}

type OfAge = Report['exceptions']['byAge'][number];

export function byAge(section: Section, rows: readonly OfAge[], only: Only): Table<OfAge> {
  const code = name<OfAge>('Age', (row) => row.age, { ...age, csv: 'item', width: 24 });
  return sumsTable(`${section} by age`, { csv: `${SECTIONS[section]}_by_age`, rows, code, only });
}

interface Sums<Row> {
  readonly csv: string;
  readonly rows: readonly Row[];
  readonly code: Column<Row>;
  readonly only: Only;
  readonly to?: ((row: Row) => string | undefined) | undefined;
}

function sumsTable<Row extends ExceptionSum>(title: string, { code, only, to, ...own }: Sums<Row>): Table<Row> {
  return {
    ...{ name: title, title, ...own },
    columns: [...book<Row>(only, 'currency'), code, ...sums<Row>(to)],
    ...{ parts: 'page', hasTotals: true },
    chart: (rows) => ({
      ...{ as: 'bars', colours: 'state', parts: ['Open', 'Resolved'] },
      rows: rows.map((row) => ({
        name: code.words?.(row) ?? String(code.value(row)),
        parts: [row.open, row.count - row.open].map((size) => ({ size, shown: counted(size) })),
        total: counted(row.count),
      })),
    }),
  };
}

/** Of accounts without a balance proof. */
export const EFFECT_OUTSIDE = 'Outside the proof';

function sums<Row extends ExceptionSum>(to?: (row: Row) => string | undefined): Column<Row>[] {
  return [
    count('Count', (row) => row.count, { csv: 'count', ...(to !== undefined && { to }) }),
    count('Open', (row) => row.open, { csv: 'open', mark: (row) => (row.open > 0 ? 'bad' : undefined) }),
    effect('Variance', (row) => row.variance, { csv: 'variance' }),
    effect('Effect', (row) => row.effect, { csv: 'effect' }),
    effect(EFFECT_OUTSIDE, (row) => row.effectOutside, { csv: 'effect_outside', isRare: true }),
  ];
}

type OfResolution = Report['exceptions']['byResolution'][number];

export function byResolution({ exceptions, environment: only }: Report): Table<OfResolution> {
  return {
    ...{ name: 'Exceptions by resolution', title: 'Exceptions by resolution', csv: 'exceptions_by_resolution' },
    columns: [
      ...book<OfResolution>(only, 'currency'),
      name('Resolution', (row) => row.resolution ?? 'none', {
        ...{ csv: 'item', width: 24, words: (row) => row.resolution ?? 'Not resolved' },
      }),
      text('Reason code', (row) => row.reasonCode, { csv: 'detail', width: 22 }),
      ...sums<OfResolution>(),
    ],
    ...{ rows: exceptions.byResolution, hasTotals: true },
  };
}

/** Each difference is in the sums once; these are not. */
export function repeated(section: Section, rows: readonly ExceptionSum[], only: Only): Table<ExceptionSum> {
  return {
    ...{ name: `${section} repeated`, csv: `${SECTIONS[section]}_repeated` },
    title: `${section === 'Exceptions' ? 'Repeated' : 'From before, repeated'} by settlement statements, in no sum above`,
    columns: [...book<ExceptionSum>(only, 'currency'), ...sums<ExceptionSum>()],
    rows,
    note: () => (rows.every((row) => isZero(row.effect)) ? REPEATED : `${REPEATED} ${IN_ITS_PROOF}`),
  };
}

const REPEATED =
  'A settlement statement shows again what the wallet shows. Each difference is counted once above, where the wallet shows it.';
const IN_ITS_PROOF =
  'Where that statement states a balance, the effect is part of the proof of its own account: with the effects above it is what exceptions explain in all proofs.';

const LISTS: Readonly<Record<ReportWaiting['list'], string>> = {
  ...EXPLAINED,
  not_confirmed: 'Not confirmed: no endpoint',
  unexplained: 'Judged wrongly by the program',
};

export function waiting({ waiting, environment: only }: Report): Table<ReportWaiting> {
  return {
    ...{ name: 'Waiting', title: 'Waiting, and no exceptions', csv: 'waiting' },
    columns: [
      ...book<ReportWaiting>(only, 'account', 'currency'),
      name('List', (row) => row.list, { csv: 'item', width: 28, words: (row) => LISTS[row.list] }),
      count('Count', (row) => row.count, { csv: 'count' }),
      effect('Effect', (row) => row.effect, { csv: 'effect' }),
    ],
    rows: waiting,
    note: () => 'Items that are not due yet, wait for a person to confirm them, or are carried from an earlier period.',
  };
}

export function atRisk({ atRisk, environment: only }: Report): Table<ReportRisk> {
  return {
    ...{ name: 'At risk', title: 'Money of records with an exception, each record once', csv: 'at_risk' },
    columns: [
      ...book<ReportRisk>(only, 'currency'),
      count('Records', (row) => row.records, { csv: 'count' }),
      amount('Amount', (row) => row.amount, { csv: 'amount' }),
    ],
    rows: atRisk,
  };
}

/** What every list of exceptions has, that of items from before, too. */
type Listed = Omit<CarriedItem, 'leg' | 'kind' | 'age' | 'since' | 'isInProof'>;

const ofId: Column<Listed> = text('Id', (row) => row.id, { csv: 'detail', isLinked: true, width: 30 });
const ofCode: Column<Listed> = text('Code', breakName, { csv: 'item', width: 22 });
const ofReference: Column<Listed> = text('Reference', (row) => row.reference, { csv: 'reference', width: 30 });
const ofDate: Column<Listed> = day('Date', (row) => row.date, { csv: 'date' });
const ofSides: readonly Column<Listed>[] = [
  value('Ours', (row) => row.ours, { csv: 'ours' }),
  value('Theirs', (row) => row.theirs, { csv: 'theirs' }),
];
const ofStanding: readonly Column<Listed>[] = [
  text('Status', (row) => row.status, {
    ...{ csv: 'status', width: 10 },
    words: ({ status, needsApproval }) => (needsApproval ? `${status}, to be approved` : null),
  }),
  text('Resolution', (row) => row.resolution, { csv: 'resolution', width: 12 }),
  text('Reason code', (row) => row.reasonCode, { csv: 'reason_code', isDetail: true, width: 18 }),
];
const ofSameAs: Column<Listed> = text('Same as', (row) => row.sameAs, { csv: 'same_as', isDetail: true, width: 30 });
const ofFollowUp: Column<Listed> = day('Follow-up', (row) => row.followUp, { csv: 'follow_up', isDetail: true });

/** The effect in the balance proof, and beside it that of an account without one. */
function effects<Row extends Listed>(isInProof: (row: Row) => boolean): Column<Row>[] {
  const isOutside = (row: Row) => !isInProof(row) && !isZero(row.effect);
  return [
    effect('Effect', (row) => (isOutside(row) ? null : row.effect), { csv: 'effect' }),
    effect(EFFECT_OUTSIDE, (row) => (isOutside(row) ? row.effect : null), { csv: 'effect_outside', isRare: true }),
  ];
}

/** Every exception behind the sums, a row each: for a sheet. */
export function exceptionList(
  rows: readonly ReportedException[],
  { environment: only, proof }: Pick<Report, 'environment' | 'proof'>,
): Table<ReportedException> {
  return {
    ...{ name: 'Exceptions', title: 'Exceptions' },
    columns: [
      { ...ofId, as: 'name' },
      ...book<ReportedException>(only, 'account', 'currency'),
      ofCode,
      text('What', (row) => row.what, { width: 52 }),
      text('Side', (row) => row.side, { width: 8 }),
      text('Leg', (row) => row.leg, { width: 20 }),
      ofReference,
      ofDate,
      ...ofSides,
      effect('Variance', (row) => row.variance),
      ...effects<ReportedException>(movesBalance(proof)),
      count('Age in days', (row) => row.ageDays, { adds: false }),
      text('Next step', (row) => row.nextStep, { width: 52 }),
      ofSameAs,
      ...ofStanding,
      text('Assignee', (row) => row.assignee, { width: 18 }),
      text('Comment', (row) => row.comment, { width: 40 }),
      ofFollowUp,
    ],
    ...{ rows, hasTotals: true },
  };
}

/** What is open from before, one by one: those in a balance proof add up to what is carried there. */
export function carriedList({ carried, environment: only }: Report, links: PageLinks): Table<CarriedItem> {
  return {
    ...{ name: 'From before', title: 'From before, one by one', csv: 'carried' },
    titleOf: (of) => `From before: ${of}`,
    idOf: ([item]) => (item === undefined ? '' : carriedAnchor(item)),
    columns: [
      ofId,
      ...book<CarriedItem>(only, 'account', 'currency'),
      {
        ...{ ...ofReference, as: 'name', words: ({ reference }) => reference ?? 'a row without a reference' },
        to: ({ id }) => links.item(id)?.story ?? links.item(id)?.exception,
      },
      { ...ofCode, to: ({ id }) => links.item(id)?.exception },
      ofDate,
      text('Since', (row) => row.since, { csv: 'since', width: 12 }),
      ...ofSides,
      ...effects<CarriedItem>((row) => row.isInProof),
      ...ofStanding,
      ofSameAs,
      ofFollowUp,
    ],
    ...{ rows: carried.items, parts: 'page', hasTotals: true },
  };
}

/** How many items from before there are beside those that are listed. */
export function carriedMore(report: Report): Table<MoreCarried> {
  return {
    ...{ name: 'More from before', title: 'More from before, not listed', csv: 'carried_more' },
    columns: [
      ...book<MoreCarried>(report.environment, 'currency'),
      onlyCsv('detail', () => 'tallyhook exceptions list'),
      count('Items', (row) => row.count, { csv: 'count' }),
    ],
    rows: moreCarried(report),
    note: () => 'tallyhook exceptions list has all of them.',
  };
}
