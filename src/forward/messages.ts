import type { OperationsChannel } from '../store/operations-channel.ts';
import type { Forwarded } from './forwarder.ts';
import type { HttpTarget } from './targets.ts';

/* Messages between the main thread and the forwarders' thread. Secrets travel as text: a Secret cannot be posted to a thread. */

/** The secrets of a target. */
export interface PlainSecrets {
  readonly name: string;
  readonly texts: readonly string[];
}

/** The worker data of the forwarders' thread. */
export interface ForwardData {
  readonly targets: readonly Omit<HttpTarget, 'secrets'>[];
  readonly secrets: readonly PlainSecrets[];
  readonly port: OperationsChannel;
}

export type ToForward =
  /** This process wrote rows. */
  | { readonly type: 'news' }
  | { readonly type: 'secrets'; readonly secrets: readonly PlainSecrets[] }
  /** End the attempts, write how they ended, and exit. */
  | { readonly type: 'stop'; readonly graceMs: number };

export type FromForward =
  | { readonly type: 'forwarded'; readonly forwarded: Forwarded }
  /** The store could not be reached; the thread goes on. */
  | { readonly type: 'fault'; readonly message: string; readonly hint: string | undefined };

export function plainSecrets(targets: readonly HttpTarget[]): PlainSecrets[] {
  return targets.map(({ name, secrets }) => ({ name, texts: secrets.map((secret) => secret.reveal()) }));
}
