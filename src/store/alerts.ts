import type { AlertChange, AlertState, AlertTerms, Condition } from '../domain/alerts/alert.ts';
import type { BurstMark } from '../domain/alerts/alert-burst.ts';
import type { AlertCause, AlertChannel, Severity } from '../domain/alerts/alert-cause.ts';
import type { NoticeState } from '../domain/alerts/alert-notice.ts';
import type { Environment } from '../domain/environment.ts';
import type { RefusedLogins } from './access.ts';
import type { ByPerson } from './audit.ts';
import type { Count, Page } from './records.ts';

/*
 * The part of the port for alerts: what is not well, what was told of it, and what is still to be told. Times are milliseconds
 * since 1970, by the store's own clock.
 */

export interface Alert extends AlertState {
  readonly id: number;
  readonly severity: Severity;
}

/** How a cause is told. */
export interface CauseTerms extends AlertTerms {
  readonly severity: Severity;
  readonly channels: readonly AlertChannel[];
}

export interface Judgement {
  /** All conditions of the causes in `scope`; an open alert of these causes that is not here has recovered. */
  readonly conditions: readonly Condition[];
  /** The causes that were judged. The facts of the others could not be read, so their alerts stay as they are. */
  readonly scope: readonly AlertCause[];
  readonly terms: Readonly<Record<AlertCause, CauseTerms>>;
  readonly marks: Readonly<Record<string, BurstMark>>;
  /** Alerts as they were judged and told from memory, while this could not be written: they are taken over as they are. */
  readonly told?: readonly AlertState[];
}

/** What a judgement changed. */
export interface JudgedCounts {
  readonly opened: number;
  readonly again: number;
  readonly recovered: number;
  /** Alerts that are open now. */
  readonly open: number;
}

/** A notice to send, leased: only its attempt may end it. */
export interface LeasedNotice {
  readonly id: number;
  readonly attempt: number;
  readonly channel: AlertChannel;
  readonly change: AlertChange;
  /** As it stands now. */
  readonly alert: Alert;
}

export interface EndedNotice {
  readonly id: number;
  readonly attempt: number;
  /** Null: the channel took it. */
  readonly error: string | null;
}

export interface Alerts {
  /** Opens, repeats and closes alerts, and makes the notices of it, in one transaction. */
  readonly judge: (judgement: Judgement) => Promise<JudgedCounts>;
  /** Leases due notices for the channels of this process. A lease that is over is given again: a channel may get a notice twice. */
  readonly leaseNotices: (order: {
    readonly channels: readonly AlertChannel[];
    readonly limit: number;
    readonly leaseMs: number;
  }) => Promise<LeasedNotice[]>;
  /** False when another attempt has taken the notice over: nothing is written. */
  readonly finishNotice: (ended: EndedNotice) => Promise<boolean>;
  /** Makes no notice of an alert until then; null ends a silence. Returns the alert, or null when there is none. */
  readonly silence: (
    order: { readonly id: number; readonly untilMs: number | null } & ByPerson,
  ) => Promise<Alert | null>;
}

export interface AlertFilter {
  /** Also those that have recovered. */
  readonly closed: boolean;
  readonly causes?: readonly AlertCause[];
  readonly severities?: readonly Severity[];
}

export interface Notice {
  readonly id: number;
  readonly channel: AlertChannel;
  readonly change: AlertChange;
  readonly state: NoticeState;
  readonly madeAtMs: number;
  readonly attempts: number;
  readonly dueAtMs: number;
  readonly endedAtMs: number | null;
  readonly error: string | null;
}

export interface AlertDetail extends Alert {
  /** The newest first. */
  readonly notices: readonly Notice[];
}

/** Facts that only alerts need; `system` has the others. */
export interface Signals {
  /** Refused requests since ever, by reason. */
  readonly refused: readonly { readonly reason: string; readonly count: number; readonly lastAtMs: number }[];
  readonly quarantined: readonly {
    readonly environment: Environment;
    readonly events: number;
    readonly lastAtMs: number;
  }[];
  /** The key pairs that verified the latest 100 events; empty unless they were asked for. */
  readonly keysUsed: readonly { readonly keyId: string; readonly events: number; readonly lastAtMs: number }[];
  readonly marks: Readonly<Record<string, BurstMark>>;
  /** Accounts and addresses whose attempts to log in passed the limit; null: none. */
  readonly logins: RefusedLogins | null;
  /** Resets of users on the machine, without a proof; null: none. */
  readonly resets: { readonly count: number; readonly lastAtMs: number } | null;
}

export interface SignalQuery {
  /** Quarantined events, used keys of deliveries, refused logins and resets since then. */
  readonly sinceMs: number;
  /** Whether to read which key pairs are in use: only a rotation needs it. */
  readonly keys: boolean;
}

/** The read side; part of `Archive`. */
export interface AlertArchive {
  readonly alerts: (filter: AlertFilter, page: Page) => Promise<Alert[]>;
  readonly countAlerts: (filter: AlertFilter) => Promise<Count>;
  readonly alert: (id: number) => Promise<AlertDetail | null>;
  readonly signals: (query: SignalQuery) => Promise<Signals>;
}
