import type { Attachment, ExceptionState, NamedLine, ReasonRules, Resolution } from './words.ts';

/** How an exception stands when a person acts on it. */
export interface ActedException {
  readonly id: string;
  readonly version: number;
  readonly status: ExceptionState;
  readonly assignee: string | null;
  readonly comment: string | null;
  readonly currency: string | null;
  /** In minor units; null: more than 64 bits. */
  readonly value: bigint | null;
  readonly held: HeldResolution | null;
  readonly changedBy: string;
  readonly changedAtMs: number;
  /** The closed period that has it as it stands: that of its day, or a later one in which it was resolved; null: none has. */
  readonly closedIn: { readonly period: string; readonly by: 'day' | 'resolution' } | null;
  /** Resolved exceptions about the same amount: of a settlement statement and of the wallet. */
  readonly twins: readonly ResolvedTwin[];
}

export interface ResolvedTwin {
  readonly id: string;
  readonly resolution: Resolution;
  readonly by: string;
}

/** The resolution that holds. */
export interface HeldResolution {
  readonly resolution: Resolution;
  readonly reasonCode: string | null;
  readonly reference: string | null;
  readonly followUp: string | null;
  readonly by: string;
  readonly atMs: number;
  readonly approval: 'needed' | GivenApproval | null;
  readonly isPaid: boolean;
}

export interface GivenApproval {
  readonly who: string;
  readonly atMs: number;
}

/** What a person wants. */
export type Wanted =
  /** `to` null: takes it from its assignee. */
  | { readonly act: 'assign'; readonly to: string | null }
  | { readonly act: 'comment'; readonly text: string }
  | ({ readonly act: 'resolve' } & WantedResolution)
  | { readonly act: 'reopen'; readonly reason: string }
  | { readonly act: 'approve' }
  /**
   * One row of a spreadsheet: one act, one version. What is missing was not said; null clears. A comment that is the last one
   * already is not repeated. `followUp` alone moves that of a claim that holds.
   */
  | {
      readonly act: 'import';
      readonly resolve?: Pick<WantedResolution, 'resolution' | 'reasonCode' | 'reference' | 'followUp'>;
      readonly assignee?: string | null;
      readonly comment?: string | null;
      readonly followUp?: string | null;
    };

/** What a resolution says. */
export interface WantedResolution {
  readonly resolution: Resolution;
  /** May be null for `match` and `undo_match` alone. */
  readonly reasonCode: string | null;
  readonly reference: string | null;
  readonly comment: string | null;
  readonly followUp: string | null;
  readonly attachments: readonly Attachment[];
  /** Lines to match, or to take apart (none: all that are matched); of a claim, the one that paid it. */
  readonly lines: readonly NamedLine[];
}

/** What an act changes. */
export interface Change {
  readonly event: 'assign' | 'comment' | 'resolve' | 'match' | 'undo_match' | 'pay' | 'reopen' | 'approve' | 'import';
  readonly after: ExceptionState;
  readonly assignee: string | null;
  /** A comment to keep, or that the last one is taken back; null: neither. */
  readonly comment: { readonly text: string } | 'clear' | null;
  /** `keep`: what holds goes on; `drop`: nothing holds any more; `follow`: its follow-up moves; `match`: the matching is changed. */
  readonly resolution:
    | { readonly do: 'keep' }
    | { readonly do: 'drop' }
    | { readonly do: 'approve' }
    | { readonly do: 'follow'; readonly followUp: string | null }
    | { readonly do: 'pay'; readonly lines: readonly NamedLine[] }
    | (NewResolution & { readonly do: 'hold' })
    | (NewResolution & { readonly do: 'match' });
}

export interface NewResolution extends Omit<WantedResolution, 'comment'> {
  readonly approval: 'needed' | null;
}

export type Refusal = {
  readonly reason: 'unknown_word' | 'missing' | 'state' | 'person' | 'period_closed';
  readonly message: string;
  /** The next command; null: the message says it. */
  readonly hint: string | null;
};

export type Judged = { readonly change: Change } | { readonly refusal: Refusal };

export interface Actor {
  readonly by: string;
  /** Whether `by` may be the person of that name (hands); missing: only under the same name. */
  readonly mayBe?: (name: string) => boolean;
  readonly reasons: ReasonRules;
}
