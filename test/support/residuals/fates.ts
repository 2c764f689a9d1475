import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { LineType } from '../../../src/domain/statements/lines.ts';
import { Chance } from '../months/chance.ts';

/*
 * Groups made by chance. A *fate* is a record of ours, or none, and the lines that name it: those that its lifecycle asks for, put out of
 * order by one to three accidents that know nothing of each other. What is right is not a list of codes but one sum: at the end of every
 * day what a run lists of a fate adds up to what its lines moved less what its record moved. A day is a number: 1 is 1 October 2026. A stage
 * is when something becomes known: 0 before the first month is reconciled, 1 before the second.
 */

/** First and last day of each month. */
export const MONTHS = [
  { name: '2026-10', first: 1, last: 31 },
  { name: '2026-11', first: 32, last: 61 },
  { name: '2026-12', first: 62, last: 92 },
] as const;

export const WALLETS = {
  'wallet-a': 'NGN',
  'wallet-b': 'NGN',
  'wallet-d': 'USD',
} as const;
export type Wallet = keyof typeof WALLETS;
export type Currency = (typeof WALLETS)[Wallet];

/** What the service says of a record from a stage on. */
export interface Said {
  readonly stage: number;
  readonly status: string;
  /** When that was so. */
  readonly day: number;
}

export interface FateRecord {
  readonly kind: RecordKind;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly duty: bigint;
  readonly began: number;
  /** In the order of stages; the last one that is known counts. */
  readonly said: readonly Said[];
}

export interface FateLine {
  readonly wallet: Wallet;
  readonly type: LineType;
  readonly day: number;
  readonly stage: number;
  readonly amount: bigint;
  readonly fee: bigint | null;
  readonly duty: bigint | null;
  /** It names the record by its session alone. */
  readonly isBySession: boolean;
  /** The text of its amount, which cannot be read. */
  readonly unreadable: string | null;
}

export interface Fate {
  readonly reference: string;
  readonly record: FateRecord | null;
  readonly lines: readonly FateLine[];
  /** What happened to it, for a person who reads a failure. */
  readonly story: readonly string[];
}

const LAST_DAY = 80;

const stageOf = (day: number): number => MONTHS.findIndex(({ last }) => day <= last);

export function makeFates(seed: number, size: number): Fate[] {
  const chance = new Chance(seed);
  return Array.from({ length: size }, () => fateOf(chance));
}

function fateOf(chance: Chance): Fate {
  const made = chance.of([collection, collection, payout, payout, refund])(chance);
  let fate: Fate = made;
  for (let more = chance.of([0, 1, 1, 2, 2, 3]); more > 0; more--) fate = chance.of(ACCIDENTS)(chance, fate);
  return fate;
}

type Made = Fate & { readonly record: FateRecord };

function collection(chance: Chance): Made {
  const began = chance.between(1, LAST_DAY);
  const [amount, fee] = [chance.amount(), BigInt(chance.between(0, 900))];
  const record = { kind: 'collection', amount, fee, duty: 0n, began, ...place(chance) } as const;
  const line = lineOf(record, 'collection', began, amount - fee, { fee });
  const ended = chance.of(['success', 'success', 'success', 'reversed', 'failed']);
  if (ended !== 'reversed') return fate(chance, 'C', record, said(began, ended), ended === 'success' ? [line] : []);
  const back = chance.between(began, began + 9);
  const reversal = lineOf(record, 'collection_reversal', back, fee - amount);
  return fate(chance, 'C', record, [...said(began, 'success'), ...said(back, 'reversed')], [line, reversal]);
}

function payout(chance: Chance): Made {
  const began = chance.between(1, LAST_DAY);
  const [amount, fee, duty] = [chance.amount(), BigInt(chance.between(0, 900)), chance.of([0n, 5_000n])];
  const record = { kind: 'payout', amount, fee, duty, began, ...place(chance) } as const;
  const whole = amount + fee + duty;
  const debit = lineOf(record, 'payout', began, -whole, { fee, duty });
  const ended = chance.of(['success', 'success', 'success', 'reversed', 'failed', 'pending']);
  const back = chance.between(began, began + 9);
  const credit = lineOf(record, 'payout_reversal', back, whole);
  if (ended === 'reversed')
    return fate(chance, 'P', record, [...said(began, 'success'), ...said(back, 'reversed')], [debit, credit]);
  if (ended === 'failed') return fate(chance, 'P', record, said(began, ended), chance.once(2) ? [] : [debit, credit]);
  if (ended === 'success') return fate(chance, 'P', record, said(began, ended), [debit]);
  return fate(chance, 'P', record, [...said(began, 'pending'), ...said(back, 'success')], [{ ...debit, ...on(back) }]);
}

function refund(chance: Chance): Made {
  const began = chance.between(1, LAST_DAY - 9);
  const [amount, fee] = [chance.amount(), BigInt(chance.between(0, 900))];
  const record = { kind: 'refund', amount, fee, duty: 0n, began, ...place(chance) } as const;
  const whole = amount + fee;
  const back = chance.between(began, began + 9);
  const holds = [lineOf(record, 'reserve', began, -whole), lineOf(record, 'release', back, whole)];
  const ended = chance.of(['success', 'success', 'rejected', 'processing']);
  if (ended === 'processing') return fate(chance, 'R', record, said(began, ended), holds.slice(0, 1));
  const first = said(began, 'processing');
  if (ended === 'rejected') return fate(chance, 'R', record, [...first, ...said(back, ended)], holds);
  const money = lineOf(record, 'refund', back, -whole, { fee });
  const lines = chance.of([[...holds, money], [money]]);
  return fate(chance, 'R', record, [...first, ...said(back, ended)], lines);
}

function place(chance: Chance): { readonly wallet: Wallet; readonly currency: Currency } {
  const wallet = chance.of(['wallet-a', 'wallet-a', 'wallet-b', 'wallet-d'] as const);
  return { wallet, currency: WALLETS[wallet] };
}

function said(day: number, status: string): Said[] {
  return [{ stage: stageOf(day), status, day }];
}

function on(day: number) {
  return { day, stage: stageOf(day) };
}

function lineOf(
  { wallet }: { readonly wallet: Wallet },
  type: LineType,
  day: number,
  amount: bigint,
  charges: Partial<Pick<FateLine, 'fee' | 'duty'>> = {},
): FateLine {
  return { wallet, type, ...on(day), amount, fee: null, duty: null, isBySession: false, unreadable: null, ...charges };
}

function fate(
  chance: Chance,
  prefix: string,
  { kind, currency, amount, fee, duty, began }: Omit<FateRecord, 'said'> & { readonly wallet: Wallet },
  told: readonly Said[],
  lines: readonly FateLine[],
): Made {
  // Of one stage the last word is known.
  const known = told.filter(({ stage }, index) => told[index + 1]?.stage !== stage);
  const record = { kind, currency, amount, fee, duty, began, said: known };
  return {
    reference: chance.name(prefix),
    record,
    lines,
    story: [`${kind} of day ${began}: ${told.map(({ status, day }) => `${status} on ${day}`).join(', ')}`],
  };
}

/* What goes wrong: each takes a fate as the one before left it. */

type Accident = (chance: Chance, one: Fate) => Fate;

function toLine(what: string, change: (line: FateLine, chance: Chance) => readonly FateLine[]): Accident {
  return (chance, one) => {
    if (one.lines.length === 0) return one;
    const index = chance.between(0, one.lines.length - 1);
    const line = one.lines[index] as FateLine;
    const lines = one.lines.toSpliced(index, 1, ...change(line, chance));
    return { ...one, lines, story: [...one.story, `${what} ${line.type}`] };
  };
}

const moved = (line: FateLine, by: number): FateLine => ({ ...line, ...on(Math.max(1, Math.min(92, line.day + by))) });

/** A month later: files of months before would contradict the one that comes again. */
const nextStage = ({ day }: FateLine): number => Math.min(stageOf(day) + 1, 2);

const ACCIDENTS: readonly Accident[] = [
  toLine('lost', () => []),
  toLine('twice', (line) => [line, line]),
  toLine('again on another day', (line, chance) => [line, moved(line, chance.between(1, 12))]),
  toLine('again a month later in the file of its month', (line) => [line, { ...line, stage: nextStage(line) }]),
  toLine('more', (line, chance) => [{ ...line, amount: line.amount + BigInt(chance.between(1, 400)) }]),
  toLine('other fee', (line, chance) => [{ ...line, fee: (line.fee ?? 0n) + BigInt(chance.between(1, 400)) }]),
  toLine('in two', (line, chance) => {
    const part = line.amount / BigInt(chance.between(2, 5));
    return [
      { ...line, amount: part, fee: null, duty: null },
      { ...line, amount: line.amount - part },
    ];
  }),
  toLine('wrong way', (line) => [{ ...line, amount: -line.amount }]),
  toLine('taken back', (line, chance) => [
    line,
    moved({ ...line, amount: -line.amount, fee: null, duty: null }, chance.between(0, 9)),
  ]),
  toLine('moved', (line, chance) => [moved(line, chance.between(-9, 9))]),
  toLine('late', (line) => [line.unreadable === null ? { ...line, stage: nextStage(line) } : line]),
  toLine('in the other wallet', (line) => [{ ...line, wallet: line.wallet === 'wallet-a' ? 'wallet-b' : 'wallet-a' }]),
  toLine('in another currency', (line) => [{ ...line, wallet: line.wallet === 'wallet-d' ? 'wallet-a' : 'wallet-d' }]),
  toLine('silent of charges', (line) => [{ ...line, fee: null, duty: null }]),
  toLine('fee apart', (line, chance) => {
    const fee = line.fee ?? BigInt(chance.between(1, 400));
    return [
      { ...line, amount: line.amount + (line.fee ?? 0n), fee: null },
      { ...line, type: 'fee', amount: -fee, fee: null, duty: null, isBySession: false },
    ];
  }),
  toLine('another fee line', (line, chance) => [
    line,
    { ...line, type: 'fee', amount: -BigInt(chance.between(1, 400)), fee: null, duty: null, isBySession: false },
  ]),
  // A fee without a reference has no other side.
  toLine('by session', (line) => [{ ...line, isBySession: line.type !== 'fee' }]),
  // What cannot be read comes in time: a file of other days would not say what it moved.
  toLine('unreadable', (line, chance) => [
    { ...line, stage: stageOf(line.day), unreadable: `${chance.between(10, 99)}..5` },
  ]),
  (chance, one) => {
    const types = TYPES_OF[one.record?.kind ?? 'collection'];
    return {
      ...one,
      lines: one.lines.map((line) => (chance.once(2) ? { ...line, type: chance.of(types) } : line)),
      story: [...one.story, 'other types'],
    };
  },
  (_chance, one) => ({ ...one, record: null, story: [...one.story, 'no record'] }),
  (_chance, one) =>
    changed(one, 'record late', (all) => all.map((told) => ({ ...told, stage: Math.min(told.stage + 1, 2) }))),
  (_chance, one) => changed(one, 'last word never came', (all) => all.slice(0, 1)),
  (chance, one) =>
    changed(one, 'other end', (all) => {
      const last = all.at(-1);
      const status = chance.of([
        'success',
        'reversed',
        'failed',
        one.record?.kind === 'refund' ? 'rejected' : 'pending',
      ]);
      return last === undefined ? all : [...all.slice(0, -1), { ...last, status: legal(one.record?.kind, status) }];
    }),
];

const TYPES_OF: Readonly<Record<RecordKind, readonly LineType[]>> = {
  collection: ['collection', 'collection_reversal'],
  payout: ['payout', 'payout_reversal'],
  refund: ['refund', 'refund_reversal', 'reserve', 'release'],
};

/** A refund is not reversed. */
const legal = (kind: RecordKind | undefined, status: string) =>
  kind === 'refund' && status === 'reversed' ? 'rejected' : status;

function changed(one: Fate, what: string, change: (all: readonly Said[]) => readonly Said[]): Fate {
  if (one.record === null) return one;
  return { ...one, record: { ...one.record, said: change(one.record.said) }, story: [...one.story, what] };
}

/* What is right. */

/** What a line moves that can be read; an unreadable row is by itself. */
export function movedBy(fate: Fate, currency: Currency, until: number, stage: number): bigint {
  const lines = shownOf(fate, until, stage).filter(({ wallet }) => WALLETS[wallet] === currency);
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

function shownOf({ lines }: Fate, until: number, stage: number): readonly FateLine[] {
  return lines.filter((line) => line.unreadable === null && line.stage <= stage && line.day <= until);
}

/**
 * What the record moved by us at the end of a day: what succeeded moved its amount and charges, what failed or came back nothing, and a refund
 * holds them until it is settled. While it is not, the lines say whether the account shows holds at all, and whether a payout took its money
 * already: then more than one answer is right.
 */
export function oursOf(fate: Fate, until: number, stage: number): readonly bigint[] {
  const { record } = fate;
  const told = record?.said.findLast((one) => one.stage <= stage);
  if (record === null || told === undefined) return [0n];
  const { kind, amount, fee, duty, began } = record;
  const whole = amount + fee + duty;
  const moves = kind === 'collection' ? amount - fee : -whole;
  if (kind !== 'refund') {
    if (told.day > until) return [0n];
    if (told.status === 'success') return [moves];
    return kind === 'payout' && told.status === 'pending' ? [0n, moves] : [0n];
  }
  if (told.status === 'success' && told.day <= until) return [moves];
  if (told.status === 'rejected' && told.day <= until) return [0n];
  return began > until ? [0n] : [0n, moves];
}
