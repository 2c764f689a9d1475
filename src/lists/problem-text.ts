import type { Problem, ProblemCode } from '../confirm/problem.ts';
import type { DiskSpace, Shortage } from '../domain/alerts/disk.ts';
import { OUTCOME_TEXT } from '../domain/checks/check.ts';
import { IN_PROCESS_TARGET } from '../domain/forwarding/forward-target.ts';
import { byteCount, duration, percentText } from '../domain/text/quantity-text.ts';
import { faultText } from '../store/error.ts';
import { zonedTime } from '../time/zoned-time.ts';
import { outageText, refusedRunText } from './refused-run-text.ts';

/** What is not well, and what to do next. */
export interface ProblemText {
  readonly text: string;
  /** A command to run, or what to do before it. */
  readonly next: string;
}

type Texts = {
  readonly [Code in ProblemCode]: (
    problem: Extract<Problem, { code: Code }>,
    at: (ms: number) => string,
  ) => ProblemText;
};

/** The problem in words, with times of `zone`. */
export function problemText(problem: Problem, { zone }: { zone: string }): ProblemText {
  const at = (ms: number) => zonedTime(ms, zone);
  const text = TEXTS[problem.code] as (problem: Problem, at: (ms: number) => string) => ProblemText;
  return text(problem, at);
}

const START = 'Start it: tallyhook serve';

const TEXTS: Texts = {
  not_kept: ({ outage }, at) => outageText(outage, at),
  damaged: ({ damage: [first = '', ...others] }) => ({
    text: `The database is damaged: ${first}${others.length > 0 ? `; and ${others.length} more` : ''}`,
    next: 'tallyhook doctor',
  }),
  serve_not_running: ({ last: { stoppedAtMs, seenAtMs, holder, pid, isThere } }, at) => {
    if (stoppedAtMs !== null)
      return { text: `serve is not running: ${holder} was stopped ${at(stoppedAtMs)}`, next: START };
    if (!isThere)
      return {
        text: `serve is not running: ${holder} ended without stopping in order, last seen ${at(seenAtMs)}`,
        next: START,
      };
    return {
      text: `serve gives no sign of life: ${holder} is there, last seen ${at(seenAtMs)}; it is stopped, hangs, or cannot write`,
      next: `Look at process ${pid}: ps -o pid,stat,args -p ${pid}. With T in STAT: kill -CONT ${pid}. Else end it, then: tallyhook serve`,
    };
  },
  disk_low: ({ disk, shortage }) => diskText(disk, shortage),
  cluster_unreachable: ({ reason, next }) => ({
    text: `The log in PostgreSQL cannot be used: ${reason} Deliveries get 503, and what is shown is as old as this machine's file`,
    next,
  }),
  cluster_unsafe: ({ server, text, next }) => ({ text: `PostgreSQL at ${server} is unsafe: ${text}`, next }),
  diverged: ({ node, reason, text, next }) => ({
    text: `Node ${node} ${text}; it carries nothing out${reason === null ? '' : `: ${reason}`}`,
    next,
  }),
  acts_lost: ({ file }) => ({
    text: `The log in PostgreSQL lost acts that this machine had carried out: ${file} lists them`,
    next: `Do again what is missing, then move ${file} away; tallyhook backfill and tallyhook sweep fetch what the service knows`,
  }),
  behind: ({ node, deliveries, sinceMs, fault, holder }, at) => ({
    text:
      (node === null ? '' : `Node ${node}: `) +
      `${deliveries} acknowledged ${deliveries === 1 ? 'delivery waits' : 'deliveries wait'} in the log, the first since ${at(sinceMs)}` +
      (fault === null ? '' : `: ${faultText(fault, 'now')}`) +
      (holder === null
        ? ''
        : `; process ${holder.pid}${holder.program === null ? '' : ` (${holder.program})`} holds its lock`),
    next:
      node !== null
        ? `On ${node}: tallyhook doctor`
        : holder === null
          ? 'End the program that has the database open, or free its disk: tallyhook doctor'
          : `End process ${holder.pid}, or wait for it`,
  }),
  aside: ({ deliveries, sinceMs }, at) => ({
    text: `${deliveries} acknowledged ${deliveries === 1 ? 'delivery' : 'deliveries'} could not be carried out and ${deliveries === 1 ? 'was' : 'were'} set aside, the first ${at(sinceMs)}`,
    next: 'See the reason: tallyhook events list --aside; after an upgrade: tallyhook events retry --all',
  }),
  deliveries_refused: ({ environment, run }, at) => refusedRunText(run, { environment, at }),
  keys_missing: ({ environment }) =>
    environment === null
      ? {
          text: 'No key pair is configured: serve does not start, and no status check is made',
          next: 'Make the configuration: tallyhook init',
        }
      : {
          text: `${environment}: no key pair is configured: deliveries to /webhooks/${environment} are refused, and no status check is made`,
          next: `Put the key pair under keys.${environment} (tallyhook init asks for it), then reload serve (SIGHUP)`,
        },
  key_refused: ({ environment, records }) => ({
    text: `${environment}: the service refuses our secret key; ${records} ${records === 1 ? 'record waits' : 'records wait'} for a status check`,
    next: `Put the current key under keys.${environment}, reload serve (SIGHUP), then: tallyhook doctor`,
  }),
  service_down: ({ environment, sinceMs, failedAtMs, outcome }, at) => ({
    text: `${environment}: the service answers no status check since ${at(sinceMs)}, the last at ${at(failedAtMs)}: ${OUTCOME_TEXT[outcome]}`,
    next: 'Look at the network and at the service: tallyhook doctor',
  }),
  silent: ({ environment, channel: { kind, silentForMs, usualGapMs } }) => ({
    text: `${environment} ${kind}s: nothing received for ${duration(silentForMs ?? 0)}; the usual gap is ${duration(usualGapMs ?? 0)}`,
    next: 'Check the path to the receiver: tallyhook doctor --public-url URL',
  }),
  sweep_share: ({ environment, channel: { kind, sweepShare, repaired } }) => ({
    text:
      `${environment} ${kind}s: ${percentText(sweepShare ?? 0)} of results came from status checks: webhooks are being lost ` +
      `or late; ${repaired} have no webhook so far`,
    next: 'Compare the refusals of tallyhook stats with the log of webhooks at the service',
  }),
  target_disabled: ({ target, sinceMs, waiting }, at) => ({
    text: `Target ${target} answered 410 ${at(sinceMs)} and is disabled; ${waiting} of its news wait`,
    next: `Mend the application, then: tallyhook forward enable ${target}`,
  }),
  dead_letter: ({ target, rows }) => ({
    text: `Target ${target} never took ${rows} of its news, which ${rows === 1 ? 'is a dead letter' : 'are dead letters'}`,
    next: `tallyhook outbox list --target ${target} --state dead`,
  }),
  forwarding_behind: ({ target, rows, sinceMs, comePerSecond, takenPerSecond }, at) => ({
    text:
      `Target ${target} falls behind by ${perSecond(comePerSecond - takenPerSecond)} news a second: ${perSecond(comePerSecond)} come, ` +
      `it takes ${perSecond(takenPerSecond)}; ${rows} wait, the oldest since ${at(sinceMs)}`,
    next:
      target === IN_PROCESS_TARGET
        ? 'Raise forward.app.concurrency, or make onConfirmed faster'
        : `Raise concurrency of ${target} in forward.targets, or make its application answer faster`,
  }),
  forwarding_late: ({ target, rows, sinceMs }, at) => ({
    text: `Target ${target} has not taken ${rows} of its news, the oldest since ${at(sinceMs)}`,
    next: `tallyhook outbox list --target ${target}`,
  }),
  job_failed: ({ job: { job, last } }, at) => ({
    text: `Job ${job} ${last?.outcome ?? 'failed'} ${at(last?.startedAtMs ?? 0)}${last?.detail ? `: ${last.detail}` : ''}`,
    next: `Remove the cause, then: tallyhook schedule run ${job}`,
  }),
  job_overdue: ({ job: { job }, lateMs }) => ({
    text: `Job ${job} should have run ${duration(lateMs)} ago`,
    next: 'Compare the configuration that serve was started with: tallyhook schedule list',
  }),
  backup_old: ({ doneAtMs, missedAtMs }, at) => ({
    text: `The latest backup is of ${at(doneAtMs)}; the one planned for ${at(missedAtMs)} was not made`,
    next: 'tallyhook schedule run backup',
  }),
  checks_overdue: ({ environment, records, oldestDueAtMs, isSwept }, at) => ({
    text:
      `${environment}: ${records} status ${records === 1 ? 'check' : 'checks'} due, the oldest since ${at(oldestDueAtMs)}` +
      (isSwept ? '; the sweep that runs does not keep up' : ''),
    next: isSwept
      ? 'Raise confirm.perSecond and confirm.concurrency to what the service allows, and restart serve'
      : `tallyhook sweep --environment ${environment}`,
  }),
  stuck: ({ records, atLeast }) => ({
    text: `${atLeast ? 'at least ' : ''}${records} ${records === 1 ? 'record does' : 'records do'} not settle`,
    next: 'tallyhook stuck',
  }),
  findings: ({ open, codes }) => ({
    text: `${open} open ${open === 1 ? 'finding' : 'findings'}: ${countsText(codes)}`,
    next: 'tallyhook findings',
  }),
  key_expires: ({ environment, keyId, atMs }, at) => ({
    text: `The last ${environment} key, ${keyId}, is valid until ${at(atMs)}`,
    next: `Add the next pair under keys.${environment}, then reload: kill -HUP the process`,
  }),
  audit_key_lost: ({ file }) => ({
    text: `The key of the audit chain is gone: ${file}; acts that must be entered are refused`,
    next: 'Put your copy of it back, or let audit.key name the right file',
  }),
  log_large: ({ logBytes }) => ({
    text: `The write-ahead log of the database has ${byteCount(logBytes)}: a long read keeps it from being emptied`,
    next: 'End a long export, query or backup, then: tallyhook status',
  }),
};

function diskText({ freeBytes, totalBytes, freeFiles }: DiskSpace, shortage: Shortage): ProblemText {
  const room = `${byteCount(freeBytes)} free of ${byteCount(totalBytes)}`;
  if (shortage === 'files') {
    const files = freeFiles === 0 ? 'no more files (inodes)' : `${freeFiles} more files (inodes)`;
    return {
      text: `The disk takes ${files}, with ${room}: the next start, backup or report may fail`,
      next: 'Delete files on it, then: tallyhook doctor',
    };
  }
  const text =
    shortage === 'full'
      ? `The disk is full: ${room}; deliveries get 503, or soon will`
      : `The disk is nearly full: ${room}; deliveries get 503 when it is`;
  return { text, next: 'Free some space, then: tallyhook doctor' };
}

/** `3 variant, 1 tie`, the most frequent first. */
export function countsText(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([name, count]) => `${count} ${name}`).join(', ');
}

/** `45`; below ten with one decimal. */
function perSecond(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : String(Math.round(rate));
}
