import type { Credential, ProofFacts } from '../domain/access/proof.ts';
import type { Role } from '../domain/access/roles.ts';
import type { LoginWay, SessionLengths, SessionTimes } from '../domain/access/session.ts';
import type { NewLink } from './users.ts';

/*
 * The part of the port for logins and sessions. What a person types is compared before, in the caller's thread: no password and no open secret of
 * codes is in an order. A write compares again what may have changed meanwhile, and takes what is good once.
 */

/** What a user may log in with. */
export const CREDENTIAL_KINDS = ['password', 'totp', 'recovery', 'link', 'oidc'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A session, as its owner and admins see it. */
export interface KnownSession extends SessionTimes {
  readonly id: number;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly way: LoginWay;
  /** Where it was begun; null: not known. */
  readonly address: string | null;
  readonly agent: string | null;
}

/** What a login is compared with. */
export interface KnownLogin {
  readonly name: string;
  readonly password: { readonly id: number; readonly hash: string } | null;
  readonly totp: { readonly id: number; readonly sealed: string } | null;
  /** Digests of the codes that are left. */
  readonly recovery: readonly string[];
}

/** What was found right, by the numbers under which the books have it: another password set meanwhile is another number. */
export type LoginProof =
  | {
      readonly way: 'password';
      readonly passwordId: number;
      readonly totpId: number;
      /** Which code was given: good once. */
      readonly step: number;
    }
  | {
      readonly way: 'recovery';
      readonly passwordId: number;
      /** `recoveryDigest`: good once. */
      readonly digest: string;
    }
  /** `subject`: issuer and subject of a login elsewhere; it is bound to the user at the first login, and to no other. */
  | { readonly way: 'oidc'; readonly subject: string };

/** The session that a login begins. */
export interface NewSession {
  /** `sessionDigest` of a new id. */
  readonly digest: string;
  readonly lengths: SessionLengths;
  readonly address: string | null;
  readonly agent: string | null;
}

export const LOGIN_REFUSALS = [
  'unknown', // no such user, or ended
  'changed', // the password or the device was set anew meanwhile
  'used', // the code was given before
  'bound', // the login elsewhere is another user's, or the user has another one
] as const;
export type LoginRefusal = (typeof LOGIN_REFUSALS)[number];

export type LoginResult =
  | { readonly outcome: 'done'; readonly session: KnownSession }
  | { readonly outcome: 'refused'; readonly reason: LoginRefusal };

/** What a person sets by a link: everything with which it logs in from then on. */
export interface NewCredentials {
  /** `hashText` of the password. */
  readonly hash: string;
  /** The secret of codes, sealed; and the code that showed that the device has it. */
  readonly sealed: string;
  readonly step: number;
  readonly recovery: readonly string[];
}

/** What a logged-in person sets anew of what it logs in with; what is missing stays. */
export interface ChangedCredentials {
  /** `hashText` of another password. */
  readonly hash?: string;
  /** Another device: its secret of codes, sealed, and the code that it showed. */
  readonly device?: { readonly sealed: string; readonly step: number };
  /** Digests of recovery codes that take the place of all before. */
  readonly recovery?: readonly string[];
}

/** One group of the operations: logins and sessions. */
export interface Access {
  /** Counts an attempt at an account and from an address, before anything of it is compared; a fresh proof in a session has no address. */
  readonly attempt: (keys: {
    readonly account: string;
    readonly address: string | null;
  }) => Promise<{ readonly isAllowed: boolean; readonly untilMs: number }>;
  /** Begins a session and ends the `former` one of the browser; the attempts of the account begin anew. */
  readonly login: (order: {
    readonly name: string;
    readonly proof: LoginProof;
    readonly session: NewSession;
    readonly former: string | null;
    readonly attempt: { readonly account: string; readonly address: string };
  }) => Promise<LoginResult>;
  /** A fresh proof in a session, which goes on under a new id. */
  readonly prove: (order: {
    readonly session: string;
    readonly proof: LoginProof;
    /** `sessionDigest` of the id that takes the place. */
    readonly digest: string;
    /** By what it was counted: it begins anew. */
    readonly attempt: { readonly account: string };
  }) => Promise<LoginResult>;
  /**
   * Changes what the person of a session logs in with: a fresh proof is needed. Its other sessions end, and this one goes on under another id.
   * False: the session has ended, or the person has no password.
   */
  readonly change: (order: {
    readonly session: string;
    /** `sessionDigest` of the id that takes the place. */
    readonly digest: string;
    readonly credentials: ChangedCredentials;
  }) => Promise<boolean>;
  /** Notes that a session is used. False: there is none, or it has ended. */
  readonly touch: (order: { readonly digest: string }) => Promise<boolean>;
  readonly logout: (order: { readonly digest: string }) => Promise<void>;
  /** Ends sessions of a user, all or one; the own ones need no role. How many. */
  readonly endSessions: (order: {
    readonly name: string;
    readonly by: string;
    readonly session?: number;
  }) => Promise<{ readonly ended: number }>;
  /** Gives a user a link, in the place of the one before. */
  readonly giveLink: (order: {
    readonly name: string;
    readonly by: string;
    readonly link: NewLink;
  }) => Promise<boolean>;
  /** Takes the link, sets what the person logs in with, and ends all sessions. False: the link is used, ended or unknown. */
  readonly setUp: (order: { readonly link: string; readonly credentials: NewCredentials }) => Promise<boolean>;
  /** Enters that personal data is shown whole. */
  readonly reveal: (order: { readonly rows: readonly string[]; readonly by: string }) => Promise<void>;
}

/** Accounts and addresses whose attempts passed the limit lately. */
export interface RefusedLogins {
  readonly accounts: number;
  readonly addresses: number;
  readonly lastAtMs: number;
}

/** The read side; part of `Archive`. */
export interface AccessArchive {
  /** By the digest of its id, also one that is over; null: there is none. */
  readonly session: (digest: string) => Promise<KnownSession | null>;
  /** Of one user or of all, those used last first; only those that are not over. */
  readonly sessions: (name?: string) => Promise<KnownSession[]>;
  /** What the books know of a credential, for who asks before an act that the audit does not enter. */
  readonly proofFacts: (credential: Credential | null) => Promise<Omit<ProofFacts, 'nowMs'>>;
  readonly login: (name: string) => Promise<KnownLogin | null>;
  /** Whose link it is; null: used, ended or unknown. */
  readonly linkOwner: (digest: string) => Promise<string | null>;
  readonly refusedLogins: (sinceMs: number) => Promise<RefusedLogins | null>;
}
