import type { DayRule } from '../../../src/domain/reconciling/business-day.ts';
import { printableLine } from '../../../src/domain/text/printable.ts';
import { changeColumns, sinceColumns } from '../../../src/lists/periods.ts';
import type { PeriodOrder } from '../../../src/reconcile/closing/facts.ts';
import { periodJson, sinceClose } from '../../../src/reconcile/closing/since-close.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { KeptPeriod, PeriodChange, SinceClose } from '../../../src/store/periods.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { bold, print, printFacts, printJson, printTable, printTitle } from '../../show/output.ts';
import { time } from '../../show/text.ts';

/** Of a command that names a period. */
interface PeriodArgv {
  readonly set: string | undefined;
  readonly json: boolean | undefined;
}

/** Prints how a period stands and what comes next: what `show` and each act answer. */
export async function printPeriod(
  archive: Archive,
  { set, period: { name, from, to }, dayRule }: PeriodOrder,
  argv: PeriodArgv,
  /** Also what differs from the closing before: it is long. */
  withChanges = false,
): Promise<void> {
  const kept = await archive.period(set.name, name);
  const period: KeptPeriod = kept ?? { set, period: name, from, to, state: 'open', closings: [], head: null };
  await printKept(archive, period, dayRule, { ...argv, withChanges });
}

async function printKept(
  archive: Archive,
  period: KeptPeriod,
  dayRule: DayRule,
  { json, set, withChanges }: PeriodArgv & { readonly withChanges: boolean },
) {
  const since = await sinceClose(archive, period, dayRule);
  const shown = periodJson(period, since);
  if (json) {
    printJson(shown);
    return;
  }
  const last = period.closings.at(-1);
  const signed = (who: string | null | undefined, atMs: number | null | undefined) =>
    who == null || atMs == null ? null : `${who}, ${time(atMs)}`;
  printTitle(`period ${period.period} of ${period.set.name}  ${period.state}`);
  printFacts([
    ['days', `${period.from} to ${period.to}`],
    ['closings', period.closings.length],
    ['prepared', signed(last?.preparer, last?.closedAtMs)],
    ['approved', signed(last?.approver, last?.approvedAtMs)],
    ['locked', signed(last?.lockedBy, last?.lockedAtMs)],
    ['reopened', signed(last?.reopenedBy, last?.reopenedAtMs)],
    ['reason', shown.reason],
    ['digest', shown.digest],
    ['report', last?.erasedAtMs == null ? null : `erased ${time(last.erasedAtMs)}; its digest stays`],
    ['audit head', shown.head],
  ]);
  if (withChanges) printChanges(shown.changes ?? []);
  printSince(since);
  const next = nextStep(period, `${period.period}${set === undefined ? '' : ` --set ${set}`}`);
  if (next !== null) print(next);
}

/** `named`: the period, as the next command names it. */
function nextStep({ state, closings }: KeptPeriod, named: string): string | null {
  const { preparer = '' } = closings.at(-1) ?? {};
  if (state === 'closed')
    return printableLine(`Next, by another person than ${preparer}: tallyhook period approve ${named} --as NAME`);
  if (state === 'approved') return `Next, when it is never to change again: tallyhook period lock ${named} --yes`;
  if (state === 'open') return `Next: tallyhook period check ${named}`;
  return null;
}

function printChanges(changes: readonly PeriodChange[]): void {
  if (changes.length === 0) return;
  print(`\n${bold('Changed since the closing before')}`);
  printTable(changes, terminalColumns(changeColumns()));
}

function printSince(since: readonly SinceClose[]): void {
  if (since.length === 0) return;
  print(`\n${bold('Since close, in no frozen figure')}`);
  printTable(since, terminalColumns(sinceColumns()));
}
