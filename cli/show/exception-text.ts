import { wholeNextStep } from '../../src/domain/exceptions/same-difference.ts';
import type { Exception, ExceptionEvent, ExceptionLogEntry } from '../../src/store/exceptions.ts';
import { progressText } from './exception.ts';
import { breakName, breakSubject, placedNextStep } from './kept-break.ts';
import { printFacts, printTitle } from './output.ts';
import { time } from './text.ts';

// One exception, and what was done about it, for a person.

export function printException(one: Exception): void {
  printTitle(`exception ${one.id}  ${breakName(one)} of ${breakSubject(one)?.replaceAll('\n', '\ufffd')}`);
  const money = (value: string | null) => (value === null ? null : [value, one.currency].filter(Boolean).join(' '));
  const optional = (name: string, value: string | null) => (value === null ? [] : [[name, value] as const]);
  printFacts([
    ['status', `${progressText(one)} (version ${one.version})`],
    ...optional('assignee', one.assignee),
    ...optional('resolution', resolutionText(one)),
    ...optional('comment', one.comment),
    ['environment', one.environment],
    ['leg', one.leg],
    ['account', one.account],
    ['date', one.date],
    ['field', one.field],
    ['ours', one.ours],
    ['theirs', one.theirs],
    ['variance', money(one.variance)],
    ['effect', money(one.effect)],
    ['since', one.firstSeen],
    ['why', one.reason],
    ['next step', placedNextStep(wholeNextStep(one), one)],
    ...(one.candidates.length === 0 ? [] : [['candidates', one.candidates.join('; ')] as const]),
    ['found by', `run ${one.firstRun}, last by run ${one.lastRun}`],
  ]);
}

function resolutionText(one: Exception): string | null {
  if (one.resolution === null) return null;
  const { approval, payment } = one;
  const parts = [
    `${one.resolution}${one.reasonCode === null ? '' : ` (${one.reasonCode})`} by ${one.resolvedBy}, ${time(one.resolvedAtMs)}`,
    ...(one.resolutionReference === null ? [] : [`reference ${one.resolutionReference}`]),
    ...(one.followUp === null ? [] : [`follow-up ${one.followUp}`]),
    ...one.attachments.map(({ name, sha256 }) => `attached ${name} (sha256 ${sha256})`),
    ...(payment === null ? [] : [`paid by row ${payment.row} of statement ${payment.statement}`]),
    ...(approval?.state === 'needed' ? ['waits for the approval of a second person'] : []),
    ...(approval?.state === 'given' ? [`approved by ${approval.who}, ${time(approval.atMs)}`] : []),
  ];
  return parts.join('; ');
}

const EVENTS: Readonly<Record<ExceptionEvent, (entry: ExceptionLogEntry) => string>> = {
  assign: ({ who, assignee, after }) =>
    after === 'assigned' ? `${who}: assigned to ${assignee}` : `${who}: removed the assignee`,
  comment: ({ who }) => `${who}: comment`,
  resolve: ({ who, ...entry }) => `${who}: resolved${saidText(entry)}`,
  match: ({ who, ...entry }) => `${who}: these lines belong to it${saidText(entry)}; the next run uses it`,
  undo_match: ({ who, ...entry }) => `${who}: these lines do not belong to it${saidText(entry)}; the next run uses it`,
  pay: ({ who, ...entry }) => `${who}: the claim was paid${saidText(entry)}`,
  reopen: ({ who }) => `${who}: opened again`,
  approve: ({ who }) => `${who}: approved`,
  import: ({ who, after, ...entry }) => `${who}: changed by a spreadsheet, now ${after}${saidText(entry)}`,
  found: ({ run }) => `run ${run} found it`,
  changed: ({ run, evidence, after }) =>
    `run ${run} found it with other values (ours ${evidence.ours ?? '-'}, theirs ${evidence.theirs ?? '-'}, effect ${evidence.effect}); now ${after}`,
  gone: ({ run }) => `run ${run} saw its cause gone: closed`,
  returned: ({ run }) => `run ${run} found it again: reopened`,
  carried: ({ run }) => `run ${run} found it in the next period: open`,
  carried_again: ({ who }) => `${who} opened its period again: carried out of it as before`,
};

/** One entry of the log as a sentence. */
export function logText(entry: ExceptionLogEntry): string {
  const text = EVENTS[entry.act](entry);
  if (entry.isErased) return `${text}; what was said is gone, it was erased.`;
  return entry.text === null ? `${text}.` : `${text}: ${JSON.stringify(entry.text)}.`;
}

function saidText({ resolution: said }: Pick<ExceptionLogEntry, 'resolution'>): string {
  if (said === null) return '';
  const parts = [
    said.reasonCode === null ? said.resolution : `${said.resolution} (${said.reasonCode})`,
    ...(said.reference === null ? [] : [`reference ${said.reference}`]),
    ...(said.followUp === null ? [] : [`follow-up ${said.followUp}`]),
    ...said.attachments.map(({ name }) => `attached ${name}`),
    ...said.lines.map(({ statement, row }) => `row ${row} of statement ${statement}`),
  ];
  return `, ${parts.join(', ')}`;
}
