import { compareTimes } from '../../time/timestamp.ts';
import { type Fields, showValue } from './fields.ts';
import type { KeyObservation, Observation } from './observation.ts';
import { PERSONAL_FIELDS } from './personal.ts';

const PERSONAL_DETAILS: ReadonlySet<string> = new Set(
  Object.values(PERSONAL_FIELDS).flatMap(({ details }): readonly string[] => details),
);

/** Returns what each event key states. */
export function observationsByKey(webhooks: readonly Observation[]): KeyObservation[] {
  const groups = new Map<string, Observation[]>();
  for (const one of webhooks) {
    const group = groups.get(one.eventKey);
    if (group) group.push(one);
    else groups.set(one.eventKey, [one]);
  }
  return [...groups.entries()].map(([eventKey, contents]) => keyObservation(eventKey, contents));
}

/** Returns what the contents of a key state together. decisions 20: contents that disagree state nothing; the order of arrival does not matter. */
export function keyObservation(eventKey: string, contents: readonly Observation[]): KeyObservation {
  const [first, another] = contents;
  // By far the most common: a single content.
  if (first !== undefined && another === undefined) {
    const { status, time, details } = first.stated;
    return { eventKey, contents, status, time, details };
  }
  const statuses = new Set(contents.map((one) => one.stated.status));
  const texts = new Set(contents.map((one) => decisiveText(one.stated.details)));
  const times = contents.map((one) => one.stated.time).sort(compareTimes);
  return {
    eventKey,
    contents,
    status: statuses.size === 1 ? (contents[0]?.stated.status ?? null) : null,
    time: times[0] ?? null,
    details: texts.size === 1 ? agreedDetails(contents) : null,
  };
}

/**
 * Returns the details of contents that agree in all but personal ones. Personal details that disagree become null, so
 * that pruning one content does not change the result.
 */
function agreedDetails(contents: readonly Observation[]): Fields | null {
  const [first, ...others] = contents.map((one) => one.stated.details);
  if (first === undefined) return null;
  const agreed = Object.entries(first).map(([name, value]) => {
    const shown = showValue(value);
    const disputed = PERSONAL_DETAILS.has(name) && others.some((other) => showValue(other[name] ?? null) !== shown);
    return [name, disputed ? null : value];
  });
  return Object.fromEntries(agreed);
}

/** Returns one text of the details that decide whether contents agree: all but personal ones, which may be pruned. */
function decisiveText(fields: Fields): string {
  return JSON.stringify(
    Object.keys(fields)
      .filter((name) => !PERSONAL_DETAILS.has(name))
      .sort()
      .map((name) => [name, showValue(fields[name] ?? null)]),
  );
}
