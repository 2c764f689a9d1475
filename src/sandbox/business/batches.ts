import type { Money } from '../world/money.ts';
import { recordKey, scopeKey } from '../world/records.ts';
import type { Member } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { balance, type Holder, post } from './ledger.ts';

const DAY_MS = 86_400_000;

/**
 * Notes that the next settlement batch pays this movement of the balance, just posted, to the bank, or nets it. Does
 * nothing while `settlementBatches` is off: what moved then stays in the balance. Wallets are not settled to the bank.
 */
export function awaitBatch(world: World, holder: Holder, moved: Omit<Member, 'at' | 'dueMs'>): void {
  if (world.settings.settlementBatches === 'off') return;
  const at = world.state.books.entries.at(-1)?.at ?? '';
  const dueMs = nextCutOffMs(world) + world.settings.settlementBatchDays * DAY_MS;
  wait(world, holder, { ...moved, at, dueMs });
}

/**
 * Runs a `pay_batch` job: pays what is due to the bank as one batch. Debits are netted first, then credits are paid,
 * oldest first, as far as the available balance covers them; the others wait for the next day's batch, and so does all of
 * it when nothing would be left to pay.
 */
export function payBatch(world: World, holder: Holder): void {
  const { books } = world.state;
  const key = recordKey(holder, holder.currency);
  const waiting = books.unbatched.get(key) ?? [];
  // oldest first: what waited for a second batch stands behind later movements
  const due = waiting.filter(({ dueMs }) => dueMs <= world.clock.now()).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const { members, amount } = covered(due, balance(world, holder, 'available'));
  if (members.length > 0) {
    const id = world.nextId('STL').toUpperCase();
    const facts = { type: 'settlement', reason: 'settlement to the bank', reference: id } as const;
    post(world, holder, { from: 'available', to: 'bank', amount, ...facts });
    const at = books.entries.at(-1)?.at ?? '';
    books.batches.set(id, { id, scope: scopeKey(holder), currency: holder.currency, at, amount, members });
  }
  const paid = new Set(members);
  const later = waiting.filter(({ dueMs }) => dueMs > world.clock.now());
  books.unbatched.set(key, later);
  for (const member of due)
    if (!paid.has(member)) wait(world, holder, { ...member, dueMs: world.clock.now() + DAY_MS });
}

/** The members that one batch can pay from `available`, oldest first, and their sum; none when it is not above zero. */
function covered(due: readonly Member[], available: Money): { members: Member[]; amount: Money } {
  let amount = due.reduce((sum, { net }) => (net < 0n ? sum + net : sum), 0n);
  const members = due.filter(({ net }) => {
    if (net < 0n) return true;
    if (amount + net > available) return false;
    amount += net;
    return true;
  });
  return amount > 0n ? { members, amount } : { members: [], amount: 0n };
}

/** Adds a waiting movement, and schedules its batch unless another one that is due then has done so. */
function wait(world: World, holder: Holder, member: Member): void {
  const { unbatched } = world.state.books;
  const key = recordKey(holder, holder.currency);
  const waiting = unbatched.get(key) ?? [];
  unbatched.set(key, waiting);
  const scheduled = waiting.findLast(({ dueMs }) => dueMs === member.dueMs) !== undefined;
  waiting.push(member);
  if (scheduled) return;
  const { merchantId, environment, currency } = holder;
  world.clock.schedule(member.dueMs - world.clock.now(), 'pay_batch', { merchantId, environment, currency });
}

/** The end of the business day of now, after now. */
function nextCutOffMs(world: World): number {
  const [hours = 0, minutes = 0] = world.settings.settlementCutOff.split(':').map(Number);
  const offsetMs = (hours * 60 + minutes) * 60_000;
  const now = world.clock.now();
  return Math.floor((now - offsetMs) / DAY_MS) * DAY_MS + offsetMs + DAY_MS;
}
