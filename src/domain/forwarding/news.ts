import type { Environment } from '../environment.ts';
import type { RECORD_FIELDS } from '../events/stated.ts';
import type { FindingCode } from '../findings/finding.ts';
import type { LIFECYCLES, RecordKind } from '../records/lifecycle.ts';
import type { ServiceTime } from '../records/service-times.ts';
import type { MONEY_FIELDS } from '../records/witness-money.ts';

/*
 * News as an application parses it, from a request or in `onConfirmed`. Members may be added; none is taken away or changes its
 * meaning (docs/forwarding.md). The service may add statuses, which are in no type here: give each `switch` a default.
 */

/** Every piece of news. `kind` tells the fields of `data`, `type` the status; `n` is null unless a status was confirmed. */
export type News = ConfirmedNews | ReceivedNews | TestNews;

/** The service confirmed another status of a record. */
export type ConfirmedNews = ConfirmedNewsOf<'refund'> | ConfirmedNewsOf<'payout'> | ConfirmedNewsOf<'collection'>;

/** The same for one kind: one member for each status. */
export type ConfirmedNewsOf<Kind extends RecordKind> = {
  [Status in KnownStatus<Kind>]: AnyNews & {
    readonly type: `${Kind}.${Status}`;
    readonly kind: Kind;
    readonly confirmed: Status;
    readonly confirmedAt: string;
    readonly data: NewsData<Kind>;
    /** Rises with each move of the record. */
    readonly n: number;
  };
}[KnownStatus<Kind>];

/** An event was received and carried out: what a webhook reported, which nothing has confirmed by itself. */
export type ReceivedNews =
  | ReceivedOf<'refund'>
  | ReceivedOf<'payout'>
  | ReceivedOf<'collection'>
  | ReceivedOf<'unknown'>;

type ReceivedOf<Kind extends RecordKind | 'unknown'> = AnyNews & {
  /** The event's own name. */
  readonly type: string;
  readonly kind: Kind;
  readonly confirmed: string | null;
  readonly confirmedAt: string | null;
  /** Null for an event that makes no record. */
  readonly data: Kind extends RecordKind ? NewsData<Kind> | null : null;
  readonly n: null;
  /** The event's `updated_at`, as in its key. */
  readonly updatedAt: string;
};

/** What `tallyhook forward test` sends. */
export type TestNews = AnyNews & {
  readonly type: 'tallyhook.test';
  readonly kind: 'unknown';
  readonly confirmed: null;
  readonly confirmedAt: null;
  readonly data: null;
  readonly n: null;
};

/** What all news has. */
interface AnyNews {
  /** The webhook-id. */
  readonly id: string;
  readonly environment: Environment;
  readonly reference: string;
  /** The status by webhooks, when the body was built. */
  readonly reported: string | null;
  /** The confirmed status just before this move; of a received event the reported one before it. */
  readonly previous: string | null;
  /** Codes of the open findings, sorted. */
  readonly findings: readonly FindingCode[];
  /** Ids of earlier news that this one replaces. */
  readonly supersedes: readonly string[];
  /** Ids of earlier news that was given up or dropped. */
  readonly missing: readonly string[];
  /** A person replayed it: do it again, idempotently, when `n` is the last that you took. */
  readonly replayed: boolean;
  /** With `includeBody` only: the bytes of the event in base64; null without one. */
  readonly body?: string | null;
}

/** The statuses of the interface. */
export type KnownStatus<Kind extends RecordKind> = (typeof LIFECYCLES)[Kind]['ranks'][number][number];

/** The facts of a record, as `refunds|payouts|collections show --json --reveal` prints them; amounts are decimal text. */
export type NewsData<Kind extends RecordKind = RecordKind> = Kind extends RecordKind
  ? {
      readonly facts: Texts<keyof (typeof RECORD_FIELDS)[Kind]['facts']>;
      readonly details: Texts<keyof (typeof RECORD_FIELDS)[Kind]['details']>;
      readonly amount: {
        readonly amount: string | null;
        readonly currency: string | null;
        readonly by: 'service' | 'agreed' | null;
        readonly disputed: boolean;
      };
      readonly money: Readonly<Record<'reported' | 'confirmed', Texts<(typeof MONEY_FIELDS)[Kind][number]>>>;
      readonly fee: string | null;
      readonly times: { readonly [Name in keyof (typeof RECORD_FIELDS)[Kind]['times']]: ServiceTime | null };
    }
  : never;

type Texts<Name extends PropertyKey> = Readonly<Record<Name, string | null>>;
