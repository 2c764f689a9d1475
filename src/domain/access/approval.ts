import { DAY_MS } from '../../time/clock.ts';
import type { ActName } from '../audit/acts.ts';
import { sha256 } from '../events/json.ts';
import { samePerson } from '../persons/person.ts';
import type { User } from './proof.ts';
import type { Role } from './roles.ts';

/*
 * Four eyes. Acts of GUARDED_ACTS may need a second person, by the rules of the configuration: one asks with a reason, another approves exactly
 * the rows that the request holds, and the first carries it out, each row once. The transaction of the act asks (write/four-eyes), so that
 * no command, page or job goes round it.
 */

/** Each with the roles of those who may approve it. */
export const GUARDED_ACTS = {
  replay: ['approver'],
  'outbox.drop': ['approver'],
  'target.enable': ['approver'],
  'statement.remove': ['approver'],
  'period.reopen': ['approver'],
  reveal: ['approver'],
  'user.add': ['approver', 'admin'],
  'user.roles': ['approver', 'admin'],
  'user.token': ['approver', 'admin'],
  'user.link': ['approver', 'admin'],
  'user.end': ['approver', 'admin'],
} as const satisfies Partial<Record<ActName, readonly Role[]>>;
export type GuardedAct = keyof typeof GUARDED_ACTS;

/** The next step on the command line; a page has a form for it. */
export const ASK_BY_COMMAND = 'Ask for it with --reason TEXT. Another person then runs: tallyhook approvals approve ID';

export function isGuarded(act: ActName): act is GuardedAct {
  return Object.hasOwn(GUARDED_ACTS, act);
}

/** What needs a second person. Of rows: how many the others of a day may do without one; null: any number. */
export interface ApprovalRules {
  readonly replayRows: number | null;
  readonly dropRows: number | null;
  readonly revealRows: number | null;
  readonly statementRemove: boolean;
  readonly periodReopen: boolean;
  readonly targetEnable: boolean;
  readonly users: boolean;
  /** How long a request is good, from when it was asked. */
  readonly validMs: number;
}

export const NO_APPROVALS: ApprovalRules = {
  replayRows: null,
  dropRows: null,
  revealRows: null,
  statementRemove: false,
  periodReopen: false,
  targetEnable: false,
  users: false,
  validMs: 3 * DAY_MS,
};

/** Rows of one act within this time count together, so that many small ones do not pass as one large would not. */
export const ROWS_WITHIN_MS = DAY_MS;

/** The limit of rows of an act; null: it has none. */
export function rowLimit(act: GuardedAct, rules: ApprovalRules): number | null {
  if (act === 'replay') return rules.replayRows;
  if (act === 'outbox.drop') return rules.dropRows;
  return act === 'reveal' ? rules.revealRows : null;
}

/** `lately`: rows of the act within ROWS_WITHIN_MS, without those that were approved. */
export function needsApproval(
  act: GuardedAct,
  rules: ApprovalRules,
  { rows, lately }: { rows: number; lately: number },
): boolean {
  if (rows === 0) return false;
  if (act === 'statement.remove') return rules.statementRemove;
  if (act === 'period.reopen') return rules.periodReopen;
  if (act === 'target.enable') return rules.targetEnable;
  if (act.startsWith('user.')) return rules.users;
  const limit = rowLimit(act, rules);
  return limit !== null && lately + rows > limit;
}

/** How a reveal names a statement of `tallyhook sql`. */
export function revealedStatement(statement: string): string {
  return `sql:${statement}`;
}

/**
 * Whether a row of an act stands for more than itself, so that a limit of rows bounds nothing: one row, an error or no row of a statement may tell
 * of every record, and later the same statement tells something else.
 */
export function isUnbounded({ key }: AskedRow): boolean {
  return key.startsWith('reveal:sql:');
}

/** One row that an act changes, and the digest of what it is and becomes. */
export interface AskedRow {
  readonly key: string;
  readonly digest: string;
}

/** The digest of the rows of a request, the same in every order. */
export function rowsDigest(rows: readonly AskedRow[]): string {
  const pairs = rows.map(({ key, digest }) => [key, digest] as const);
  return sha256(JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))));
}

export const APPROVAL_STATES = [
  'asked', // waits for another person
  'approved', // the one who asked may carry it out
  'refused', // by another person, or taken back by the one who asked
  'used', // every row of it was carried out
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What is known of a request when a person decides about it. */
export interface RequestFacts {
  readonly id: number;
  readonly act: GuardedAct;
  readonly askedBy: string;
  readonly state: ApprovalState;
  readonly expiresAtMs: number;
  readonly decidedBy: string | null;
}

export const APPROVAL_REFUSALS = [
  'unknown', // no such request
  'no_rows', // there is nothing to do
  'not_needed', // it can be done without a second person
  'no_approver', // no other user may approve it
  'decided', // approved, refused or used before
  'expired',
  'own', // by the one who asked, or one who may be the same person (hands)
  'role', // the act is approved by another role
  'changed', // its rows are not those that were asked for
] as const;

export interface ApprovalRefusal {
  readonly reason: (typeof APPROVAL_REFUSALS)[number];
  readonly message: string;
  readonly hint: string;
}

/** Users other than `by` who may approve the act. */
export function approversOf(act: GuardedAct, users: readonly User[], by: string): readonly User[] {
  const may: readonly Role[] = GUARDED_ACTS[act];
  return users.filter(({ name, roles }) => !samePerson(name, by) && roles.some((role) => may.includes(role)));
}

/** Why no other user may approve what `by` asks for; null: one may. */
export function noApproverRefusal(act: GuardedAct, users: readonly User[], by: string): ApprovalRefusal | null {
  if (approversOf(act, users, by).length > 0) return null;
  const roles = GUARDED_ACTS[act].join(' or ');
  const message =
    users.length === 0
      ? `No person can approve ${act}: there are no users whose names are proved.`
      : `No person can approve ${act}: no user but ${by} has the role ${roles}.`;
  return { reason: 'no_approver', message, hint: `Add a second person: tallyhook users add NAME --role approver` };
}

/** Why `by` cannot decide about the request; null: it can be refused, and approved if no further reason is against it. */
export function decideRefusal(
  { id, state, expiresAtMs, decidedBy }: RequestFacts,
  nowMs: number,
): ApprovalRefusal | null {
  const hint = `See: tallyhook approvals show ${id}`;
  if (state !== 'asked')
    return { reason: 'decided', message: `Request ${id} was ${state} before, by ${decidedBy}.`, hint };
  if (nowMs < expiresAtMs) return null;
  const message = `Request ${id} expired at ${new Date(expiresAtMs).toISOString()}.`;
  return { reason: 'expired', message, hint: 'The one who asked asks again.' };
}

/** Why `by` cannot approve the request; null: they can. `mayBeAsker`: by what proves the name, it may be the one who asked (hands). */
export function approveRefusal(
  request: RequestFacts,
  {
    by,
    roles,
    mayBeAsker,
    isChanged,
    nowMs,
  }: { by: string; roles: readonly Role[]; mayBeAsker: boolean; isChanged: boolean; nowMs: number },
): ApprovalRefusal | null {
  const { id, act, askedBy } = request;
  const decided = decideRefusal(request, nowMs);
  if (decided !== null) return decided;
  if (samePerson(askedBy, by))
    return {
      reason: 'own',
      message: `${askedBy} asked for request ${id}, so another person has to approve it.`,
      hint: `Another person runs: tallyhook approvals approve ${id}`,
    };
  if (mayBeAsker)
    return {
      reason: 'own',
      message: `${askedBy} asked for request ${id}, and could be ${by}, too: by a token or link that one of them gave, or that was given on the machine.`,
      hint: `An admin whose own token or link neither of them gave gives ${by} a token, or ${by} logs in elsewhere: docs/security.md, "Two persons".`,
    };
  const may: readonly Role[] = GUARDED_ACTS[act];
  if (!roles.some((role) => may.includes(role)))
    return {
      reason: 'role',
      message: `${by} (${roles.join(', ')}) may not approve ${act}: it needs ${may.join(' or ')}.`,
      hint: 'Who has the role approves it.',
    };
  if (!isChanged) return null;
  return {
    reason: 'changed',
    message: `What request ${id} is about has changed since it was asked for.`,
    hint: `Refuse it: tallyhook approvals refuse ${id}; the one who asked asks again.`,
  };
}
