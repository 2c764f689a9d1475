import type { QuarantineReason } from '../../../src/domain/events/event.ts';
import { formatAmount } from '../../../src/domain/money/amount.ts';
import { argumentText } from '../../../src/domain/records/advised-word.ts';
import { countedAmount } from '../../../src/domain/records/witness-money.ts';
import { DISPUTED_NOTE, fieldText, isDisputed, recordColumns } from '../../../src/lists/records.ts';
import type { EventSummary } from '../../../src/store/events.ts';
import type { RecordDetail, RecordSummary } from '../../../src/store/records.ts';
import { type Entry, sumText } from '../../../src/why/entry.ts';
import type { ConcludedStory } from '../../../src/why/tell.ts';
import { abridged, type GroupedEntry } from '../../../src/why/why.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { namedValueLines } from '../../show/named-value.ts';
import { bold, note, print, printTable, printTitle, terminalWidth } from '../../show/output.ts';
import { recordJson, type Shown } from '../../show/record.ts';
import { isoTime, wrapped } from '../../show/text.ts';
import { printPasses } from './passes.ts';

export function recordStoryJson({ record, conclusion, entries, matching }: ConcludedStory, shown: Shown) {
  return {
    ...recordJson(record, shown),
    standing: conclusion.standing,
    conclusion: conclusion.text,
    confirmedSince: isoTime(conclusion.confirmedSinceMs),
    nextAt: isoTime(conclusion.nextAtMs),
    story: entries.map(entryJson),
    matching,
  };
}

export function entryJson({ atMs, source, text, facts }: Entry) {
  return { at: isoTime(atMs), source, text, facts };
}

export function printRecordStory(
  { record, conclusion, entries, matching }: ConcludedStory,
  time: (ms: number) => string,
  shown: Shown,
): void {
  printTitle(heading(record, shown));
  for (const line of wrapped(oneLine(conclusion.text), terminalWidth())) print(line);
  print();
  printEntries(entries, time);
  if (matching.length > 0 && entries.length > 0) print();
  printPasses(matching);
}

export function printEntries(entries: readonly Entry[], time: (ms: number) => string): void {
  for (const entry of abridged(entries)) printAt(time(entry.atMs), `${entry.text}${repetition(entry, time)}`);
}

const REFUND_COLUMNS = ['Env', 'Reference', 'Reported', 'Confirmed', 'Amount', 'Findings'];

/** Prints the refunds of a payment, a line each; their own stories are theirs to tell. */
export function printRefunds(refunds: readonly RecordSummary[], shown: Shown): void {
  print(bold('Refunds of this payment'));
  printTable(
    refunds,
    terminalColumns(recordColumns('refund', shown).filter(({ name }) => REFUND_COLUMNS.includes(name))),
  );
  if (refunds.some(isDisputed)) note(DISPUTED_NOTE);
  const [first] = refunds;
  if (first !== undefined) note(`See the story of one: tallyhook why ${argumentText(first.reference)}`);
}

/** Prints an event that made no record, and why. */
export function printEventWithoutRecord(
  { id, event, environment, ...received }: EventSummary,
  time: (ms: number) => string,
): void {
  const repeated = received.deliveries === 1 ? '' : ` Delivered ${received.deliveries} times.`;
  const pruned = received.prunedAtMs === null ? '' : ' Its body was pruned.';
  const text = `Event ${id}, ${event} (${environment}): ${reasonOf(received)}. Signed by ${received.keyId}.${repeated}${pruned}`;
  printAt(time(received.receivedAtMs), text);
}

function reasonOf({ quarantine }: Pick<EventSummary, 'quarantine'>): string {
  if (quarantine !== null) return `quarantined, because ${QUARANTINE_TEXT[quarantine]}`;
  return 'of no kind that makes a record';
}

const QUARANTINE_TEXT = {
  unreadable_body: 'its body cannot be read',
  no_reference: 'it has no usable reference',
  other_environment: 'it names another environment than its key',
} as const satisfies Record<QuarantineReason, string>;

/** On a terminal, the further lines of a long sentence stand below it, or where that is too narrow below the time. */
function printAt(at: string, text: string): void {
  for (const line of namedValueLines(at, oneLine(text), { nameWidth: at.length, room: terminalWidth() })) print(line);
}

/** `refund RFD_1 (live): 50.00 USD, of TX_1` */
function heading(record: RecordDetail, shown: Shown): string {
  const { kind, reference, environment, facts, details } = record;
  const sum = amountPhrase(record);
  const other = (['transactionReference', 'accountNumber', 'customerEmail'] as const)
    .map((name) => [name, fieldText(name, facts[name] ?? details[name] ?? null, shown)] as const)
    .find(([, text]) => text !== null);
  const party = other === undefined ? '' : `, ${PREPOSITION[other[0]]} ${other[1]}`;
  return oneLine(`${kind} ${reference} (${environment}): ${sum}${party}`);
}

/** `5.00 USD`; where observations differ, `5.00 USD by the service, disputed`. */
function amountPhrase(record: RecordDetail): string {
  const { amount, currency, disputed } = countedAmount(record);
  const conflict = record.findings.some(({ code, subject }) => code === 'fact_conflict' && /amount$/i.test(subject));
  const sum = amount === null ? null : sumText(formatAmount(amount), currency);
  if (sum === null) return conflict ? 'amount disputed' : 'amount not known';
  return disputed ? `${sum} by the service, disputed` : sum;
}

const PREPOSITION = { transactionReference: 'of', accountNumber: 'to', customerEmail: 'from' } as const;

function repetition({ times, lastAtMs }: GroupedEntry, time: (ms: number) => string): string {
  if (times === 1) return '';
  return ` And the same ${times === 2 ? 'once' : `${times - 1} times`} more, the last ${time(lastAtMs)}.`;
}

function oneLine(text: string): string {
  return text.replaceAll('\n', '\ufffd');
}
