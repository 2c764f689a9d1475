import { money } from '../domain/money/amount.ts';
import type { Pass } from '../domain/reconciling/rules.ts';
import type { Tried } from '../reconcile/pass/tried.ts';
import type { TriedLine, TriedRow } from '../store/scratch/tried-rows.ts';
import { about, place, places, type TriedPass } from './tried-pass.ts';

/** One pass of a leg, for a row of ours. */
export interface RowCase {
  readonly tried: Tried;
  readonly side: Tried['sides'][number];
  readonly row: TriedRow;
  /** Lines of the leg that were taken for the row. */
  readonly own: readonly TriedLine[];
  readonly pass: Pass;
  /** Its place among the passes of the leg. */
  readonly index: number;
}

/** What the day of a batch alone finds: a run suggests it. Pure. */
export function dayPass({ tried, side, row, pass }: RowCase): TriedPass {
  const suggested = suggestedOf(tried, side, row).filter((match) => match.pass === pass);
  if (suggested.length === 0) return about(pass, 'not_suggested', `no run suggests a line of ${row.day}`);
  return about(pass, 'suggested', `suggests ${places(suggested)}: a person decides`, suggested);
}

function suggestedOf({ suggestions }: Tried, { leg }: RowCase['side'], row: TriedRow) {
  return suggestions.filter(
    (match) => match.leg === leg.name && match.kind === row.kind && match.environment === row.environment,
  );
}

/** What amount and date alone find for a row of ours: a run suggests it, since only a run sees every row with that amount. Pure. */
export function amountPass({ tried, side, row, pass }: RowCase): TriedPass {
  const suggested = suggestedOf(tried, side, row).filter((match) => match.pass === pass);
  if (suggested.length > 0)
    return about(pass, 'suggested', `suggests ${places(suggested)}: a person decides`, suggested);
  const known = tried.byAmount.get(`${row.id} ${side.number}`);
  if (known === undefined) return about(pass, 'no_statement', `no statement of this leg covers ${row.day}`);
  if (known.amounts.length === 0)
    return about(pass, 'no_key', 'its money did not move: no line is looked for by its amount');
  const within = known.lines.filter(({ date }) => date >= known.from && date <= known.to);
  const free = within.filter(({ matchedWith }) => matchedWith === null);
  const time = `from ${known.from} to ${known.to}`;
  if (free.length === 1) {
    const text = `${places(free)} has its amount in time, and no run suggests it: another record may have that amount, too`;
    return about(pass, 'not_suggested', text, free);
  }
  if (free.length > 1) {
    return about(pass, 'several_lines', `${places(free)} have its amount in time, and nothing tells which`, free);
  }
  const [other] = within;
  if (other !== undefined) {
    const text = `${place(other)} has its amount in time, and belongs to ${other.matchedWith}`;
    return about(pass, 'taken_by_other', text, [other]);
  }
  const away = known.lines.find(({ matchedWith }) => matchedWith === null);
  if (away !== undefined) {
    return about(pass, 'outside_window', `${place(away)} has its amount, on ${away.date}: its time is ${time}`, [away]);
  }
  const sizes = new Set(known.amounts.map((minor) => (minor < 0n ? -minor : minor)));
  const amounts = [...sizes].map((minor) => money(minor)).join(' or ');
  return about(pass, 'no_line', `no line of this leg moves ${amounts} ${time}`);
}
