import type { Forwarded } from '../forward/forwarder.ts';
import type { Delivery, Kept, Refusal } from '../store/inbox.ts';

/** Follows what happens in this process, for a person who watches it (`tallyhook listen`). No method may throw. */
export interface Watcher {
  /** A delivery that was answered 200 is carried out. */
  readonly kept: (delivery: Delivery, kept: Kept) => void;
  /** A request was refused: its signature, its method, its size. */
  readonly refused: (refusal: Refusal) => void;
  /** An attempt to hand news on has ended. */
  readonly forwarded: (forwarded: Forwarded) => void;
}
