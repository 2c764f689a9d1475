import { unreversedEntries } from '../../domain/journal/numbering.ts';
import type { JournalGrouping } from '../../domain/journal/words.ts';
import { type DayRange, hasAccount, type PeriodSet } from '../../domain/periods/period.ts';
import { dayPlus } from '../../domain/reconciling/business-day.ts';
import type { Archive } from '../../store/archive.ts';
import type { RunSummary } from '../../store/runs.ts';
import { isPaidBy } from '../exceptions/paid.ts';
import type { KeptFigures } from '../report/figures.ts';
import { type ExplainedArchive, explainedItems, type ReasonAccounts } from './explained.ts';
import { minorOf } from './figures.ts';
import type { EarlierJournal, JournalInput, StatedAccount } from './input.ts';
import { type AccountMap, accountNames } from './names.ts';

/** What the configuration says of journals. */
export interface JournalSettings {
  readonly by: JournalGrouping;
  readonly accounts: AccountMap;
  readonly reasons: ReasonAccounts;
}

export interface JournalPeriod {
  readonly set: PeriodSet;
  readonly period: DayRange & { readonly name: string };
}

export type JournalSources = ExplainedArchive &
  Pick<Archive, 'periods' | 'closedPeriods' | 'journal' | 'claimPayments'>;

/** Gathers what the journal of a period is made of: the figures of its run, its exceptions, and what earlier periods left. */
export async function journalInput(
  archive: JournalSources,
  { set, period }: JournalPeriod,
  run: RunSummary,
  settings: JournalSettings,
): Promise<JournalInput> {
  const figures = JSON.parse(run.report) as KeptFigures;
  const { reasons, accounts: map, by } = settings;
  const isOwn = ({ environment, account }: { environment: string; account: string }) =>
    environment === set.environment && hasAccount(set, account);
  const days = figures.days.filter(isOwn).map(({ environment: _environment, ours, theirs, ...day }) => ({
    ...day,
    ours: minorOf(ours),
    theirs: minorOf(theirs),
  }));
  return {
    ...{ period, by, days, names: accountNames(map) },
    accounts: accountsIn({
      ...figures,
      proof: figures.proof.filter(isOwn),
      days: figures.days.filter(isOwn),
      open: figures.open.filter(isOwn),
    }),
    items: await explainedItems(archive, { run, figures, set, reasons }),
    paid: await paidIn(archive, { set, period }),
    earlier: await earlierJournal(archive, { set, period }),
  };
}

async function paidIn(archive: JournalSources, { set, period }: JournalPeriod): Promise<ReadonlySet<string>> {
  const payments = await archive.claimPayments();
  const own = payments.filter((one) => one.environment === set.environment && hasAccount(set, one.account));
  return new Set(own.filter((one) => isPaidBy(one, period.to)).map(({ id }) => id));
}

type AccountFigures = Pick<KeptFigures, 'files' | 'proof' | 'days' | 'open'>;

/** Accounts of which a statement shows some day, in each currency that is proven, moved, or has something open. */
function accountsIn({ files, proof, days, open }: AccountFigures): StatedAccount[] {
  const kinds = new Map(files.map(({ account, kind }) => [account, kind]));
  const found = new Map<string, StatedAccount>();
  for (const { account, currency } of [...proof, ...days, ...open]) {
    const kind = kinds.get(account);
    if (kind === undefined) continue;
    const proven = proof.find((one) => one.account === account && one.currency === currency);
    const row = (name: string) => proven?.rows.find((one) => one.name === name);
    const balance = {
      openingOurs: minorOf(row('opening')?.ours ?? '0.00'),
      openingTheirs: minorOf(row('opening')?.theirs ?? '0.00'),
      closingTheirs: minorOf(row('closing')?.theirs ?? '0.00'),
    };
    found.set(JSON.stringify([account, currency]), {
      ...{ account, currency, kind },
      balance: proven === undefined ? null : balance,
    });
  }
  return [...found.values()];
}

/** What the closed periods of the set left; null: none ends the day before. */
async function earlierJournal(archive: JournalSources, { set, period }: JournalPeriod): Promise<EarlierJournal | null> {
  const eve = dayPlus(period.from, -1);
  const closed = (await archive.periods({ set: set.name })).filter(({ to, state }) => to <= eve && state !== 'open');
  const last = closed.find(({ to }) => to === eve);
  if (last === undefined) return null;
  const balances = (await archive.closedPeriods()).find((one) => one.set === set.name && one.period === last.period);
  const journals = await Promise.all(closed.map(({ period: name }) => archive.journal(set.name, name)));
  const unreversed = journals.map(({ period: name, entries }) => ({ name, entries: unreversedEntries(entries) }));
  return {
    closings: balances?.balances ?? [],
    last: unreversed.find(({ name }) => name === last.period)?.entries ?? [],
    all: unreversed.flatMap(({ entries }) => entries),
  };
}
