import { OUTCOME_TEXT } from '../domain/checks/check.ts';
import { type Entry, iso, type Source, statedFacts, statedText } from './entry.ts';

// What the service answered: rows of its refund list, and status checks with and without a usable answer.

/** The time we read a row is not kept: its entry has the time in the row, else the time the record was first seen. */
export const listings: Source = ({ record, listing }, wording) => {
  const rows = record.observations.filter(({ witness }) => witness === 'list');
  const entries = rows.map(
    ({ stated }): Entry => ({
      atMs: stated.time === null ? record.firstSeenAtMs : Date.parse(stated.time),
      source: 'list',
      text: `In the service's refund list: ${statedText(stated, wording)}.`,
      facts: statedFacts(stated),
    }),
  );
  if (listing === null) return entries;
  const { listedAtMs, absences, missedAtMs } = listing;
  const facts = { listedAt: iso(listedAtMs), absences };
  if (listedAtMs !== null) {
    entries.push({ atMs: listedAtMs, source: 'list', text: "Last seen in the service's refund list.", facts });
  }
  if (absences > 0 && missedAtMs !== null) {
    const walks = absences === 1 ? 'a complete walk' : `${absences} complete walks in a row`;
    const text = `Not in the service's refund list, by ${walks}. That alone proves nothing.`;
    entries.push({ atMs: missedAtMs, source: 'list', text, facts });
  }
  return entries;
};

export const answers: Source = ({ record }, wording) =>
  record.observations
    .filter(({ witness }) => witness === 'api')
    .map(({ stated, counter, answeredAtMs, digest }): Entry => {
      const answer = statedText(stated, wording);
      return {
        atMs: answeredAtMs ?? record.firstSeenAtMs,
        source: 'answer',
        text: `Status check: the service answered ${answer}.`,
        facts: { counter, ...statedFacts(stated), digest },
        repeats: answer,
      };
    });

/** The latest check, when it got no usable answer or is under way; earlier ones like it are only counted. */
export const checks: Source = ({ record: { check, dueAtMs } }, { time, value }) => {
  if (check === null) return [];
  const { outcome, detail, outcomeAtMs, attempts, failures, startedAtMs, leasedUntilMs } = check;
  const facts = { outcome, detail: detail === null ? null : value('detail', detail), attempts, failures };
  const entries: Entry[] = [];
  if (outcome !== null && outcome !== 'answered') {
    const why = detail === null ? '' : ` (${value('detail', detail)})`;
    const inARow = failures > 1 ? ` ${failures} checks in a row gave no usable answer.` : '';
    const text = `Status check: ${OUTCOME_TEXT[outcome]}${why}.${inARow}`;
    entries.push({
      atMs: outcomeAtMs ?? startedAtMs,
      source: 'check',
      text,
      facts: { ...facts, dueAt: iso(dueAtMs) },
    });
  }
  if (leasedUntilMs !== null) {
    const text = `A status check is under way; without an answer, the next one may follow at ${time(leasedUntilMs)}.`;
    entries.push({ atMs: startedAtMs, source: 'check', text, facts: { leasedUntil: iso(leasedUntilMs), attempts } });
  }
  return entries;
};
