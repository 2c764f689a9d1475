import { wholeNextStep } from '../../src/domain/exceptions/same-difference.ts';
import { breakSubject, placedNextStep, progressText, resolutionText } from '../../src/reconcile/exceptions/words.ts';
import { breakName } from '../../src/reconcile/report/words.ts';
import type { Exception } from '../../src/store/exceptions.ts';
import { printFacts, printTitle } from './output.ts';
import { time } from './text.ts';

// One exception, for a person.

export function printException(one: Exception): void {
  printTitle(`exception ${one.id}  ${breakName(one)} of ${breakSubject(one)?.replaceAll('\n', '\ufffd')}`);
  const money = (value: string | null) => (value === null ? null : [value, one.currency].filter(Boolean).join(' '));
  const optional = (name: string, value: string | null) => (value === null ? [] : [[name, value] as const]);
  printFacts([
    ['status', `${progressText(one)} (version ${one.version})`],
    ...optional('assignee', one.assignee),
    ...optional('resolution', resolutionText(one, time)),
    ...optional('comment', one.comment),
    ['environment', one.environment],
    ['leg', one.leg],
    ['account', one.account],
    ['date', one.date],
    ['field', one.field],
    ['ours', one.ours],
    ['theirs', one.theirs],
    ['variance', money(one.variance)],
    ['effect', money(one.effect)],
    ['since', one.firstSeen],
    ['why', one.reason],
    ['next step', placedNextStep(wholeNextStep(one), one)],
    ...(one.candidates.length === 0 ? [] : [['candidates', one.candidates.join('; ')] as const]),
    ['found by', `run ${one.firstRun}, last by run ${one.lastRun}`],
  ]);
}
