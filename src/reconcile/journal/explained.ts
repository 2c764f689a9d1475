import { JOURNAL_ACCOUNTS, type JournalAccount } from '../../domain/journal/words.ts';
import { hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import type { Archive } from '../../store/archive.ts';
import type { Exception, ExceptionProgress } from '../../store/exceptions.ts';
import type { FoundBreak, RunSummary } from '../../store/runs.ts';
import type { KeptFigures } from '../report/figures.ts';
import { clearingOf, minorOf, type OpenFigure } from './figures.ts';
import type { ExplainedItem, ItemTarget } from './input.ts';

/** The accounts that reason codes name (configuration `exceptions.reasons`); null: the standard one. */
export type ReasonAccounts = Readonly<Record<string, { readonly account: string | null }>>;

export type ExplainedArchive = Pick<Archive, 'breaks' | 'exceptionProgress' | 'exception'>;

interface Order {
  readonly run: RunSummary;
  readonly figures: Pick<KeptFigures, 'open' | 'settlementLegs'>;
  readonly set: PeriodSet;
  readonly reasons: ReasonAccounts;
}

const PAGE = 500;

/** Everything that explains a difference of a run, and where it goes by what persons decided. */
export async function explainedItems(archive: ExplainedArchive, order: Order): Promise<ExplainedItem[]> {
  const items: ExplainedItem[] = [];
  const { figures, set, run, reasons } = order;
  for (let afterId: number | undefined; ; ) {
    const page = { order: 'oldest' as const, limit: PAGE, ...(afterId !== undefined && { afterId }) };
    const found = await archive.breaks({ run: run.run }, page);
    const own = found.flatMap((one) => differenceOf(one, order) ?? []);
    items.push(...(await decided(archive, own, reasons)));
    afterId = found.at(-1)?.place;
    if (found.length < PAGE) break;
  }
  const open = figures.open.filter(
    ({ environment, account }) => environment === set.environment && hasAccount(set, account),
  );
  const earlier = open.filter(({ id }) => id !== null).map(openDifference);
  for (let start = 0; start < earlier.length; start += PAGE) {
    items.push(...(await decided(archive, earlier.slice(start, start + PAGE), reasons)));
  }
  return [...items, ...open.filter(({ id }) => id === null).map(waiting)];
}

/** An item before it is known what was decided about it. */
interface Difference extends Omit<ExplainedItem, 'target' | 'text'> {
  readonly code: string;
}

/** Null: it moves no balance, or belongs to another set. */
function differenceOf(one: FoundBreak, { figures, set }: Order): Difference | null {
  const { id, code, environment, account, currency, leg, reference } = one;
  const effect = minorOf(one.effect);
  if (effect === 0n || account === null || currency === null) return null;
  if (environment !== set.environment || !hasAccount(set, account)) return null;
  const clearing = clearingOf(leg, figures.settlementLegs);
  return { id, code, account, currency, clearing, effect, isEarlier: false, reference };
}

function openDifference({ id, code, account, currency, clearing, reference, effect }: OpenFigure): Difference {
  return { id: id ?? '', code, account, currency, clearing, reference, effect: minorOf(effect), isEarlier: true };
}

async function decided(
  archive: ExplainedArchive,
  differences: readonly Difference[],
  reasons: ReasonAccounts,
): Promise<ExplainedItem[]> {
  const progress = await archive.exceptionProgress(differences.map(({ id }) => id));
  const byId = new Map(progress.map((one) => [one.id, one]));
  const items: ExplainedItem[] = [];
  for (const { code, ...one } of differences) {
    const progress = byId.get(one.id) ?? null;
    items.push({ ...one, ...(await outcomeOf(archive, progress, code, reasons)) });
  }
  return items;
}

/** Where it goes, and what an accountant reads of it. */
async function outcomeOf(
  archive: ExplainedArchive,
  progress: ExceptionProgress | null,
  code: string,
  reasons: ReasonAccounts,
): Promise<Pick<ExplainedItem, 'target' | 'text'>> {
  const what = code.replaceAll('_', ' ');
  if (code === 'timing') return { target: null, text: 'Not due yet' };
  if (code === 'suggested') return { target: null, text: 'To be confirmed' };
  if (progress === null || !isDecided(progress)) {
    return { target: null, text: `Not resolved: ${what}` };
  }
  const { resolution, reasonCode } = progress;
  const reason = reasonCode === null ? '' : ` (${reasonCode.replaceAll('_', ' ')})`;
  if (resolution === 'accept') return { target: acceptedBy(reasonCode, reasons), text: `Accepted${reason}: ${what}` };
  if (resolution !== 'claim' && resolution !== 'ours') return { target: null, text: `Carried${reason}: ${what}` };
  const paper = referenceText(await archive.exception(progress.id));
  return resolution === 'claim'
    ? { target: { role: 'claims' }, text: `Claimed${reason}${paper}: ${what}` }
    : { target: { role: 'other' }, text: `Our books to be corrected${reason}${paper}: ${what}` };
}

/** A claim that was paid on a later day is closed, and stood as claimed on the days that the run looks at. */
function isDecided({ status, resolution, approval }: ExceptionProgress): boolean {
  if (approval?.state === 'needed') return false;
  return status === 'resolved' || (status === 'closed' && resolution === 'claim');
}

function referenceText(exception: Exception | null): string {
  const reference = exception?.resolutionReference ?? null;
  return reference === null ? '' : `, ${reference}`;
}

/** The account of the reason code: one of the map by its word, else a name of the ledger. */
function acceptedBy(reasonCode: string | null, reasons: ReasonAccounts): ItemTarget {
  const account = reasonCode !== null && Object.hasOwn(reasons, reasonCode) ? reasons[reasonCode]?.account : null;
  if (account === null || account === undefined) return { role: 'write_off' };
  return isRole(account) ? { role: account } : { name: account };
}

function isRole(account: string): account is JournalAccount {
  return (JOURNAL_ACCOUNTS as readonly string[]).includes(account);
}

/** A sum of what is not due yet, or has to be confirmed. */
function waiting({ list, account, currency, clearing, count, effect }: OpenFigure): ExplainedItem {
  const what = list === 'suggested' ? ['To be confirmed', 'match', 'matches'] : ['Not due yet', 'item', 'items'];
  const [title, one, many] = what;
  return {
    ...{ id: `${list} ${account} ${currency} ${clearing}`, account, currency, clearing, effect: minorOf(effect) },
    ...{ isEarlier: false, target: null, text: `${title}: ${count} ${count === 1 ? one : many}`, reference: null },
  };
}
