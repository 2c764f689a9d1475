import { LATE_MS } from '../../../src/confirm/target-problems.ts';
import {
  obstacleOf,
  obstacleStep,
  obstacleText,
  type TargetObstacle,
} from '../../../src/domain/forwarding/forward-obstacle.ts';
import { IN_PROCESS_TARGET } from '../../../src/domain/forwarding/forward-target.ts';
import type { RecordKind } from '../../../src/domain/records/lifecycle.ts';
import type { Examined } from '../../../src/store/examination.ts';
import type { KnownTarget, OutboxDetail } from '../../../src/store/outbox.ts';
import { duration, time } from '../../show/text.ts';

/** What is known of a target of the configuration, or of one that the database alone knows. */
export interface ExaminedTarget {
  readonly name: string;
  /** False: only the database knows it, from an earlier configuration. */
  readonly isConfigured: boolean;
  /** Null: serve has not taken it over yet. */
  readonly known: KnownTarget | null;
  /** Kinds that it would get once they are confirmed, which no endpoint does. */
  readonly never: readonly RecordKind[];
  /** The failing row that was written first. */
  readonly oldestFailing: OutboxDetail | null;
}

interface Fault {
  readonly status: 'warning' | 'failed';
  readonly what: string;
  readonly step: string;
}

/** Returns the one line of a target: everything that is wrong with it, the worst first, each with its next step. Pure. */
export function checkTarget(target: ExaminedTarget, nowMs: number): Examined {
  const name = `target ${target.name}`;
  const faults = faultsOf(target, nowMs);
  const [first] = faults;
  if (first !== undefined) {
    const detail = faults.map(({ what }) => what).join('; ');
    return { name, status: first.status, detail, hint: faults.map(({ step }) => step).join(' ') };
  }
  const { known } = target;
  if (known === null || !known.present)
    return { name, status: 'skipped', detail: 'not taken over yet: serve does so when it starts (restart it)' };
  const { waiting = 0, failing = 0 } = known.states;
  const open = waiting + failing;
  return { name, status: 'ok', detail: open === 0 ? 'everything is handed on' : waitText(open) };
}

/** Faults that need a person come before those that may pass. */
function faultsOf({ name, isConfigured, known, never, oldestFailing }: ExaminedTarget, nowMs: number): Fault[] {
  const obstacle = known?.present ? obstacleOf(known, nowMs) : null;
  const { waiting = 0, failing = 0, dead = 0, orphaned = 0 } = known?.states ?? {};
  const open = waiting + failing;
  const oldestMs = nowMs - (known?.oldestOpenAtMs ?? nowMs);
  const faults: Fault[] = [
    ...(obstacle === null ? [] : [stopped(name, obstacle, open)]),
    ...when(dead > 0, {
      status: 'failed',
      what: `${dead} dead ${dead === 1 ? 'letter' : 'letters'}: given up after every attempt failed`,
      step: `See: tallyhook outbox list --target ${name} --state dead.`,
    }),
    ...when(never.length > 0, {
      status: 'warning',
      what: `gets no news of ${never.join('s and ')}s: there is no endpoint that confirms them`,
      step: `Set service.${never[0]}Path, leave the kind out, or forward on the webhook alone: when: received.`,
    }),
    ...when(failing > 0 && obstacle?.is !== 'disabled', {
      status: 'warning',
      what: `${rows(failing)} ${failing === 1 ? 'fails' : 'fail'}${causeOf(oldestFailing)}`,
      step: stepOfFailing(name, oldestFailing),
    }),
    ...when(failing === 0 && open > 0 && obstacle === null && oldestMs > LATE_MS, {
      status: 'warning',
      what: `${waitText(open)}, the oldest for ${duration(oldestMs)}`,
      step:
        name === IN_PROCESS_TARGET
          ? 'The application in the same process takes them: is it running?'
          : 'Is serve running? See the check above.',
    }),
    ...when(!isConfigured && orphaned > 0, {
      status: 'warning',
      what: `the configuration no longer names it, and ${rows(orphaned)} ${orphaned === 1 ? 'is' : 'are'} orphaned`,
      step: `Name it again under forward.targets, or: tallyhook outbox drop --target ${name} --state orphaned --yes.`,
    }),
  ];
  return faults.sort((one, other) => Number(other.status === 'failed') - Number(one.status === 'failed'));
}

/** How the latest attempt of the row ended that has failed for longest. */
function causeOf(row: OutboxDetail | null): string {
  if (row === null) return '';
  const { status = null } = row.attemptsLog.findLast(({ outcome }) => outcome === row.outcome) ?? {};
  const answer = status === null ? (row.outcome ?? 'lost') : `${row.outcome} with ${status}`;
  const tries = row.attempts === 1 ? '1 attempt' : `${row.attempts} attempts`;
  return `: ${answer} after ${tries} since ${time(row.createdAtMs)}`;
}

function stopped(name: string, obstacle: TargetObstacle, open: number): Fault {
  return {
    status: obstacle.is === 'disabled' ? 'failed' : 'warning',
    what: `${obstacleText(obstacle, time)}; ${waitText(open)}`,
    step: `${obstacleStep(name, obstacle)}.`,
  };
}

function stepOfFailing(name: string, row: OutboxDetail | null): string {
  const see = row === null ? '' : `See: tallyhook outbox show ${row.webhookId}.`;
  return name === IN_PROCESS_TARGET ? see : `${see} Try it: tallyhook forward test ${name}.`;
}

function when(isSo: boolean, fault: Fault): Fault[] {
  return isSo ? [fault] : [];
}

function rows(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

function waitText(open: number): string {
  return `${rows(open)} ${open === 1 ? 'waits' : 'wait'}`;
}
