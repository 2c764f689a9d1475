import { type Fields, showValue } from '../../src/domain/records/fields.ts';
import type { Times } from '../../src/domain/records/service-times.ts';
import { countedAmount, countedMoney, FEE_FIELD } from '../../src/domain/records/witness-money.ts';
import type { Shown } from '../../src/lists/column.ts';
import { findingSentence, findingText } from '../../src/lists/findings.ts';
import { fieldLabel, fieldText, moneyColumns, witnessedMoney } from '../../src/lists/records.ts';
import type { ObservationSummary, OpenFinding, RecordDetail, RecordSummary } from '../../src/store/records.ts';
import { checkJson, printCheck, trackedJson } from './check.ts';
import { terminalColumns } from './list-columns.ts';
import { bold, print, printFacts, printTable, printTitle, terminalWidth } from './output.ts';
import { deadline, isoTime, isTimeName, serviceTime, time, timeHeader, timeInColumn, wrapped } from './text.ts';

export type { Shown } from '../../src/lists/column.ts';

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
    fee: showValue(countedMoney(record, FEE_FIELD[record.kind])),
    times: record.times,
    effectiveAt: isoTime(record.effectiveAtMs),
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
  const { witness, eventId, eventKey, status, time, counter, answeredAtMs, digest, stated } = observation;
  const facts = fieldsJson(stated.facts, shown);
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

export function printRecord(record: RecordDetail, shown: Shown): void {
  printTitle(`${record.kind} ${record.reference}`);
  printFacts([
    ['environment', record.environment],
    ['reported', withTime(record.reported, record.reportedTime)],
    ['confirmed', withTime(record.confirmed, record.confirmedAtMs)],
    ['next check', time(record.dueAtMs)],
    ['effective', time(record.effectiveAtMs)],
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
  printTable(
    record.history,
    [
      { ...timeHeader('AT'), value: ({ atMs }) => timeInColumn(atMs) },
      { header: 'STATUS', value: ({ field }) => field },
      { header: 'FROM', value: ({ from }) => from },
      { header: 'TO', value: ({ to, gap }) => `${to ?? '-'}${gap ? ' (a state in between was not seen)' : ''}` },
    ],
    'No status so far.',
  );
  print(`\n${bold('Observations')}`);
  printTable(
    record.observations,
    [
      { header: 'WITNESS', value: ({ witness }) => witness },
      { header: 'EVENT', value: ({ eventId }) => eventId, align: 'right' },
      { header: 'KEY', value: ({ eventKey }) => (eventKey === '' ? null : eventKey), leaveOut: 1 },
      { header: 'STATUS', value: ({ status }) => status },
      { ...timeHeader('TIME'), value: ({ time: stated, answeredAtMs }) => timeInColumn(stated ?? answeredAtMs) },
    ],
    'No observations.',
  );
  printCheck(record);
  printFindings(record.findings, shown);
}

/** The money by each witness, one line per field; nothing while no witness gave any. */
function printMoney(record: RecordDetail): void {
  const money = witnessedMoney(record);
  if (money.length === 0) return;
  print(`\n${bold('Money')}`);
  printTable(money, terminalColumns(moneyColumns()));
}

/** The times of the service; as it sent them where they cannot be read. */
function timeLines(times: Times): (readonly [string, string])[] {
  return Object.entries(times).flatMap(([name, at]) =>
    at === null ? [] : [[fieldLabel(name), at.utc === null ? `${at.text} (unreadable)` : time(at.utc)] as const],
  );
}

export function printFindings(findings: readonly OpenFinding[], shown: Shown): void {
  if (findings.length === 0) return;
  print(`\n${bold('Open findings')}`);
  for (const finding of findings) {
    const text = `${finding.code}  ${finding.subject}: ${findingSentence(finding, shown, { time, deadline })}`;
    for (const line of wrapped(text, terminalWidth())) print(line);
  }
}

export function fieldsJson(fields: Fields, shown: Shown): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fieldText(name, value, shown)]));
}

export function fieldLines(fields: Fields, shown: Shown): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const text = fieldText(name, value, shown);
    if (text === null) return [];
    return [[fieldLabel(name), isTimeName(name) ? serviceTime(text) : text] as const];
  });
}

function withTime(status: string | null, at: string | number | null): string | null {
  return status === null || at === null ? status : `${status}, ${time(at)}`;
}
