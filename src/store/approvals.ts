import type { ApprovalRefusal, ApprovalRules, ApprovalState, AskedRow, GuardedAct } from '../domain/access/approval.ts';
import type { Role } from '../domain/access/roles.ts';
import type { PeriodActOrder } from './periods.ts';
import type { Count, Page } from './records.ts';
import type { NewLink, NewToken, RolesOrder } from './users.ts';

/** Rows of one request at most: what two persons can still look through, and one transaction compares. */
export const MOST_ASKED_ROWS = 2_000;

/** What a request asks for, by act: the order that the act is carried out with. It names rows, and holds no filter. */
export type AskedOrder =
  | { readonly act: 'replay'; readonly order: { readonly target: string; readonly eventIds: readonly number[] } }
  | { readonly act: 'outbox.drop'; readonly order: { readonly webhookIds: readonly string[] } }
  | { readonly act: 'target.enable'; readonly order: { readonly target: string } }
  | { readonly act: 'statement.remove'; readonly order: { readonly statement: number } }
  | { readonly act: 'period.reopen'; readonly order: Omit<PeriodActOrder, 'by'> & { readonly reason: string } }
  | { readonly act: 'reveal'; readonly order: { readonly rows: readonly string[] } }
  | { readonly act: 'user.add'; readonly order: AskedUser & { readonly roles: readonly Role[] } & AskedKeys }
  | { readonly act: 'user.roles'; readonly order: Omit<RolesOrder, 'by'> }
  | { readonly act: 'user.token'; readonly order: AskedUser & { readonly token: NewToken } }
  | { readonly act: 'user.link'; readonly order: AskedUser & { readonly link: NewLink } }
  | { readonly act: 'user.end'; readonly order: AskedUser };

interface AskedUser {
  readonly name: string;
}

interface AskedKeys {
  readonly token: NewToken;
  readonly link?: NewLink;
}

/** A request as it stands. */
export interface KnownRequest {
  readonly id: number;
  readonly asked: AskedOrder;
  readonly digest: string;
  readonly rows: number;
  readonly rowsUsed: number;
  readonly reason: string;
  readonly state: ApprovalState;
  readonly askedBy: string;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  /** By whom and when it was approved or refused; null before. */
  readonly decidedBy: string | null;
  readonly decidedAtMs: number | null;
  /** Why it was refused. */
  readonly answer: string | null;
}

/** One row that a request is about; `usedAtMs` null: it was not carried out so far. */
export type RequestRow = AskedRow & { readonly usedAtMs: number | null };

export type RequestResult =
  | { readonly outcome: 'done'; readonly request: KnownRequest }
  | ({ readonly outcome: 'refused' } & ApprovalRefusal);

/** What a person says about a request. `digest`: that of the rows which this person has seen; another one is refused. */
export interface DecideOrder {
  readonly id: number;
  readonly by: string;
  readonly digest?: string;
}

/** One group of the operations: who asks for what needs a second person, and who says yes. Each is entered in the audit. */
export interface Approvals {
  /** Takes over the configuration; a change is entered. */
  readonly plan: (plan: { readonly rules: ApprovalRules }) => Promise<void>;
  readonly ask: (order: AskedOrder & { readonly by: string; readonly reason: string }) => Promise<RequestResult>;
  /** Lets the one who asked carry out exactly the rows of the request. Refused for the one who asked. */
  readonly approve: (order: DecideOrder) => Promise<RequestResult>;
  /** Also by the one who asked, who takes it back. */
  readonly refuse: (order: DecideOrder & { readonly answer: string | null }) => Promise<RequestResult>;
}

export interface RequestFilter {
  readonly states?: readonly ApprovalState[];
  readonly acts?: readonly GuardedAct[];
  /** Only those that can still be decided about, or carried out. */
  readonly isOpen?: boolean;
}

/** The read side; part of `Archive`. */
export interface ApprovalArchive {
  readonly approvalRules: () => Promise<ApprovalRules>;
  readonly approvals: (filter: RequestFilter, page: Page) => Promise<KnownRequest[]>;
  readonly countApprovals: (filter: RequestFilter) => Promise<Count>;
  readonly approval: (id: number) => Promise<KnownRequest | null>;
  /** The rows of a request, in the order of their keys. */
  readonly approvalRows: (id: number) => Promise<RequestRow[]>;
}
