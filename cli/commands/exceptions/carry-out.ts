import type { ErrorKind } from '../../../src/domain/error.ts';
import { RefusedActError } from '../../../src/domain/persons/refused-act.ts';
import { printableLine } from '../../../src/domain/text/printable.ts';
import { actOnExceptions } from '../../../src/reconcile/exceptions/act.ts';
import { queueDay } from '../../../src/reconcile/exceptions/queue.ts';
import { progressText } from '../../../src/reconcile/exceptions/words.ts';
import type { ActRefusal, Exception, ExceptionAct } from '../../../src/store/exceptions.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { exceptionJson } from '../../show/exception.ts';
import { answeredNo, note, print, printJson } from '../../show/output.ts';
import { isoTime, withTimes } from '../../show/text.ts';
import { printWaiting } from '../../show/waiting.ts';

interface ActArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}

const KINDS = {
  unknown_id: 'not_found',
  stale: 'failed',
  state: 'failed',
  person: 'failed',
  period_closed: 'failed',
  missing: 'usage',
  unknown_word: 'usage',
} as const satisfies Record<ActRefusal, ErrorKind>;

/**
 * Carries out one act on each of the exceptions, and prints what came of it: exit code 1 when one is refused. A single one that is
 * refused is an error.
 *
 * @throws TallyhookError
 */
export async function carryOut(acts: readonly ExceptionAct[], argv: ActArguments): Promise<void> {
  const config = await configFrom(argv);
  const day = await queueDay(config, systemClock.nowMs());
  const { exceptions, close } = await operationsOf(config);
  const { reasons } = config.exceptions;
  const order = { acts, reasons, accountSets: Object.values(config.periods.sets) };
  const results = await actOnExceptions(order, exceptions).finally(close);
  const refused = results.filter((one) => one.outcome === 'refused');
  const [first] = refused;
  if (first !== undefined && (results.length === 1 || refused.every(({ reason }) => KINDS[reason] === 'usage'))) {
    const { reason, message, hint } = first;
    throw new RefusedActError(message, { kind: KINDS[reason], reason, hint });
  }
  const done = results.filter((one) => one.outcome === 'done');
  if (argv.json) {
    printJson({
      exceptions: done.map(({ exception }) => exceptionJson(exception, day)),
      refused: refused.map(({ id, reason, who, atMs, message }) => ({ id, reason, who, at: isoTime(atMs), message })),
    });
  } else {
    for (const { exception } of done)
      print(printableLine(`${exception.id} is ${progressText(exception)} (version ${exception.version}).`));
    printWaiting(waitingOf(acts, done));
    for (const { message, hint } of refused)
      note(printableLine(withTimes(hint === null ? message : `${message} ${hint}`)));
  }
  if (refused.length > 0) answeredNo();
}

/** Those that these acts resolved, and that need a second person. */
function waitingOf(
  acts: readonly ExceptionAct[],
  done: readonly { readonly id: string; readonly exception: Exception }[],
): string[] {
  const resolved = new Set(acts.filter(({ act }) => act === 'resolve').map(({ id }) => id));
  return done.flatMap(({ id, exception }) => (resolved.has(id) && exception.approval?.state === 'needed' ? [id] : []));
}
