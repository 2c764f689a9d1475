import type { AlertMessage } from './message.ts';

/** Sends one notice. Rejects with an Error whose message names no address, password or token. */
export type SendNotice = (message: AlertMessage, signal: AbortSignal) => Promise<void>;

/** Longest time for one notice, in milliseconds. */
export const SEND_TIMEOUT_MS = 15_000;
