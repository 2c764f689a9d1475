import { type AccountSum, type JournalLine, sumsByAccount } from '../../domain/journal/entry.ts';
import { CLEARING_ACCOUNTS, type JournalRole } from '../../domain/journal/words.ts';
import { money } from '../../domain/money/amount.ts';
import type { DayRange } from '../../domain/periods/period.ts';
import { OPENING_ACCOUNT } from './opening.ts';
import type { PrintedEntry } from './printed.ts';

export interface HledgerJournal {
  readonly period: DayRange;
  readonly entries: readonly PrintedEntry[];
  /** What the accounts hold by the earlier periods of the set. */
  readonly before: readonly RoleSum[];
}

/** An account of the ledger in one currency, and what it is for. */
export interface RoleSum extends AccountSum {
  readonly role: JournalRole;
}

/** Accounts whose balance goes on from period to period. */
const GOES_ON: ReadonlySet<JournalRole> = new Set([
  ...CLEARING_ACCOUNTS,
  'wallet',
  'wallet_pending',
  'refund_reserve',
  'bank',
  'claims',
  'carried',
]);
/** Accounts whose closing balance a statement, or the journal itself, states. */
const ASSERTED: ReadonlySet<JournalRole> = new Set([...CLEARING_ACCOUNTS, 'wallet', 'bank']);

/** Adds up entries by account and what it is for. */
export function roleSums(
  entries: readonly { readonly currency: string; readonly lines: readonly JournalLine[] }[],
): RoleSum[] {
  const roles = new Map(entries.flatMap(({ lines }) => lines.map(({ account, role }) => [account, role] as const)));
  return sumsByAccount(entries).map((sum) => ({ ...sum, role: roles.get(sum.account) ?? 'other' }));
}

/**
 * Returns the journal as hledger reads it, alone and strictly: every commodity and account is declared, and the last transaction
 * asserts what wallet, bank and clearing accounts end at.
 */
export function hledgerText({ period, entries, before }: HledgerJournal): string {
  const opening = before.filter(({ role, minor }) => GOES_ON.has(role) && minor !== 0n);
  const asserted = endings(entries, before);
  const all = [
    ...opening,
    ...entries.flatMap((entry) => entry.lines.map((line) => ({ ...line, currency: entry.currency }))),
  ];
  const accounts = new Set([...all, ...asserted].map(({ account }) => account));
  if (opening.length > 0) accounts.add(OPENING_ACCOUNT);
  const commodities = new Set([...all, ...asserted].map(({ currency }) => currency));
  const blocks = [
    [...commodities].sort().map((currency) => `commodity ${commodity(currency)} 1000.00`),
    [...accounts].sort().map((account) => `account ${account}`),
    ...(opening.length === 0 ? [] : [openingLines(period.from, opening)]),
    ...entries.map(entryLines),
    ...(asserted.length === 0 ? [] : [assertionLines(period.to, asserted)]),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function endings(entries: readonly PrintedEntry[], before: readonly RoleSum[]): AccountSum[] {
  const sums = new Map<string, AccountSum>();
  for (const { account, currency, minor, role } of [...before, ...roleSums(entries)]) {
    if (!ASSERTED.has(role)) continue;
    const key = JSON.stringify([account, currency]);
    sums.set(key, { account, currency, minor: (sums.get(key)?.minor ?? 0n) + minor });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function openingLines(date: string, opening: readonly AccountSum[]): string[] {
  const postings = opening.flatMap(({ account, currency, minor }) => [
    posting(account, currency, minor),
    posting(OPENING_ACCOUNT, currency, -minor),
  ]);
  return [`${date} * Balances from the earlier periods`, ...postings];
}

function entryLines({ name, date, source, account, currency, lines, reverses }: PrintedEntry): string[] {
  const code = name === null ? '!' : `* (${name})`;
  const back = reverses === null ? '' : ` of ${reverses}`;
  const postings = lines.map((line) => {
    const comment = [line.text, ...(line.reference === null ? [] : [line.reference])].map(commentText).join(' - ');
    return `${posting(line.account, currency, line.minor)}  ; ${comment}`;
  });
  return [`${date} ${code} ${TITLES[source]}${back}, ${commentText(account)}`, ...postings];
}

const TITLES: Readonly<Record<PrintedEntry['source'], string>> = {
  opening: 'Opening balance',
  books: 'Sales and refunds',
  movement: 'Movements',
  resolution: 'Differences that were decided about',
  carried: 'Carried to the next period',
  brought_forward: 'Brought forward',
  reversal: 'Reversal',
};

function assertionLines(date: string, asserted: readonly AccountSum[]): string[] {
  const postings = asserted.map(
    ({ account, currency, minor }) => `${posting(account, currency, 0n)} = ${moneyText(currency, minor)}`,
  );
  return [`${date} * Closing balances`, ...postings];
}

function posting(account: string, currency: string, minor: bigint): string {
  return `    ${account}  ${moneyText(currency, minor)}`;
}

function moneyText(currency: string, minor: bigint): string {
  return `${commodity(currency)} ${money(minor)}`;
}

/** A commodity with a digit stands in quotes. */
function commodity(currency: string): string {
  return /^[A-Z]+$/.test(currency) ? currency : `"${currency}"`;
}

/** A text on one line, which opens no tag, date or comment of hledger; CSV has it as it is. */
function commentText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[;|]/g, ',')
    .replace(/\[/g, '(')
    .replace(/\]/g, ')')
    .replace(/:(?=\S|$)/g, '=');
}
