import { compareEntries, entryKey, type JournalEntry, type JournalLine } from '../../domain/journal/entry.ts';
import { CLEARING_ACCOUNTS, type JournalAccount, type JournalRole } from '../../domain/journal/words.ts';
import { JournalError } from './error.ts';
import type { AccountNames } from './names.ts';

/** Which entry a line belongs to. */
export type EntryHead = Omit<JournalEntry, 'lines'>;

/** An account of the map, or one by its name. */
export type Target = { readonly role: JournalAccount } | { readonly role: JournalRole; readonly name: string };

export type LineWords = Pick<JournalLine, 'text'> & Partial<Pick<JournalLine, 'reference' | 'subject'>>;

interface Posted {
  readonly head: EntryHead;
  /** By everything but the amount: lines that say the same are one. */
  readonly lines: Map<string, { readonly line: Omit<JournalLine, 'minor'>; minor: bigint }>;
}

/** Roles whose closing balance is stated: an account of one of them holds nothing else. */
const STATED: ReadonlySet<JournalRole> = new Set(['wallet', 'bank', ...CLEARING_ACCOUNTS]);

/** Collects the lines of entries; their order makes no difference. */
export class EntryBuilder {
  readonly #names: AccountNames;
  readonly #entries = new Map<string, Posted>();
  readonly #balances = new Map<string, bigint>();
  readonly #roles = new Map<string, JournalRole>();

  /** `earlier`: what earlier periods posted. An account that holds some of it keeps its role. */
  constructor(names: AccountNames, earlier: readonly JournalEntry[]) {
    this.#names = names;
    for (const { lines } of earlier) for (const { account, role } of lines) this.#roles.set(account, role);
  }

  /** Adds a line: a debit is positive. */
  post(head: EntryHead, target: Target, minor: bigint, { text, reference = null, subject = null }: LineWords): void {
    if (minor === 0n) return;
    const account = 'name' in target ? target.name : this.#names.nameOf(target.role, head.account, head.currency);
    const { role } = target;
    this.#expectOwnName(account, role);
    const { date, source, account: of, currency } = head;
    const line = { account, role, text, reference, subject };
    const posted = this.#entryOf({ date, source, account: of, currency });
    const key = JSON.stringify(line);
    const known = posted.lines.get(key);
    if (known === undefined) posted.lines.set(key, { line, minor });
    else known.minor += minor;
    this.#add(JSON.stringify([role, currency]), minor);
    this.#add(JSON.stringify([role, currency, of]), minor);
  }

  /** What an account of the map holds by all entries; with `account`, by those of an account of the statements. */
  balanceOf(role: JournalRole, currency: string, account?: string): bigint {
    const key = account === undefined ? [role, currency] : [role, currency, account];
    return this.#balances.get(JSON.stringify(key)) ?? 0n;
  }

  /** In the order of the journal; lines that came to nothing are left out. */
  entries(): JournalEntry[] {
    return [...this.#entries.values()]
      .map(({ head, lines }) => ({
        ...head,
        lines: [...lines.values()]
          .filter(({ minor }) => minor !== 0n)
          .map(({ line, minor }) => ({ ...line, minor }))
          .sort(compareLines),
      }))
      .filter(({ lines }) => lines.length > 0)
      .sort(compareEntries);
  }

  #entryOf(head: EntryHead): Posted {
    const key = entryKey({ ...head, lines: [] });
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const posted = { head, lines: new Map() };
    this.#entries.set(key, posted);
    return posted;
  }

  #add(key: string, minor: bigint): void {
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + minor);
  }

  /** A wallet that shares its name with fees, or with a bank, would end at no statement's balance. */
  #expectOwnName(name: string, role: JournalRole): void {
    const known = this.#roles.get(name);
    if (known === undefined) this.#roles.set(name, role);
    else if (known !== role && (STATED.has(known) || STATED.has(role))) throw sharedAccount(name, known, role);
  }
}

function sharedAccount(name: string, ...roles: readonly [JournalRole, JournalRole]): JournalError {
  const [one, other] = roles.map((role) => ROLE_WORDS[role] ?? role);
  const reasons = roles.includes('reason') ? ' or exceptions.reasons' : '';
  return new JournalError(
    'shared_account',
    `The journal's account ${JSON.stringify(name)} is both ${one} and ${other}.`,
    `Give each a name of its own in journal.accounts${reasons} of tallyhook.yaml, then run it again.`,
  );
}

/** Of roles that journal.accounts does not name. */
const ROLE_WORDS: Readonly<Partial<Record<JournalRole, string>>> = {
  equity: 'the account of opening balances',
  reason: 'the account of a reason code',
};

/** What belongs together by its reference stays together; within it debits come first. */
function compareLines(one: JournalLine, other: JournalLine): number {
  return (
    compare(one.reference ?? '', other.reference ?? '') ||
    compare(one.subject ?? '', other.subject ?? '') ||
    Number(one.minor < 0n) - Number(other.minor < 0n) ||
    compare(one.account, other.account) ||
    compare(one.text, other.text)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
