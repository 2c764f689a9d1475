import { money } from '../domain/money/amount.ts';
import { breakName } from '../reconcile/report/words.ts';
import type { PastMatch, Reconciled, StoryDecision } from '../store/story.ts';
import { type Entry, type ReconciledSource, STORY_SOURCES, sumText } from './entry.ts';
import { exceptions } from './exceptions.ts';

// What statements say of a reference, and what runs of the reconciliation made of it.

export const statements: ReconciledSource = ({ reconciled }) =>
  reconciled.lines.map(({ account, statement, importedAtMs, line }): Entry => {
    const { row, date, type, typeText, currency, reference } = line;
    const amount = money(line.amount);
    const charges = (['fee', 'tax', 'duty'] as const).flatMap((name) => {
      const charged = line[name];
      return charged === null ? [] : [`${name} ${money(charged)}`];
    });
    const what = [`${type ?? typeText} ${sumText(amount, currency)}`, ...charges].join(', ');
    return {
      atMs: importedAtMs,
      source: 'statement',
      text: `Statement of ${account.name}, ${date}: ${what} (${place({ statement, row })}).`,
      facts: { statement, row, account: account.name, date, type, amount, currency, reference },
    };
  });

export const matches: ReconciledSource = ({ reconciled }) => [
  ...reconciled.matches.flatMap((match) => matchEntries(match, reconciled.matches)),
  ...reconciled.decisions.map(decisionEntry),
];

export const breaks: ReconciledSource = ({ reconciled }) =>
  reconciled.breaks.map((one): Entry => {
    const { id, run, foundAtMs, isCarried, code, sub, leg, effect, currency, reason, nextStep } = one;
    const name = breakName(one);
    const since = isCarried ? `, carried from before its days, since ${one.firstSeen}` : '';
    return {
      atMs: foundAtMs,
      source: 'break',
      text: `Break ${name} (${id}) of run ${run}${since}: ${reason}. Next step: ${nextStep}`,
      facts: { breakId: id, run, carried: isCarried, code, sub, leg, effect, currency, reason, nextStep },
    };
  });

/** The entries of what belongs to no record, in time order. Pure. */
export function reconciledEntries(reconciled: Reconciled): Entry[] {
  return [statements, matches, breaks, exceptions]
    .flatMap((source) => source({ reconciled }))
    .sort(
      (one, other) => one.atMs - other.atMs || STORY_SOURCES.indexOf(one.source) - STORY_SOURCES.indexOf(other.source),
    );
}

function matchEntries(match: PastMatch, all: readonly PastMatch[]): Entry[] {
  const { id, leg, pass, state, run, madeAtMs, ended } = match;
  const facts = { matchId: id, leg, pass, state, statement: match.statement, row: match.row };
  const how = pass === 'person' ? 'a person confirmed it' : `by ${pass}`;
  const before = all.find((one) => isReplaced(one, match));
  const instead = before === undefined ? '' : `, in place of match ${before.id}`;
  const text = {
    confirmed: `Run ${run} matched it with ${place(match)} (${leg}, ${how})${instead}.`,
    suggested: `Run ${run} suggests ${place(match)} (${leg}, ${how})${instead}: a person decides, with tallyhook matches confirm ${id}.`,
    claimed: `${place(match, 'R')} was taken for it by its key in run ${run}, and is not confirmed (${leg}, ${how})${instead}: a person decides, with tallyhook matches confirm ${id}.`,
  }[state];
  const made: Entry = { atMs: madeAtMs, source: 'match', text, facts: { ...facts, run, ended: false } };
  // The entry of the match that the same run put in its place says it.
  if (ended === null || all.some((one) => isReplaced(match, one))) return [made];
  const why = ended.run === null ? 'the line was removed with its statement' : `run ${ended.run} found it no more`;
  const end = `Match ${id} with ${place(match)} ended: ${why}.`;
  return [made, { atMs: ended.atMs, source: 'match', text: end, facts: { ...facts, run: ended.run, ended: true } }];
}

/** Whether the run that ended a match found the same line for the same row of ours again, as a full run does. */
function isReplaced({ ended, ...match }: PastMatch, by: PastMatch): boolean {
  return (
    ended !== null &&
    ended.run === by.run &&
    match.id !== by.id &&
    match.leg === by.leg &&
    match.kind === by.kind &&
    match.environment === by.environment &&
    match.statement === by.statement &&
    match.row === by.row
  );
}

function decisionEntry({ leg, verdict, by, atMs, comment, line }: StoryDecision): Entry {
  const what = line === null ? 'a line that was removed since' : place(line);
  const why = comment === null ? '' : ` ${JSON.stringify(comment)}`;
  return {
    atMs,
    source: 'match',
    text: `${by}: ${what} ${verdict === 'together' ? 'belongs' : 'does not belong'} to it (${leg}).${why}`,
    facts: { leg, verdict, by, comment, statement: line?.statement ?? null, row: line?.row ?? null },
  };
}

function place({ statement, row }: { readonly statement: number; readonly row: number }, initial = 'r'): string {
  return `${initial}ow ${row} of statement ${statement}`;
}
