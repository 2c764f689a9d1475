import { numberOf, october } from '../month/days.ts';
import { moneyText, sumOf } from '../month/money.ts';
import { type AccountName, type FileLine, PROOF_ROWS, type ProofRow, ROW_OF_TYPE } from '../month/story.ts';
import type { World } from './make.ts';
import { principalOf } from './payments.ts';
import {
  type Deed,
  type Moment,
  OPENING,
  PERIODS,
  type Posting,
  PROVEN,
  SETTLEMENTS,
  type Verdict,
  WALLETS,
} from './world.ts';

/*
 * What a reconciliation of a month must say, from what was planted alone: no line is looked for, no rule is read. A deed knows what is true
 * of it at the end of any day; a month lists what is true at its end, and says whether it was so the day before it began.
 */

/** Lists of a report, as sorted texts, and the rows of each proof. */
export interface Said {
  readonly items: readonly string[];
  readonly proofs: readonly string[];
}

/** @param stage What is known. @param decided What persons decided: of the stages before it. */
export function expectedOf(world: World, index: number, stage: number, decided: number): Said {
  const { first, last } = PERIODS[index] ?? PERIODS[0];
  const items = world.deeds.flatMap((deed) => {
    const [eve, now] = [first - 1, last].map((day) => deed.verdicts({ day, stage, decided }));
    const late = lateOf(deed, now ?? [], { until: first - 1, day: last, stage, decided });
    if (late !== null) return late.map((one) => `breaks ${textOf(one)}`);
    const open = new Set(eve?.map(keyOf));
    return (now ?? []).map((one) => `${listOf(one, open.has(keyOf(one)))} ${textOf(one)}`);
  });
  const proofs = PROVEN.flatMap((account) => proofOf(world, account, first, last, stage));
  return { items: items.sort(), proofs };
}

/** One verdict is the same on two days when it moves the same balance by the same amount. */
const keyOf = ({ account, leg, reference, effect }: Verdict) => `${account?.name} ${leg} ${reference} ${effect}`;

const effectsOf = (verdicts: readonly Verdict[]): bigint => sumOf(verdicts.map(({ effect }) => effect));

/**
 * What is said of a deed of which something came after the close of its days, with the effect that it has now: of a late record once, else
 * of each late line. Null: all came in time.
 */
function lateOf(
  { records, lines }: Deed,
  now: readonly Verdict[],
  { until, day, stage }: Moment & { readonly until: number },
): Verdict[] | null {
  const isLate = (of: string, known: number) => numberOf(of) <= until && known === stage;
  const shown = lines.filter((one) => one.stage <= stage && numberOf(one.line.day) <= day).map(({ line }) => line);
  const late = { code: 'late_arrival', leg: 'records-wallet' } as const;
  const [first] = records;
  if (first !== undefined && isLate(first.record.day, first.stage)) {
    const { reference, currency, amount } = first.record;
    const account = WALLETS.find((one) => one.currency === currency) ?? WALLETS[0];
    const theirs = shown[0] === undefined ? null : principalOf(shown[0]);
    return [{ ...late, account, reference, ours: amount, theirs, effect: effectsOf(now) }];
  }
  const came = lines.filter((one) => isLate(one.line.day, one.stage)).map(({ line }) => line);
  if (came.length === 0) return null;
  const isKnown = first !== undefined && first.stage <= stage && numberOf(first.record.day) <= day;
  return came.map((line, index) => {
    const { account, reference } = line;
    const about = { ...late, account, reference, ours: null, theirs: principalOf(line) };
    // It has no other side.
    if (line.type === 'adjustment') return { ...about, leg: null, effect: 0n };
    // Without a record each line is alone; else what the record says of the first one, and the others are copies.
    const own =
      isKnown && index === 0 ? effectsOf(now) - sumOf(came.slice(1).map(({ amount }) => amount)) : line.amount;
    return { ...about, effect: own };
  });
}

function listOf({ code }: Verdict, wasOpen: boolean): string {
  if (wasOpen) return 'carried';
  return code === 'timing' || code === 'suggested' ? code : 'breaks';
}

function textOf({ code, sub, leg, account, currency, reference, ours, theirs, effect }: Verdict): string {
  const shown = (value: bigint | string | null) => (typeof value === 'bigint' ? moneyText(value) : value);
  return itemText({
    ...{ code, sub: sub ?? null, leg, account: account?.name ?? null, reference },
    currency: account?.currency ?? currency ?? null,
    ...{ ours: shown(ours), theirs: shown(theirs), effect: moneyText(effect) },
  });
}

/** The members of an item that are held against a report. */
export interface ItemFacts {
  readonly code: string;
  readonly sub: string | null;
  readonly leg: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  readonly reference: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
  readonly effect: string;
}

export function itemText({ code, sub, leg, account, currency, reference, ours, theirs, effect }: ItemFacts): string {
  const name = sub === null ? code : `${code}/${sub}`;
  return `${name} ${reference} of ${leg}, ${account} ${currency}: ours ${ours}, theirs ${theirs}, effect ${effect}`;
}

type Sums = Map<ProofRow, bigint>;

function proofOf({ deeds }: World, account: AccountName, first: number, last: number, stage: number): string[] {
  const isOf = (one: { readonly stage: number; readonly account: AccountName }) =>
    one.account === account && one.stage <= stage;
  const ours = deeds.flatMap(({ postings }) => postings.filter(isOf));
  const lines = deeds.flatMap((deed) => deed.lines.filter((one) => isOf({ ...one, account: one.line.account })));
  const shown = lines.flatMap(({ line, stage: known }) => movesOf(line).map((move) => ({ ...move, stage: known })));
  const unseen = unseenOf(deeds)
    .filter(isOf)
    .map((one) => ({ ...one, row: 'other' as const }));
  const theirs = [...shown, ...unseen];
  const [byUs, byThem] = [sumsOf(ours.map(postedOn), first, last), sumsOf(theirs.map(postedOn), first, last)];
  return PROOF_ROWS.map((row) => proofText(account.name, row, byUs.get(row) ?? 0n, byThem.get(row) ?? 0n));
}

/** What files do not show, and their balances do. */
function unseenOf(deeds: readonly Deed[]) {
  const all = deeds.flatMap(({ unseen = [] }) => unseen);
  return all.map(({ line: { account, amount, day }, stage }) => ({ account, amount, stage, day: numberOf(day) }));
}

export function proofText(account: string, row: string, ours: bigint, theirs: bigint): string {
  return `${account} ${row}: ${moneyText(ours)} ${moneyText(theirs)}`;
}

/** What became known after the close of its days stands on the first day that was open then. */
function postedOn<One extends Move & { readonly stage: number }>(one: One): One {
  return { ...one, day: Math.max(one.day, PERIODS[one.stage]?.first ?? 0) };
}

interface Move {
  readonly day: number;
  readonly row: ProofRow;
  readonly amount: bigint;
}

/** What a line moves: its amount before charges, and each charge. */
export function movesOf({ day, type, amount, fee, tax, duty, unreadable }: FileLine): Move[] {
  const at = numberOf(day);
  if (unreadable !== null) return [{ day: at, row: 'other', amount }];
  const [charged, taxed, stamped] = [fee ?? 0n, tax ?? 0n, duty ?? 0n];
  return [
    { day: at, row: ROW_OF_TYPE[type], amount: amount + charged + taxed + stamped },
    { day: at, row: type === 'refund' ? 'refund_fees' : 'fees', amount: -charged },
    { day: at, row: 'tax', amount: -taxed },
    { day: at, row: 'duty', amount: -stamped },
  ];
}

function sumsOf(moves: readonly Move[], first: number, last: number): Sums {
  const opening = OPENING + sumOf(moves.filter(({ day }) => day < first).map(({ amount }) => amount));
  const sums: Sums = new Map([['opening', opening]]);
  for (const { day, row, amount } of moves)
    if (first <= day && day <= last) sums.set(row, (sums.get(row) ?? 0n) + amount);
  return sums.set('closing', sumOf(sums.values()));
}

/** Where a deed's verdicts are not what its lines move less what its postings move: a mistake of the generator. */
export function mistakesOf(world: World): string[] {
  return world.deeds.flatMap(({ plant, postings, lines, unseen = [], verdicts }) =>
    PERIODS.flatMap(({ last }, stage) =>
      [...PROVEN, SETTLEMENTS].flatMap((account) => {
        const theirs = [...lines, ...unseen].map(({ line, stage: known }) => ({
          ...{ account: line.account, amount: line.amount, day: numberOf(line.day), stage: known },
        }));
        const movedBy = (moves: readonly Omit<Posting, 'row'>[]) => {
          const own = moves.filter((one) => one.account === account && one.stage <= stage && one.day <= last);
          return sumOf(own.map(({ amount }) => amount));
        };
        const residual = movedBy(theirs) - movedBy(postings);
        const open = verdicts({ day: last, stage, decided: stage }).filter((one) => one.account === account);
        const effects = effectsOf(open);
        if (residual === effects) return [];
        return [`${plant} at ${october(last)}: ${moneyText(effects)}, not ${moneyText(residual)}`];
      }),
    ),
  );
}
