import { formatAmount } from '../../src/domain/amount.ts';
import { type Fields, showValue } from '../../src/domain/fields.ts';
import { VALUES_PRUNED } from '../../src/domain/personal.ts';
import type { Times } from '../../src/domain/service-times.ts';
import { countedAmount, MONEY_FIELDS } from '../../src/domain/witness-money.ts';
import type { ObservationSummary, OpenFinding, RecordDetail, RecordSummary } from '../../src/store/records.ts';
import { checkJson, printCheck, trackedJson } from './check.ts';
import { bold, type Column, note, print, printFacts, printTable } from './output.ts';
import { isSensitiveName, maskedValue } from './privacy.ts';
import { duration, isoTime, masked, time } from './text.ts';

export interface Shown {
  /** Account numbers, e-mail addresses and phones in full. */
  readonly reveal: boolean;
}

export function recordJson(record: RecordSummary, shown: Shown) {
  return {
    id: record.id,
    kind: record.kind,
    environment: record.environment,
    reference: record.reference,
    reported: record.reported,
    reportedTime: record.reportedTime,
    confirmed: record.confirmed,
    confirmedAt: isoTime(record.confirmedAtMs),
    dueAt: isoTime(record.dueAtMs),
    facts: fieldsJson(record.facts, shown),
    details: fieldsJson(record.details, shown),
    amount: amountJson(record),
    money: {
      reported: fieldsJson(record.money.reported, shown),
      confirmed: fieldsJson(record.money.confirmed, shown),
    },
    times: record.times,
    openFindings: record.openFindings,
    firstSeenAt: isoTime(record.firstSeenAtMs),
    changedAt: isoTime(record.changedAtMs),
    prunedAt: isoTime(record.prunedAtMs),
  };
}

/** The amount that counts: of the service where it has answered, else the agreed one (decision 102). */
function amountJson(record: RecordSummary) {
  const { amount, currency, by, disputed } = countedAmount(record);
  return { amount: showValue(amount), currency, by, disputed };
}

export function recordDetailJson(record: RecordDetail, shown: Shown) {
  return {
    ...recordJson(record, shown),
    observations: record.observations.map((one) => observationJson(one, shown)),
    history: record.history.map(({ atMs, ...move }) => ({ at: isoTime(atMs), ...move })),
    findings: record.findings.map((finding) => findingJson(finding, shown)),
    check: checkJson(record.check),
    tracked: trackedJson(record.tracked),
  };
}

export function observationJson(observation: ObservationSummary, shown: Shown) {
  const { witness, eventId, eventKey, status, time, counter, answeredAtMs, digest, claim } = observation;
  const facts = fieldsJson(claim.facts, shown);
  return { witness, eventId, eventKey, status, time, counter, answeredAt: isoTime(answeredAtMs), digest, facts };
}

export function findingJson(finding: OpenFinding, shown: Shown) {
  return {
    id: finding.id,
    kind: finding.kind,
    environment: finding.environment,
    reference: finding.reference,
    code: finding.code,
    subject: finding.subject,
    detail: findingText(finding, shown),
    openedAt: isoTime(finding.openedAtMs),
    closedAt: isoTime(finding.closedAtMs),
  };
}

/** The detail of a finding: the values that disagree, masked when their field is sensitive. */
export function findingText({ subject, detail }: OpenFinding, { reveal }: Shown): string {
  if (reveal || !isSensitiveName(subject) || detail === VALUES_PRUNED) return detail;
  return detail.split(' ≠ ').map(masked).join(' ≠ ');
}

/** `open for 3 d 2 h`, `closed after 5 min`. */
export function findingAge({ openedAtMs, closedAtMs }: OpenFinding, nowMs: number): string {
  const age = duration(Math.max(0, (closedAtMs ?? nowMs) - openedAtMs));
  return closedAtMs === null ? `open for ${age}` : `closed after ${age}`;
}

export function recordColumns(shown: Shown): Column<RecordSummary>[] {
  const field = (record: RecordSummary, ...names: string[]) => {
    const name = names.find((each) => (record.facts[each] ?? record.details[each] ?? null) !== null);
    return name === undefined ? null : fieldText(name, record.facts[name] ?? record.details[name] ?? null, shown);
  };
  return [
    { header: 'ID', value: ({ id }) => id, align: 'right' },
    { header: 'ENV', value: ({ environment }) => environment },
    { header: 'REFERENCE', value: ({ reference }) => reference },
    { header: 'REPORTED', value: ({ reported }) => reported },
    { header: 'CONFIRMED', value: ({ confirmed }) => confirmed },
    { header: 'AMOUNT', value: amountText, align: 'right' },
    { header: 'CURRENCY', value: (record) => countedAmount(record).currency },
    { header: 'OF', value: (record) => field(record, 'transactionReference', 'accountNumber', 'customerEmail') },
    { header: 'FINDINGS', value: ({ openFindings }) => openFindings, align: 'right' },
    { header: 'CHANGED', value: ({ changedAtMs }) => time(changedAtMs) },
  ];
}

/** `5.00`, or `5.00*` where the service gave it and another claim differs. */
function amountText(record: RecordSummary): string | null {
  const { amount, disputed } = countedAmount(record);
  return amount === null ? null : `${formatAmount(amount)}${disputed ? '*' : ''}`;
}

/** Explains the mark of `recordColumns`, if a row has it. */
export function noteDisputes(records: readonly RecordSummary[]): void {
  if (!records.some((record) => countedAmount(record).disputed)) return;
  note("* The service's own amount; another claim differs. See: tallyhook findings");
}

export function printRecord(record: RecordDetail, shown: Shown): void {
  print(bold(`${record.kind} ${record.reference}`));
  printFacts([
    ['environment', record.environment],
    ['reported', withTime(record.reported, record.reportedTime)],
    ['confirmed', withTime(record.confirmed, isoTime(record.confirmedAtMs))],
    ['due', time(record.dueAtMs)],
    ...fieldLines(record.facts, shown),
    ...fieldLines(record.details, shown),
    ...timeLines(record.times),
    ['first seen', time(record.firstSeenAtMs)],
    ['changed', time(record.changedAtMs)],
    ...(record.prunedAtMs === null
      ? []
      : [['pruned', `${time(record.prunedAtMs)}: personal data and bodies`] as const]),
  ]);
  printMoney(record);
  print(`\n${bold('History')}`);
  printTable(record.history, [
    { header: 'AT', value: ({ atMs }) => time(atMs) },
    { header: 'STATUS', value: ({ field }) => field },
    { header: 'FROM', value: ({ from }) => from },
    { header: 'TO', value: ({ to, gap }) => `${to ?? '-'}${gap ? ' (a state in between was not seen)' : ''}` },
  ]);
  print(`\n${bold('Observations')}`);
  printTable(record.observations, [
    { header: 'WITNESS', value: ({ witness }) => witness },
    { header: 'EVENT', value: ({ eventId }) => eventId, align: 'right' },
    { header: 'KEY', value: ({ eventKey }) => (eventKey === '' ? null : eventKey) },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'TIME', value: ({ time: claimed, answeredAtMs }) => claimed ?? isoTime(answeredAtMs) },
  ]);
  printCheck(record);
  printFindings(record.findings, shown);
}

/** The money by each witness, one line per field; nothing while no witness gave any. */
function printMoney({ kind, facts, details, money: { reported, confirmed } }: RecordDetail): void {
  const agreed: Fields = { ...facts, ...details };
  const lines = MONEY_FIELDS[kind].flatMap((name) => {
    const values = [reported[name], confirmed[name], name in facts ? agreed[name] : null].map((one) =>
      showValue(one ?? null),
    );
    return values.every((value) => value === null) ? [] : [[labelOf(name), ...values] as const];
  });
  if (lines.length === 0) return;
  print(`\n${bold('Money')}`);
  printTable(lines, [
    { header: 'FIELD', value: ([label = null]) => label },
    { header: 'BY WEBHOOKS', value: ([, reported = null]) => reported, align: 'right' },
    { header: 'BY THE SERVICE', value: ([, , confirmed = null]) => confirmed, align: 'right' },
    { header: 'AGREED BY ALL', value: ([, , , all = null]) => all, align: 'right' },
  ]);
}

/** The times as the service sent them, in UTC where they can be read. */
function timeLines(times: Times): (readonly [string, string])[] {
  return Object.entries(times).flatMap(([name, at]) =>
    at === null ? [] : [[labelOf(name), at.utc ?? `${at.text} (unreadable)`] as const],
  );
}

function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function printFindings(findings: readonly OpenFinding[], shown: Shown): void {
  if (findings.length === 0) return;
  print(`\n${bold('Open findings')}`);
  for (const finding of findings) print(`${finding.code}  ${finding.subject}: ${findingText(finding, shown)}`);
}

export function fieldsJson(fields: Fields, shown: Shown): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldText(name, value, shown)]));
}

export function fieldLines(fields: Fields, shown: Shown): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const text = fieldText(name, value, shown);
    return text === null ? [] : [[labelOf(name), text] as const];
  });
}

export function fieldText(name: string, value: Fields[string], { reveal }: Shown): string | null {
  const text = showValue(value ?? null);
  return text === null || reveal ? text : maskedValue(name, text);
}

function withTime(status: string | null, at: string | null): string | null {
  return status === null || at === null ? status : `${status}, ${at}`;
}
