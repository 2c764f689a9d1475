import type { ActName } from '../audit/acts.ts';

/** What a person may be; one person may be several. A viewer may act in nothing. */
export const ROLES = ['viewer', 'operator', 'finance', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a person does that is no entry of the audit: to read, acts that change no figure, and requests to the service, which its own journal
 * keeps. `login` needs no session; `me` is what concerns a person's own sessions and proofs.
 */
export const UNENTERED_ACTS = [
  'login',
  'me',
  'read',
  'people',
  'check',
  'sweep',
  'backfill',
  // Asks the service for a refund, a payout or a payment.
  'request',
  'track',
  'job.run',
  'alert.silence',
  'alert.test',
  'outbox.retry',
  'target.test',
] as const;
export type UnenteredAct = (typeof UNENTERED_ACTS)[number];
export type PersonAct = ActName | UnenteredAct;

/** Which roles may carry out an act. None: what runs and jobs do alone. */
export const MAY = {
  login: ROLES,
  me: ROLES,
  read: ROLES,
  people: ['admin'],
  check: ['operator', 'finance', 'approver'],
  sweep: ['operator'],
  backfill: ['operator'],
  request: ['operator', 'finance'],
  track: ['operator', 'finance'],
  'job.run': ['operator'],
  'alert.silence': ['operator'],
  'alert.test': ['operator'],
  'outbox.retry': ['operator'],
  'target.test': ['operator'],
  'statement.import': ['finance'],
  'statement.remove': ['finance'],
  'statement.clear': [],
  'profile.use': ['finance'],
  'rules.use': ['finance'],
  'match.confirm': ['finance'],
  'match.undo': ['finance'],
  'exception.assign': ['finance', 'approver'],
  'exception.comment': ['finance', 'approver'],
  'exception.resolve': ['finance'],
  'exception.reopen': ['finance', 'approver'],
  'exception.approve': ['approver'],
  'sheet.import': ['finance'],
  'run.follow': [],
  'period.close': ['finance'],
  'period.approve': ['approver'],
  'period.lock': ['approver'],
  'period.reopen': ['finance', 'approver'],
  prune: ['operator'],
  replay: ['operator'],
  'outbox.drop': ['operator'],
  'target.enable': ['operator'],
  reveal: ['operator', 'finance', 'approver'],
  'aside.retry': ['operator'],
  'aside.drop': ['operator'],
  'refused.see': ['operator', 'finance', 'approver'],
  'quarantine.see': ['operator', 'finance', 'approver'],
  'log.lose': ['operator'],
  'user.add': ['admin'],
  'user.roles': ['admin'],
  'user.end': ['admin'],
  'user.token': ['admin'],
  'user.reset': ROLES,
  'user.link': ['admin'],
  'user.password': ROLES,
  'user.recovery': ROLES,
  'user.oidc': ROLES,
  'user.sessions': ROLES,
  'approval.rules': [],
  'approval.ask': ['operator', 'finance', 'approver', 'admin'],
  'approval.approve': ['approver', 'admin'],
  'approval.refuse': ['approver', 'admin'],
  'approval.use': ['operator', 'finance', 'approver', 'admin'],
} as const satisfies Record<PersonAct, readonly Role[]>;

/** Acts for which a session must have proved lately who sits there; a token proves it at each call. */
export const NEEDS_FRESH: readonly PersonAct[] = [
  'exception.approve',
  'period.approve',
  'period.lock',
  'approval.approve',
  'reveal',
  'user.add',
  'user.roles',
  'user.end',
  'user.token',
  'user.link',
  'user.password',
];

/** Whether one of the roles may carry out the act. */
export function mayAct(roles: readonly Role[], act: PersonAct): boolean {
  const may: readonly Role[] = MAY[act];
  return roles.some((role) => may.includes(role));
}
