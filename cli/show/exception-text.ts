import { exceptionFacts } from '../../src/lists/breaks.ts';
import type { QueueDay } from '../../src/reconcile/exceptions/queue.ts';
import { breakSubject, nextStepNow } from '../../src/reconcile/exceptions/words.ts';
import { breakName } from '../../src/reconcile/report/words.ts';
import type { Exception } from '../../src/store/exceptions.ts';
import { terminalFacts } from './list-columns.ts';
import { printFacts, printTitle } from './output.ts';
import { time } from './text.ts';

// One exception, for a person.

export function printException(one: Exception, day: QueueDay): void {
  printTitle(`exception ${one.id}  ${breakName(one)} of ${breakSubject(one)?.replaceAll('\n', '\ufffd')}`);
  const money = (value: string | null) => (value === null ? null : [value, one.currency].filter(Boolean).join(' '));
  printFacts([
    ...terminalFacts(exceptionFacts(day, time), one),
    ['field', one.field],
    ['ours', one.ours],
    ['theirs', one.theirs],
    ['variance', money(one.variance)],
    ['effect', money(one.effect)],
    ['why', one.reason],
    ['next step', nextStepNow(one)],
    ...(one.candidates.length === 0 ? [] : [['candidates', one.candidates.join('; ')] as const]),
  ]);
}
