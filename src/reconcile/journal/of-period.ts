import type { NumberedEntry } from '../../domain/journal/entry.ts';
import { numberEntries } from '../../domain/journal/numbering.ts';
import type { JournalGrouping } from '../../domain/journal/words.ts';
import type { Archive } from '../../store/archive.ts';
import type { JournalOrder } from '../../store/journal.ts';
import type { RunSummary } from '../../store/runs.ts';
import { type JournalPeriod, type JournalSettings, type JournalSources, journalInput } from './assemble.ts';
import { JournalError } from './error.ts';
import { type RoleSum, roleSums } from './hledger.ts';
import { journalOf } from './journal.ts';
import { draftEntry, type PrintedEntry, printedEntry } from './printed.ts';

/** A journal to print. */
export interface PeriodJournal extends JournalPeriod {
  readonly entries: readonly PrintedEntry[];
  /** What the accounts hold by the earlier periods of the set. */
  readonly before: readonly RoleSum[];
}

/** What a closing adds to the journal of its period, for the transaction that closes it. @throws JournalError */
export async function closingJournal(
  archive: JournalSources,
  order: JournalPeriod,
  { run, closing }: { readonly run: RunSummary; readonly closing: number },
  settings: JournalSettings,
): Promise<JournalOrder> {
  const { set, period } = order;
  const kept = await archive.journal(set.name, period.name);
  const by = kept.by ?? settings.by;
  const entries = journalOf(await journalInput(archive, order, run, { ...settings, by }));
  return { set: set.name, period: period.name, by, entries: numberEntries(kept.entries, entries, closing) };
}

/** The journal as it would be if the period were closed now: without numbers. @throws JournalError */
export async function draftJournal(
  archive: JournalSources,
  order: JournalPeriod,
  run: RunSummary,
  settings: JournalSettings,
): Promise<PeriodJournal> {
  const input = await journalInput(archive, order, run, settings);
  return { ...order, entries: journalOf(input).map(draftEntry), before: roleSums(input.earlier?.all ?? []) };
}

/** The kept journal of a closed period, the same at every export. @throws JournalError */
export async function keptJournal(
  archive: Pick<Archive, 'periods' | 'journal'>,
  { set, period }: JournalPeriod,
  by: JournalGrouping | null,
): Promise<PeriodJournal> {
  const periods = await archive.periods({ set: set.name });
  const state = periods.find((one) => one.period === period.name)?.state ?? 'open';
  if (state === 'open') throw notClosed(period.name);
  const kept = await archive.journal(set.name, period.name);
  if (by !== null && kept.by !== null && by !== kept.by) throw otherGrouping(period.name, kept.by);
  const before: NumberedEntry[] = [];
  for (const one of periods) {
    if (one.to < period.from) before.push(...(await archive.journal(set.name, one.period)).entries);
  }
  return { set, period, entries: kept.entries.map(printedEntry(period.name)), before: roleSums(before) };
}

function notClosed(name: string): JournalError {
  return new JournalError(
    'not_closed',
    `Period ${name} is not closed, so its journal has no numbers.`,
    `Close it: tallyhook period close ${name}. Or look at it before: tallyhook report journal ${name} --draft`,
  );
}

function otherGrouping(name: string, by: JournalGrouping): JournalError {
  return new JournalError(
    'grouping',
    `The journal of ${name} was numbered by ${by} when the period was closed, once and for all.`,
    `Leave --by out: tallyhook report journal ${name}`,
  );
}
