import { ATTACKS, type AttackName, type AttackSize } from './attacks.ts';
import type { Tally, Target } from './sockets.ts';

/** What the parent of an attacking process sends it, once. */
export interface AttackOrder extends AttackSize {
  readonly attack: AttackName;
  readonly target: Target;
}

const tally: Tally = { opened: 0, open: 0, sentBytes: 0, answers: {} };
process.on('message', ({ attack, target, ...size }: AttackOrder) => {
  ATTACKS[attack](target, size, tally);
  setInterval(() => process.connected && process.send?.(tally), 50);
});
process.on('disconnect', () => process.exit());
