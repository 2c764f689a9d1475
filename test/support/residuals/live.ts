import { october, timeOn } from '../month/days.ts';
import { minorOf, moneyText } from '../month/money.ts';
import type { OurRecord } from '../month/story.ts';
import { toldOf } from '../month/tell.ts';
import { settle } from '../months/live.ts';
import { seededRandom } from '../random.ts';
import type { Told } from '../shop/records.ts';
import { Shop } from '../shop/shop.ts';
import { type Currency, type Fate, type FateLine, MONTHS, movedBy, oursOf, WALLETS, type Wallet } from './fates.ts';

/* Lives some months of fates, and holds what each run lists of a fate against what it moved. */

const OPENING = 5_000_000_000n;
const ALL_WALLETS = Object.keys(WALLETS) as Wallet[];
const BEGIN = {
  date: october(MONTHS[0].first),
  balances: Object.fromEntries(ALL_WALLETS.map((wallet) => [wallet, { [WALLETS[wallet]]: moneyText(OPENING) }])),
};
const LISTS = ['breaks', 'timing', 'suggested', 'carried'] as const;
const WORDS = [
  'collection',
  'collection_reversal',
  'payout',
  'payout_reversal',
  'refund',
  'refund_reversal',
  'reserve',
  'release',
  'fee',
] as const;

const profileOf = (wallet: Wallet) =>
  JSON.stringify({
    ...{ version: 1, name: wallet, kind: 'wallet', account: wallet, environment: 'test', currency: WALLETS[wallet] },
    file: { skipRows: 2 },
    columns: { date: 'Date', reference: 'Reference', sessionId: 'Session', type: 'Type' },
    ...{ dateFormat: 'yyyy-MM-dd', amount: { signed: 'Amount' }, fee: 'Fee', duty: 'Duty' },
    types: Object.fromEntries(WORDS.map((word) => [word, word])),
    covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } },
    balance: { opening: { row: 2, column: 2 }, closing: { row: 2, column: 4 } },
  });

/** A line, and the fate that it is of. */
interface Owned {
  readonly fate: Fate;
  readonly line: FateLine;
}

interface ListedItem {
  readonly id: string;
  readonly code: string;
  readonly sub: string | null;
  readonly account: string | null;
  readonly currency: string;
  readonly reference: string | null;
  readonly effect: string;
  readonly reason: string;
  readonly line: { readonly statement: number; readonly row: number } | null;
}

export interface Living {
  /** How each file is cut, in which order files come, and what is done beside. */
  readonly seed: number;
  /** Each month is opened again after its close, reconciled, and closed again. */
  readonly reopened?: boolean;
  /** Nothing is closed: the books begin with the first month (`reconcile.begin`). */
  readonly begun?: boolean;
}

/** Returns each point in which a run does not say what is right; what follows the first such month is not carried out. */
export async function live(fates: readonly Fate[], living: Living): Promise<string[]> {
  const shop = await Shop.of();
  try {
    return await liveIn(shop, fates, living);
  } finally {
    shop.end();
  }
}

async function liveIn(
  shop: Shop,
  fates: readonly Fate[],
  { seed, reopened = false, begun = false }: Living,
): Promise<string[]> {
  const random = seededRandom(seed);
  for (const wallet of ALL_WALLETS) shop.file(`${wallet}.yaml`, profileOf(wallet));
  if (begun) shop.file('tallyhook.yaml', JSON.stringify({ reconcile: { begin: BEGIN } }));
  const places = new Map<string, Owned>();
  for (const [stage, { name, first, last }] of MONTHS.entries()) {
    shop.clock.ms = Date.parse(`${october(last + 5)}T07:00:00Z`);
    await shop.tell(fates.flatMap((fate) => toldAt(fate, stage) ?? []));
    for (const file of filesAt(fates, stage, random)) await importFile(shop, file, places);
    const days = { from: october(first), to: october(last) };
    const held = async () => heldAgainst(fates, places, await shop.reconcile(days), { stage, first, last });
    const wrong = await held();
    if (wrong.length > 0) return wrong.map((one) => `${name}: ${one}`);
    if (begun) continue;
    await settle(shop);
    await shop.close(name);
    if (!reopened) continue;
    await shop.reopen(name);
    const again = await held();
    if (again.length > 0) return again.map((one) => `${name} again: ${one}`);
    await shop.close(name);
  }
  return [];
}

/** What becomes known of the record of a fate at a stage; null: nothing. */
function toldAt({ reference, record }: Fate, stage: number): Told | null {
  const said = record?.said.findLast((one) => one.stage === stage);
  if (record === null || said === undefined) return null;
  const { kind, currency, amount, fee, duty, began } = record;
  const isOver = ['success', 'failed', 'reversed', 'rejected'].includes(said.status);
  const own: OurRecord = {
    ...{
      kind,
      environment: 'test',
      reference,
      status: said.status,
      currency,
      amount,
      fee,
      duty,
      day: october(said.day),
    },
    ...{ beganAt: timeOn(october(began), 5), endedAt: isOver ? timeOn(october(said.day), 10 + stage) : null },
    ...{ sessionId: kind === 'payout' ? `S${reference}` : null, transactionReference: null, webhooks: null },
    data: kind === 'payout' ? { bank_code: '990001', account_number: `1${reference.slice(-4)}00000` } : {},
  };
  return toldOf(own);
}

interface File {
  readonly wallet: Wallet;
  readonly from: number;
  readonly to: number;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly Owned[];
}

/** The files of a month, and those of earlier months once more of which lines came late. */
function filesAt(fates: readonly Fate[], stage: number, random: () => number): File[] {
  const files = ALL_WALLETS.flatMap((wallet) => {
    const lines = fates.flatMap((fate) => fate.lines.map((line) => ({ fate, line })));
    const known = lines.filter(({ line }) => line.wallet === wallet && line.stage <= stage);
    const sumBefore = (day: number) =>
      known.reduce((sum, { line }) => (line.day < day ? sum + line.amount : sum), OPENING);
    const file = (from: number, to: number): File => ({
      ...{ wallet, from, to, opening: sumBefore(from), closing: sumBefore(to + 1) },
      lines: known
        .filter(({ line }) => from <= line.day && line.day <= to)
        .sort((one, other) => one.line.day - other.line.day),
    });
    const changed = MONTHS.findIndex(({ first, last }) =>
      known.some(({ line }) => line.stage === stage && first <= line.day && line.day <= last),
    );
    const again = MONTHS.slice(changed < 0 ? stage : changed, stage);
    const { first, last } = MONTHS[stage] ?? MONTHS[0];
    const middle = first + 10 + Math.floor(random() * 10);
    // A month that is corrected later comes whole: a part of it that is not exported again contradicts the rest.
    const isWhole = lines.some(
      ({ line }) => line.wallet === wallet && line.stage > stage && line.day <= last && first <= line.day,
    );
    const parts =
      isWhole || random() < 0.5
        ? [[first, last] as const]
        : [[first, middle + (random() < 0.5 ? 0 : 3)] as const, [middle + 1, last] as const];
    return [...again.map((month) => file(month.first, month.last)), ...parts.map(([from, to]) => file(from, to))];
  });
  return random() < 0.5 ? files : files.reverse();
}

async function importFile(shop: Shop, { wallet, from, to, opening, closing, lines }: File, places: Map<string, Owned>) {
  const rows = lines.map(({ fate, line }) => {
    const { day, type, amount, fee, duty, isBySession, unreadable } = line;
    const session = fate.record?.kind === 'payout' || isBySession ? `S${fate.reference}` : '';
    const [charged, stamped] = [fee, duty].map((minor) => (minor === null ? '' : moneyText(minor)));
    return [
      october(day),
      isBySession ? '' : fate.reference,
      session,
      type,
      unreadable ?? moneyText(amount),
      charged,
      stamped,
    ];
  });
  const head = [
    ['From', october(from), 'To', october(to)],
    ['Opening', moneyText(opening), 'Closing', moneyText(closing)],
    ['Date', 'Reference', 'Session', 'Type', 'Amount', 'Fee', 'Duty'],
  ];
  const text = `${[...head, ...rows].map((row) => row.join(',')).join('\n')}\n`;
  const { statement } = (await shop.tryImport(
    `${wallet}.yaml`,
    `${wallet}-${from}-${to}-${places.size}.csv`,
    text,
  )) as { statement: number | null };
  for (const [index, owned] of lines.entries()) places.set(`${statement}:${head.length + index + 1}`, owned);
}

interface Report extends Readonly<Record<(typeof LISTS)[number], readonly ListedItem[]>> {
  readonly unexplained: readonly ListedItem[];
  readonly proof: readonly {
    readonly account: string;
    readonly rows: readonly { readonly name: string; readonly ours: string; readonly theirs: string }[];
    readonly unexplained: string;
  }[];
}

interface Moment {
  readonly stage: number;
  readonly first: number;
  readonly last: number;
}

function heldAgainst(
  fates: readonly Fate[],
  places: ReadonlyMap<string, Owned>,
  report: Report,
  { stage, first, last }: Moment,
): string[] {
  const wrong: string[] = [];
  const named = new Map(
    fates.flatMap(
      (fate) =>
        [
          [fate.reference, fate],
          [`S${fate.reference}`, fate],
        ] as const,
    ),
  );
  const listed = new Map<string, { readonly list: string; readonly item: ListedItem }[]>();
  const unread = new Map<string, bigint>();
  for (const list of LISTS)
    for (const item of report[list]) {
      const owned = item.line === null ? undefined : places.get(`${item.line.statement}:${item.line.row}`);
      const fate = owned?.fate ?? named.get(item.reference ?? '');
      if (item.code === 'unparsed') {
        unread.set(item.account ?? '', (unread.get(item.account ?? '') ?? 0n) + minorOf(item.effect));
        continue;
      }
      if (fate === undefined) {
        if (item.code !== 'statement_gap' || item.effect !== '0.00') wrong.push(`of no fate: ${list} ${textOf(item)}`);
        continue;
      }
      const key = `${fate.reference} ${item.currency}`;
      listed.set(key, [...(listed.get(key) ?? []), { list, item }]);
    }
  for (const item of report.unexplained) wrong.push(`unexplained: ${textOf(item)}`);
  const ids = new Set<string>();
  for (const item of LISTS.flatMap((list) => report[list])) {
    if (ids.has(item.id)) wrong.push(`twice under one id: ${textOf(item)}`);
    ids.add(item.id);
  }
  for (const fate of fates)
    for (const currency of ['NGN', 'USD'] as const) {
      const own = listed.get(`${fate.reference} ${currency}`) ?? [];
      const effects = own.reduce((sum, { item }) => sum + minorOf(item.effect), 0n);
      const right = residuals(fate, currency, last, stage);
      const said = () => own.map(({ list, item }) => `${list} ${textOf(item)}`).join('; ') || 'nothing';
      const about = () => `${fate.reference} ${currency} (${fate.story.join(', ')}; ${linesText(fate)})`;
      if (!right.includes(effects))
        wrong.push(`${about()}: ${moneyText(effects)}, not ${right.map(moneyText).join(' or ')}: ${said()}`);
      const before = residuals(fate, currency, first - 1, stage);
      // What names the session of a record that has none is a group by itself.
      const isKnown = fate.record?.said.some((one) => one.stage <= stage) === true;
      const isOne = isKnown && fate.lines.every(({ isBySession }) => !isBySession);
      if (isOne && own.some(({ list }) => list === 'carried') && !before.some((minor) => right.includes(minor)))
        wrong.push(`${about()}: carried, and it was ${before.map(moneyText).join(' or ')}: ${said()}`);
    }
  for (const wallet of ALL_WALLETS) {
    const known = fates
      .flatMap(({ lines }) => lines)
      .filter((line) => line.wallet === wallet && line.stage <= stage && line.day <= last);
    const rows = known.filter(({ unreadable }) => unreadable !== null).reduce((sum, { amount }) => sum + amount, 0n);
    if ((unread.get(wallet) ?? 0n) !== rows)
      wrong.push(`${wallet}: unreadable rows moved ${moneyText(rows)}, not ${moneyText(unread.get(wallet) ?? 0n)}`);
    const proof = report.proof.find(({ account }) => account === wallet);
    const closing = proof?.rows.find(({ name }) => name === 'closing');
    const right = known.reduce((sum, { amount }) => sum + amount, OPENING);
    if (closing === undefined || minorOf(closing.theirs) !== right)
      wrong.push(`${wallet}: closes with ${closing?.theirs}, not ${moneyText(right)}`);
    if (proof?.unexplained !== '0.00') wrong.push(`${wallet}: unexplained ${proof?.unexplained}`);
    const effects = LISTS.flatMap((list) => report[list])
      .filter(({ account }) => account === wallet)
      .reduce((sum, { effect }) => sum + minorOf(effect), 0n);
    const difference = closing === undefined ? 0n : minorOf(closing.theirs) - minorOf(closing.ours);
    if (effects !== difference)
      wrong.push(`${wallet}: the effects make ${moneyText(effects)}, the difference is ${moneyText(difference)}`);
  }
  return wrong;
}

/** What lines moved less what the record moved, each answer that is right. */
function residuals(fate: Fate, currency: Currency, until: number, stage: number): bigint[] {
  const ours = fate.record?.currency === currency ? oursOf(fate, until, stage) : [0n];
  return ours.map((minor) => movedBy(fate, currency, until, stage) - minor);
}

function textOf({ code, sub, account, reference, effect, reason }: ListedItem): string {
  const why = code === 'statement_gap' ? ` (${reason})` : '';
  return `${code}${sub === null ? '' : `/${sub}`} ${reference} ${account} ${effect}${why}`;
}

function linesText({ record, lines }: Fate): string {
  const all = lines.map(({ wallet, type, day, stage, amount, fee, duty, isBySession, unreadable }) => {
    const charges = [fee, duty].map((minor) => (minor === null ? '-' : moneyText(minor))).join('/');
    return `${type} ${moneyText(amount)} ${charges} ${wallet} day ${day} stage ${stage}${isBySession ? ' by session' : ''}${unreadable === null ? '' : ' unreadable'}`;
  });
  const money =
    record === null
      ? 'no record'
      : `${moneyText(record.amount)} fee ${moneyText(record.fee)} duty ${moneyText(record.duty)} ${record.currency} ${record.said.map(({ stage, status, day }) => `${status}@${day}/${stage}`).join(' ')}`;
  return [money, ...all].join('; ');
}
