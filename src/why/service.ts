import { OUTCOME_TEXT } from '../confirm/outcome-text.ts';
import { claimFacts, claimText, type Entry, iso, type Source, times } from './entry.ts';

// What the service said: rows of its list, answers to our questions, and questions that got none.

/** A row says what it said, but not when we read it: it stands at its own time, else where the record begins. */
export const listings: Source = ({ record, listing }, wording) => {
  const rows = record.observations.filter(({ witness }) => witness === 'list');
  const entries = rows.map(
    ({ claim }): Entry => ({
      atMs: claim.time === null ? record.firstSeenAtMs : Date.parse(claim.time),
      source: 'list',
      text: `The service's list has it: ${claimText(claim, wording)}.`,
      facts: claimFacts(claim),
    }),
  );
  if (listing === null) return entries;
  const { listedAtMs, absences, missedAtMs } = listing;
  const facts = { listedAt: iso(listedAtMs), absences };
  if (listedAtMs !== null) {
    const text = "It stood in the service's list, when a walk along it last saw it.";
    entries.push({ atMs: listedAtMs, source: 'list', text, facts });
  }
  if (absences > 0 && missedAtMs !== null) {
    const walks = absences === 1 ? 'A complete walk' : `${absences} complete walks on end`;
    const text = `${walks} along the service's list missed it. That alone proves nothing.`;
    entries.push({ atMs: missedAtMs, source: 'list', text, facts });
  }
  return entries;
};

export const answers: Source = ({ record }, wording) =>
  record.observations
    .filter(({ witness }) => witness === 'api')
    .map(({ claim, counter, answeredAtMs, digest }): Entry => {
      const said = claimText(claim, wording);
      return {
        atMs: answeredAtMs ?? record.firstSeenAtMs,
        source: 'answer',
        text: `We asked the service; it answered: ${said}.`,
        facts: { counter, ...claimFacts(claim), digest },
        repeats: said,
      };
    });

/** The latest question, when it got no usable answer or is still out; earlier ones like it are only counted. */
export const checks: Source = ({ record: { check, dueAtMs } }, { time, value }) => {
  if (check === null) return [];
  const { outcome, detail, outcomeAtMs, attempts, failures, startedAtMs, leasedUntilMs } = check;
  const facts = { outcome, detail: detail === null ? null : value('detail', detail), attempts, failures };
  const entries: Entry[] = [];
  if (outcome !== null && outcome !== 'answered') {
    const why = detail === null ? '' : ` (${value('detail', detail)})`;
    const vain = failures > 1 ? ` That was in vain ${times(failures)} on end.` : '';
    const text = `We asked: ${OUTCOME_TEXT[outcome]}${why}.${vain}`;
    entries.push({
      atMs: outcomeAtMs ?? startedAtMs,
      source: 'check',
      text,
      facts: { ...facts, dueAt: iso(dueAtMs) },
    });
  }
  if (leasedUntilMs !== null) {
    const text = `The service is being asked now; when nothing comes, it is asked again at ${time(leasedUntilMs)}.`;
    entries.push({ atMs: startedAtMs, source: 'check', text, facts: { leasedUntil: iso(leasedUntilMs), attempts } });
  }
  return entries;
};
