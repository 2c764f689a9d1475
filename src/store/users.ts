import type { Role } from '../domain/access/roles.ts';
import type { UserRefusal } from '../domain/access/user-acts.ts';

/** A person who may act, or might once. */
export interface KnownUser {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly addedAtMs: number;
  /** Null: may act. */
  readonly endedAtMs: number | null;
  /** When each token ends, the last one first. */
  readonly tokensUntilMs: readonly number[];
  /** Since when it logs in with a password; null: it has none. */
  readonly passwordSinceMs: number | null;
  readonly recoveryCodes: number;
  /** Until when its link is good; null: it has none. */
  readonly linkUntilMs: number | null;
  /** Whether a login elsewhere is bound to it. */
  readonly isBound: boolean;
}

/** A token as the books keep it. */
export interface NewToken {
  /** `tokenDigest` of it. */
  readonly digest: string;
  readonly endsAtMs: number;
}

/** A one-time link as the books keep it. It ends a day after it is given, which may be days after it was asked for. */
export interface NewLink {
  /** `linkDigest` of it. */
  readonly digest: string;
}

/** What a person says about a user. */
export interface UserOrder {
  readonly name: string;
  readonly by: string;
}

/** What a user is from now on. */
export interface RolesOrder extends UserOrder {
  readonly roles: readonly Role[];
  /** The roles that this person looked at: the user having others, it is refused. */
  readonly seen?: readonly Role[];
}

export type UserResult =
  | { readonly outcome: 'done'; readonly user: KnownUser }
  | ({ readonly outcome: 'refused' } & UserRefusal);

/**
 * One group of the operations: who may act. Each act is entered in the audit. From the first user on, every act of a person needs a token
 * of a user with a role that may (domain/access/proof).
 */
export interface Users {
  /** Adds a user, or one that was ended before, with a first token. */
  readonly add: (
    order: UserOrder & { readonly roles: readonly Role[]; readonly token: NewToken; readonly link?: NewLink },
  ) => Promise<UserResult>;
  /** Ends its sessions, too. */
  readonly setRoles: (order: RolesOrder) => Promise<UserResult>;
  /** Ends the user, its tokens, its sessions and what it logs in with; the name stays in what was done under it. */
  readonly end: (order: UserOrder) => Promise<UserResult>;
  /** Gives another token; null ends all that there are. */
  readonly setToken: (order: UserOrder & { readonly token: NewToken | null }) => Promise<UserResult>;
  /** Ends all tokens, sessions and what it logs in with, and gives a new token and link, without a proof: for who has lost theirs, on the machine itself. */
  readonly reset: (order: UserOrder & { readonly token: NewToken; readonly link?: NewLink }) => Promise<UserResult>;
}

/** The read side; part of `Archive`. */
export interface UserArchive {
  /** By name, those that were ended last. */
  readonly users: () => Promise<KnownUser[]>;
}
