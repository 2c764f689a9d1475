import { TallyhookError } from '../domain/error.ts';
import { samePerson } from '../domain/persons/person.ts';
import type { AskedOrder, KnownRequest } from '../store/approvals.ts';
import type { Operations } from '../store/operations.ts';

/** What a person can do with a request that another one approved: exactly its rows. */
export type ApprovedOperations = Pick<Operations, 'outbox' | 'statements' | 'periods' | 'users' | 'access'>;

/** Events of one transaction of a replay. */
const EVENTS_AT_ONCE = 100;
/** Pieces of one statement that is removed: more than a statement of ten million lines has. */
const MOST_PIECES = 100_000;

/**
 * Carries out an approved request, as the person whose operations these are; what was cut off goes on. Returns how many rows there were.
 *
 * @throws StoreError `not_approved` when it was not approved, has expired or is done; TallyhookError when the act itself is refused
 */
export async function carryOut(request: KnownRequest, operations: ApprovedOperations, by: string): Promise<number> {
  const { id, state, askedBy } = request;
  if (state !== 'approved' && state !== 'used') throw notYours(`Request ${id} is ${state}: nothing was done.`);
  if (!samePerson(askedBy, by)) throw notYours(`${askedBy} asked for request ${id}, and carries it out.`);
  // Shown where it stands, once: used up here, it would be shown nowhere.
  if (request.asked.act === 'reveal') throw notYours('Open what you asked to see, and show it there.');
  await carryOutOrder(request.asked, operations, by);
  return request.rows;
}

async function carryOutOrder({ act, order }: AskedOrder, operations: ApprovedOperations, by: string): Promise<void> {
  const { outbox, statements, periods, users, access } = operations;
  if (act === 'replay') return replay(order, outbox, by);
  if (act === 'outbox.drop') {
    await outbox.drop({ rows: { webhookIds: order.webhookIds }, dryRun: false, by });
    return;
  }
  if (act === 'target.enable') return expectDone(await outbox.enable({ ...order, by }), 'The target is gone.');
  if (act === 'statement.remove') return removeStatement(order.statement, statements, by);
  if (act === 'reveal') return access.reveal({ ...order, by });
  if (act === 'user.link') return expectDone(await access.giveLink({ ...order, by }), 'The user is gone.');
  const result =
    act === 'period.reopen'
      ? await periods.reopen({ ...order, by })
      : act === 'user.add'
        ? await users.add({ ...order, by })
        : act === 'user.roles'
          ? await users.setRoles({ ...order, by })
          : act === 'user.end'
            ? await users.end({ ...order, by })
            : await users.setToken({ ...order, by });
  if (result.outcome === 'refused')
    throw new TallyhookError(result.message, { kind: 'failed', ...(result.hint !== null && { hint: result.hint }) });
}

async function replay(
  { target, eventIds }: { readonly target: string; readonly eventIds: readonly number[] },
  outbox: ApprovedOperations['outbox'],
  by: string,
): Promise<void> {
  let number: number | null = null;
  for (let from = 0; from < eventIds.length; from += EVENTS_AT_ONCE) {
    const some = eventIds.slice(from, from + EVENTS_AT_ONCE);
    number = (await outbox.replay({ target, replay: number, eventIds: some, dryRun: false, by })).replay;
  }
}

async function removeStatement(
  statement: number,
  statements: ApprovedOperations['statements'],
  by: string,
): Promise<void> {
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const removed = await statements.remove({ statement, by });
    if (removed === null) return expectDone(piece > 0, `Statement ${statement} was removed before.`);
    if (removed.done) return;
  }
}

function notYours(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'failed', hint: 'See: tallyhook approvals list' });
}

function expectDone(isDone: boolean, message: string): void {
  if (!isDone) throw new TallyhookError(message, { kind: 'failed', hint: 'See: tallyhook approvals list' });
}
