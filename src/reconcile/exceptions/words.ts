import { isUnresolved } from '../../domain/exceptions/overdue.ts';
import { wholeNextStep } from '../../domain/exceptions/same-difference.ts';
import type { Exception, ExceptionEvent, ExceptionLogEntry } from '../../store/exceptions.ts';
import type { KeptBreak } from '../../store/runs.ts';

// Breaks and exceptions in words, for every command and page that shows them.

/** Its next step, with the statement and row of its line where a command needs a line. */
export function placedNextStep(nextStep: string, { line }: Pick<KeptBreak, 'line'>): string {
  return line === null ? nextStep : nextStep.replace('STATEMENT:ROW', `${line.statement}:${line.row}`);
}

/** What is to be done about an exception; null: nothing, it is settled. */
export function nextStepNow(one: Exception): string | null {
  if (!isUnresolved(one)) return null;
  if (one.status === 'resolved') return `Another person than ${one.resolvedBy} looks at it, and approves it.`;
  return placedNextStep(wholeNextStep(one), one);
}

/** `collection C-1`, or what else it is about: `row 17 of statement 3` */
export function breakSubject({
  kind,
  reference,
  line,
  account,
}: Pick<KeptBreak, 'kind' | 'reference' | 'line' | 'account'>): string | null {
  if (reference !== null) return kind === null ? reference : `${kind} ${reference}`;
  return line === null ? account : `row ${line.row} of statement ${line.statement}`;
}

/** `resolved: claim, approval needed`; `assigned to ada` */
export function progressText(one: Pick<Exception, 'status' | 'resolution' | 'approval' | 'assignee'>): string {
  const { status, resolution, approval, assignee } = one;
  if (status === 'assigned') return `assigned to ${assignee}`;
  if (status !== 'resolved') return assignee === null || status === 'closed' ? status : `${status}, with ${assignee}`;
  return `resolved: ${resolution}${approval?.state === 'needed' ? ', approval needed' : ''}`;
}

/** What holds, as one line: `accept (rounding) by ada, …`; null: nothing holds. */
export function resolutionText(one: Exception, time: (atMs: number | null) => string): string | null {
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
