import { TALLYHOOK } from '../audit/entry.ts';
import { samePerson } from '../persons/person.ts';
import { MAY, mayAct, NEEDS_FRESH, type PersonAct, type Role } from './roles.ts';
import { isFresh, type LoginWay, type SessionTimes, sessionState } from './session.ts';

/** What comes with a call to prove whose acts these are: a token of the command line, or a session of the dashboard. Its digest alone. */
export interface Credential {
  readonly kind: 'token' | 'session';
  readonly digest: string;
}

/** A person who may act. */
export interface User {
  readonly name: string;
  readonly roles: readonly Role[];
}

/** The credential that came with an act, as the books know it. */
export type KnownCredential = User &
  (
    | { readonly kind: 'token'; readonly madeAtMs: number; readonly endsAtMs: number }
    | ({ readonly kind: 'session'; readonly way: LoginWay } & SessionTimes)
  );

/** What the books know when a person acts. */
export interface ProofFacts {
  /** False: no user was ever added, and each name is taken as stated. */
  readonly hasUsers: boolean;
  /** `none`: the act came without one; `unknown`: the books have none like it, or it was ended, or its user. */
  readonly credential: KnownCredential | 'none' | 'unknown';
  readonly nowMs: number;
}

export interface ProofRefusal {
  readonly fault: 'not_proven' | 'not_allowed' | 'not_fresh';
  readonly message: string;
  readonly hint: string;
}

/** Why `who` may not carry out `act`; null: they may. */
export function proofRefusal(who: string, act: PersonAct, facts: ProofFacts): ProofRefusal | null {
  const { hasUsers, credential, nowMs } = facts;
  if (who === TALLYHOOK || !hasUsers) return null;
  if (credential === 'none') return notProven(`${who} has to prove who it is: no token was given.`, GIVE);
  if (credential === 'unknown') return notProven('The token or session is not known, or was ended.', ANOTHER);
  const { name, roles } = credential;
  if (credential.kind === 'token' && credential.endsAtMs <= nowMs)
    return notProven(`The token of ${name} ended at ${new Date(credential.endsAtMs).toISOString()}.`, ANOTHER);
  if (credential.kind === 'session' && sessionState(credential, nowMs) !== 'live')
    return notProven(`The session of ${name} has ended.`, 'Log in again.');
  if (!samePerson(name, who))
    return notProven(
      `The ${credential.kind} is of ${name}, not of ${who}.`,
      'Leave --as away, or give the token of that person.',
    );
  if (!mayAct(roles, act))
    return {
      fault: 'not_allowed',
      message: `${name} (${roles.join(', ')}) may not do this: ${act} needs ${MAY[act].join(' or ')}.`,
      hint: 'Who has the role does it; an admin changes roles: tallyhook users roles NAME --role ROLE',
    };
  if (credential.kind === 'token' || !NEEDS_FRESH.includes(act) || isFresh(credential, nowMs)) return null;
  return {
    fault: 'not_fresh',
    message: `${name} has to prove once more who it is: the last proof is older than ten minutes.`,
    hint: 'Give your password and code again, and repeat it.',
  };
}

const GIVE = 'Give the token in TALLYHOOK_TOKEN. An admin makes one: tallyhook users token NAME';
const ANOTHER = 'Log in again, or an admin makes another token: tallyhook users token NAME';

function notProven(message: string, hint: string): ProofRefusal {
  return { fault: 'not_proven', message, hint };
}
