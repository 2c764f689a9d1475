import type { UnparsedRow } from '../../domain/statements/statement.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { AccountFiles } from './account-files.ts';
import { controlFacts } from './control-facts.ts';
import { balanceOf } from './file-chain.ts';
import { add, firstSeenOf, isAfter, unparsedItem } from './file-items.ts';
import { type UnreadState, unreadOf } from './file-unread.ts';
import { afterOf, currencyOf, firstOf, insideOf, type Listed, nameOf } from './unread-rows.ts';

/** What the closing balance of a file has beyond the lines of all files, and its unreadable rows. */
export interface Residue {
  /** Null: no balance says it, or one of a day after the period. */
  readonly minor: bigint | null;
  /** Those of the currency. */
  readonly rows: readonly UnparsedRow[];
  /** How the rows stand beside other files. */
  readonly state: UnreadState;
  /** What lines moved that came for its unreadable rows after the close of its days. */
  readonly late: bigint;
  /** What unreadable rows moved that earlier files have too; null: it cannot be told. */
  readonly inside: bigint | null;
  /** What unreadable rows of earlier files moved that may have moved after the end of this one. */
  readonly after: bigint;
}

/** `listed`: the unreadable rows of the files before it. */
export async function residueOf(
  { run, archive, chain, held, currency, currencies, late: lateFiles }: AccountFiles,
  statement: StatementSummary,
  listed: readonly Listed[],
): Promise<Residue> {
  const all = statement.unparsed > 0 ? await archive.unparsedRows(statement.statement) : [];
  const rows = all.filter((row) => currencyOf(row, statement.balances, currencies) === currency);
  const balance = balanceOf(statement, currency);
  const closes = (statement.covers?.to ?? '') <= run.window.until;
  const [opening, closing] = closes ? [balance?.opening ?? null, balance?.closing ?? null] : [null, null];
  const beyond = opening === null || closing === null ? null : closing - opening - (balance?.sum ?? 0n);
  const order = { chain, currency, rows, beyond, lateFiles, until: run.window.until };
  const { state, minor, late } = await unreadOf({ archive, held }, statement, order);
  return {
    minor,
    rows,
    state,
    late,
    inside: insideOf(listed, rows, state === 'outdated' ? null : minor),
    after: afterOf(listed, rows, statement.covers?.to ?? ''),
  };
}

interface ListOrder {
  readonly statement: StatementSummary;
  readonly residue: Residue;
  /** Of it, what unreadable rows moved that earlier files have too. */
  readonly inside: bigint;
  /** The unreadable rows of the files before it. */
  readonly listed: readonly Listed[];
}

interface ListedResidue {
  /** What unreadable rows and wrong totals moved, without what earlier files listed. */
  readonly minor: bigint;
  /** The unreadable rows of the files up to this one. */
  readonly listed: readonly Listed[];
}

/** The unreadable rows of a file that no file before it has, and what they moved. */
export function freshOf(
  statement: StatementSummary,
  { residue: { minor, rows, state }, inside, listed }: Pick<ListOrder, 'residue' | 'inside' | 'listed'>,
): ListedResidue & { readonly fresh: readonly UnparsedRow[] } {
  const fresh = (state === 'outdated' ? [] : rows).filter((row) => !listed.some((one) => one.rows.has(nameOf(row))));
  const all = minor === null || (rows.length > 0 && fresh.length === 0) ? 0n : minor - inside;
  const own = { rows: new Set(fresh.map(nameOf)), minor: all, to: statement.covers?.to ?? '' };
  return { fresh, minor: all, listed: fresh.length > 0 ? [...listed, own] : listed };
}

/** Lists unreadable rows and totals that do not add up. A row of a day after the period stands in the period of that day. */
export function listResidue({ run, currency, currencies, late }: AccountFiles, order: ListOrder): ListedResidue {
  const { statement, residue } = order;
  // What is wrong with a late file stands in this period.
  const own = { currency, ...(late.has(statement) && { isCarried: false }) };
  const { fresh, minor, listed } = freshOf(statement, order);
  let rest = minor;
  for (const row of residue.state === 'mended' ? [] : fresh) {
    if (isAfter(run, statement, row)) continue;
    add(run, statement, { ...unparsedItem(run, statement, row), ...own, effect: rest });
    rest = 0n;
  }
  const explained = residue.rows.length > 0;
  for (const check of statement.controls) {
    const { control, currency: of, row } = check;
    if ((of ?? firstOf(statement.balances, currencies)) !== currency) continue;
    if (explained && control !== 'rows' && control !== 'net') continue;
    const carries = control === 'closing' || control === 'running';
    const facts = controlFacts(statement.file.name, check);
    const names = `${statement.file.sha256} ${control}`;
    const [effect, firstSeen] = [carries ? rest : 0n, firstSeenOf(run, statement)];
    add(run, statement, { ...own, facts, effect, firstSeen, row, names });
    if (carries) rest = 0n;
  }
  return { minor, listed };
}
