import type { Environment } from './records.ts';

/** A change of one record to report to the merchant: event name, record, and the webhook body before encoding. */
export interface Announcement {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly event: string;
  readonly reference: string;
  readonly updatedAt: string;
  readonly previousUpdatedAt: string | null;
  readonly body: Record<string, unknown>;
}

export const WEBHOOK_STATES = ['queued', 'held', 'delivered', 'exhausted', 'dropped', 'no_url'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** One row of the delivery log. */
export interface Webhook {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly event: string;
  readonly reference: string;
  readonly body: string;
  readonly createdAt: string;
  state: WebhookState;
  readonly attempts: Attempt[];
  /** The first `attempts` attempts are signed with this key instead of the current one. */
  readonly wrongKey: { readonly key: 'old' | 'other_environment'; readonly attempts: number } | null;
  /** The body is altered after signing. */
  readonly corrupt: boolean;
  readonly copy: 'duplicate' | 'variant' | null;
  readonly faults: readonly string[];
  /** From this sandbox time (ms since 1970) on, a held webhook leaves after the next webhook of its scope. */
  readonly heldUntilMs: number;
}

export interface Attempt {
  readonly at: string;
  readonly httpStatus: number | null;
  /** Why there was no answer: refused, timed out, cut; null when there was one. */
  readonly error: string | null;
}

/** The webhook queue as the other rooms use it; `WebhookQueue` implements it. */
export interface Webhooks {
  announce(announcement: Announcement): void;
  /** Runs a `deliver` job. */
  deliver(id: string): void;
  redeliver(webhook: Webhook): void;
  /** Queues the webhooks of a restored state that are neither sent nor scheduled. */
  resume(): void;
  /** Resolves when no webhook is being sent. */
  drained(): Promise<void>;
  /** Empties the queue (reset, restore); the outcome of a request already sent is discarded. */
  forget(): void;
  close(): void;
}
