import { revealedStatement } from '../src/domain/access/approval.ts';
import type { PersonAct } from '../src/domain/access/roles.ts';

/*
 * What each command is to the one table of roles (src/domain/access/roles.ts), which the pages of the dashboard ask, too. A command that is not
 * here does not run. `context/permission.ts` asks.
 */

/** Changes nothing, and masks personal data: needs no token. */
const READS = 'reads';
/** The store asks for the role, in the transaction of the act. */
const ENTERED = 'entered';
/** Works on the files and processes of this machine, or on a service of its own: for a person who may run the program here. */
const HERE = 'here';

/** An act that the store cannot tell from that of a job: the command asks for the role before it begins. */
interface AskedAct {
  readonly act: PersonAct;
  /** Timers start it, too: the user `tallyhook` of the operating system stands for the program itself. */
  readonly byTimers?: true;
}
export type CommandAct = typeof READS | typeof ENTERED | typeof HERE | AskedAct;

const REQUESTS: AskedAct = { act: 'request' };
const TRACKS: AskedAct = { act: 'track' };
const CHECKS: AskedAct = { act: 'check' };
const RUNS_JOBS: AskedAct = { act: 'job.run', byTimers: true };

/** By the words of the command; `NAME *` stands for all of a group. */
export const COMMAND_ACTS: Readonly<Record<string, CommandAct>> = {
  init: HERE,
  serve: HERE,
  listen: HERE,
  trigger: HERE,
  verify: HERE,
  'events list': READS,
  'events show': READS,
  'events tail': READS,
  'events export': READS,
  'events replay': ENTERED,
  'events retry': ENTERED,
  'events drop': ENTERED,
  'events seen': ENTERED,
  'events lost-log': ENTERED,
  'refunds list': READS,
  'refunds show': READS,
  'refunds request': REQUESTS,
  'refunds status': CHECKS,
  'payouts list': READS,
  'payouts show': READS,
  'payouts banks': READS,
  'payouts verify-account': REQUESTS,
  'payouts send': REQUESTS,
  'payouts status': CHECKS,
  'collections list': READS,
  'collections show': READS,
  'collections start': REQUESTS,
  'collections verify': CHECKS,
  'checkout start': REQUESTS,
  why: READS,
  sweep: { act: 'sweep', byTimers: true },
  backfill: { act: 'backfill', byTimers: true },
  'sandbox *': HERE,
  demo: HERE,
  'outbox list': READS,
  'outbox show': READS,
  'outbox retry': ENTERED,
  'outbox drop': ENTERED,
  'forward test': { act: 'target.test' },
  'forward enable': ENTERED,
  'statements profile': READS,
  'statements folder': READS,
  'statements list': READS,
  'statements show': READS,
  'statements import': ENTERED,
  'statements remove': ENTERED,
  reconcile: { act: 'rules.use', byTimers: true },
  'matches list': READS,
  'matches confirm': ENTERED,
  'matches undo': ENTERED,
  'breaks list': READS,
  'breaks show': READS,
  'exceptions list': READS,
  'exceptions show': READS,
  'exceptions export': READS,
  'exceptions import': ENTERED,
  'exceptions assign': ENTERED,
  'exceptions comment': ENTERED,
  'exceptions resolve': ENTERED,
  'exceptions reopen': ENTERED,
  'exceptions approve': ENTERED,
  'period list': READS,
  'period show': READS,
  'period check': READS,
  'period close': ENTERED,
  'period approve': ENTERED,
  'period lock': ENTERED,
  'period reopen': ENTERED,
  'report month': READS,
  'report period': READS,
  'report run': READS,
  'report journal': READS,
  totals: READS,
  'audit list': READS,
  'audit verify': READS,
  'audit export': READS,
  'audit head': READS,
  'findings list': READS,
  'findings show': READS,
  stuck: READS,
  'track refund': TRACKS,
  'track payout': TRACKS,
  'track collection': TRACKS,
  'track list': READS,
  'track forget': TRACKS,
  stats: READS,
  sql: READS,
  status: READS,
  incidents: READS,
  refused: READS,
  health: READS,
  'alerts list': READS,
  'alerts show': READS,
  'alerts silence': ENTERED,
  'alerts test': { act: 'alert.test' },
  'alerts check': RUNS_JOBS,
  doctor: HERE,
  'schedule list': READS,
  'schedule run': RUNS_JOBS,
  backup: HERE,
  restore: HERE,
  prune: ENTERED,
  dashboard: HERE,
  'dashboard open': HERE,
  'dashboard routes': READS,
  'users list': READS,
  'users add': ENTERED,
  'users roles': ENTERED,
  'users token': ENTERED,
  'users reset': HERE,
  'users end': ENTERED,
  'users sessions list': READS,
  'users sessions end': ENTERED,
  'approvals list': READS,
  'approvals show': READS,
  'approvals approve': ENTERED,
  'approvals refuse': ENTERED,
  'approvals carry-out': ENTERED,
  'cluster *': HERE,
  'keys status': READS,
  migrate: HERE,
  completion: HERE,
};

/** The act of a command. @throws Error for one that is not in the table: a defect */
function actOf(path: readonly string[]): CommandAct {
  const words = path.join(' ');
  // `users` is `users list`.
  const found = COMMAND_ACTS[words] ?? COMMAND_ACTS[`${words} list`] ?? COMMAND_ACTS[`${path[0]} *`];
  if (found === undefined) throw new Error(`The command ${words} is not in the table of acts.`);
  return found;
}

/** The act for which a call asks before it begins; null: for none. What only looks what would be done asks for nothing. */
export function askedAct(path: readonly string[], argv: Readonly<Record<string, unknown>>): AskedAct | null {
  const act = actOf(path);
  return typeof act === 'string' || argv.dryRun === true || argv.asAt !== undefined ? null : act;
}

/** Whether a call shows personal data whole. An export of bodies cannot be masked. */
export function mayReveal(path: readonly string[], argv: Readonly<Record<string, unknown>>): boolean {
  return argv.reveal === true || argv.raw === true || path.join(' ') === 'events export';
}

/**
 * What a call shows whole, where it is one thing, as the audit names it; null: rows, which are named once they are read. A reference may be in both
 * environments, so it names no record.
 */
export function revealedThing(path: readonly string[], argv: Readonly<Record<string, unknown>>): string | null {
  const [group = '', verb] = path;
  if (group === 'why') return `why:${argv.reference}`;
  if (group === 'sql') return revealedStatement(`${argv.statement}`);
  const thing = verb === 'show' ? THING[group] : undefined;
  if (thing !== undefined) return `${thing}:${argv.id}`;
  const asks = actOf(path);
  return asks === REQUESTS || asks === CHECKS ? `service:${argv.reference ?? path.join(' ')}` : null;
}

const THING: Readonly<Record<string, string>> = {
  ...{ events: 'event', findings: 'finding', breaks: 'break', exceptions: 'exception', outbox: 'outbox' },
};
