import type { ActName } from '../audit/acts.ts';
import { TALLYHOOK } from '../audit/entry.ts';
import { samePerson } from '../persons/person.ts';
import { MAY, mayAct, type Role } from './roles.ts';

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

/** The token that came with an act, as the books know it. */
export interface KnownToken extends User {
  readonly endsAtMs: number;
}

/** What the books know when a person acts. */
export interface ProofFacts {
  /** False: nobody was ever added, and each name is taken as stated. */
  readonly hasUsers: boolean;
  /** `none`: the act came without one; `unknown`: the books have none like it, or it was ended, or its user. */
  readonly token: KnownToken | 'none' | 'unknown';
  readonly nowMs: number;
}

export interface ProofRefusal {
  readonly fault: 'not_proven' | 'not_allowed';
  readonly message: string;
  readonly hint: string;
}

/** Why `who` may not carry out `act`; null: they may. */
export function proofRefusal(who: string, act: ActName, { hasUsers, token, nowMs }: ProofFacts): ProofRefusal | null {
  if (who === TALLYHOOK || !hasUsers) return null;
  if (token === 'none') return notProven(`${who} has to prove who it is: no token was given.`, GIVE);
  if (token === 'unknown') return notProven('The token is not known, or was ended.', ANOTHER);
  if (token.endsAtMs <= nowMs)
    return notProven(`The token of ${token.name} ended at ${new Date(token.endsAtMs).toISOString()}.`, ANOTHER);
  if (!samePerson(token.name, who))
    return notProven(
      `The token is of ${token.name}, not of ${who}.`,
      'Leave --as away, or give the token of that person.',
    );
  if (mayAct(token.roles, act)) return null;
  return {
    fault: 'not_allowed',
    message: `${token.name} (${token.roles.join(', ')}) may not do this: ${act} needs ${MAY[act].join(' or ')}.`,
    hint: 'Who has the role does it; an admin changes roles: tallyhook users roles NAME --role ROLE',
  };
}

const GIVE = 'Give the token in TALLYHOOK_TOKEN. An admin makes one: tallyhook users token NAME';
const ANOTHER = 'An admin makes another one: tallyhook users token NAME';

function notProven(message: string, hint: string): ProofRefusal {
  return { fault: 'not_proven', message, hint };
}
