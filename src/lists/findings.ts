import { VALUES_PRUNED } from '../domain/records/personal.ts';
import { maskOf } from '../domain/text/privacy.ts';
import { duration } from '../domain/text/quantity-text.ts';
import { type ShownTimes, shownDetail } from '../domain/text/shown-detail.ts';
import type { OpenFinding } from '../store/records.ts';
import type { EvidenceOfFinding } from '../why/finding-evidence.ts';
import { count, type ListColumn, long, type Shown, text, time } from './column.ts';
import { fieldLabel, fieldText } from './records.ts';

export interface FindingColumns extends Shown {
  readonly nowMs: number;
  readonly times: ShownTimes;
}

export function findingColumns({ nowMs, times, reveal }: FindingColumns): ListColumn<OpenFinding>[] {
  return [
    count('Id', (finding) => finding.id, { leaveOut: 1 }),
    time('Opened', ({ openedAtMs }) => openedAtMs, { leaveOut: 5 }),
    text('Age', (finding) => findingAge(finding, nowMs), { leaveOut: 4 }),
    text('Env', ({ environment }) => environment, { leaveOut: 3 }),
    text('Record', ({ kind, reference }) => `${kind} ${reference}`),
    text('Code', ({ code }) => code),
    text('Field', ({ subject }) => subject, { leaveOut: 2 }),
    long('Detail', (finding) => findingSentence(finding, { reveal }, times)),
  ];
}

/** The observations that a finding rests on, each with what it says of the fields that matter. */
export function evidenceColumns(shown: Shown): ListColumn<EvidenceOfFinding>[] {
  return [
    text('Witness', ({ observation }) => observation.witness),
    count('Event', ({ observation }) => observation.eventId),
    text('Key', ({ observation: { eventKey } }) => (eventKey === '' ? null : eventKey), { leaveOut: 1 }),
    text('Status', ({ observation }) => observation.status),
    time('Time', ({ observation }) => statedMs(observation.time) ?? observation.answeredAtMs, { leaveOut: 2 }),
    long('Says', ({ says }) => {
      const said = Object.entries(says).map(([name, value]) => [name, fieldText(name, value, shown)] as const);
      return (
        said.flatMap(([name, value]) => (value === null ? [] : [`${fieldLabel(name)} ${value}`])).join(', ') || null
      );
    }),
  ];
}

/** A time of the service; words where it cannot be read. */
function statedMs(stated: string | null): number | string | null {
  const ms = Date.parse(stated ?? '');
  return Number.isNaN(ms) ? stated : ms;
}

/** The detail of a finding: the values that disagree, masked when their field is sensitive. */
export function findingText({ subject, detail }: OpenFinding, { reveal }: Shown): string {
  const mask = maskOf(subject);
  if (reveal || mask === null || detail === VALUES_PRUNED) return detail;
  return detail.split(' ≠ ').map(mask).join(' ≠ ');
}

/** As `findingText`, for a person: our own times in it are as `times` shows them. */
export function findingSentence(finding: OpenFinding, shown: Shown, times: ShownTimes): string {
  return shownDetail({ code: finding.code, detail: findingText(finding, shown) }, times);
}

/** `open for 3 d 2 h`, `closed after 5 min`. */
export function findingAge({ openedAtMs, closedAtMs }: OpenFinding, nowMs: number): string {
  const age = duration(Math.max(0, (closedAtMs ?? nowMs) - openedAtMs));
  return closedAtMs === null ? `open for ${age}` : `closed after ${age}`;
}
