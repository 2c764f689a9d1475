import type { Pass } from '../domain/reconciling/rules.ts';
import { isOptional } from '../reconcile/load/sides.ts';
import type { Tried } from '../reconcile/pass/tried.ts';
import { isCovered } from '../reconcile/pass/tried-amounts.ts';
import type { TriedLine, TriedRow } from '../store/scratch/tried-rows.ts';
import { amountPass, dayPass, type RowCase } from './amount-pass.ts';
import { hasAmount, keyWord, kindWord, mayDifferInCurrency, names } from './pass-keys.ts';
import { about, place, places, type TriedLeg, type TriedPass } from './tried-pass.ts';

// Which passes were tried for a row of ours, and why each found its line, or did not. Pure.

/** The passes of every leg that has sides for a row with the reference. */
export function passesOfRows(tried: Tried): TriedLeg[] {
  return tried.rows.filter(({ reference }) => reference === tried.reference).flatMap((row) => legsOf(tried, row));
}

function legsOf(tried: Tried, row: TriedRow): TriedLeg[] {
  const { kind, environment, currency } = row;
  const legs = new Map<number, TriedLeg>();
  for (const side of tried.sides) {
    const { number, leg } = side;
    if (side.environment !== environment || !side.kinds.includes(kind) || legs.has(number)) continue;
    const own = tried.lines.filter((line) => line.leg === number && line.takenFor === row.id);
    if (own.length === 0 && (side.currency !== currency || isOptional(leg, kind))) continue;
    const said = own.filter(({ pass }) => pass === 'person');
    const person = said.length === 0 ? [] : [about('person', 'taken', `a person confirmed ${places(said)}`, said)];
    const passes = leg.passes.map((pass, index) => passOf({ tried, side, row, own, pass, index }));
    legs.set(number, { leg: leg.name, environment, currency, kind, line: null, passes: [...person, ...passes] });
  }
  return [...legs.values()];
}

function passOf(one: RowCase): TriedPass {
  const { tried, side, row, own, pass, index } = one;
  const taken = own.filter((line) => line.pass === pass);
  if (taken.length > 0) return about(pass, 'taken', `found ${places(taken)}`, taken);
  const earlier: readonly unknown[] = ['person', ...side.leg.passes.slice(0, index)];
  const before = own.find((line) => earlier.includes(line.pass));
  const named = tried.lines.filter((line) => line.environment === row.environment && names(pass, row, line));
  const ofLeg = named.filter((line) => line.leg === side.number);
  const free = ofLeg.filter((line) => line.takenFor === null);
  const looksForMore = pass !== 'transaction_reference_and_amount';
  if (before !== undefined && (free.length === 0 || !looksForMore)) {
    return about(pass, 'earlier_pass', `not needed: ${before.pass} found ${place(before)}`, [before]);
  }
  if (pass === 'settlement_day') return dayPass(one);
  if (pass === 'amount_and_date') return amountPass(one);
  if (free.length > 0) return untaken(one, free);
  const others = ofLeg.filter((line) => line.takenFor !== row.id);
  if (others.length > 0) return about(pass, 'taken_by_other', takenText(tried, others), others);
  return nothing(one, named);
}

/** No line of the leg names the row. */
function nothing({ tried, side, row, pass }: RowCase, named: readonly TriedLine[]): TriedPass {
  const first = pass === 'session_id' ? tried.copies.get(row.id) : undefined;
  if (first !== undefined)
    return about(pass, 'copy', `another payout, ${first}, has the same session id and takes its line`);
  if (!hasKey(pass, row)) return about(pass, 'no_key', `the ${kindWord(row.kind)} has no ${keyWord(pass)}`);
  const inNoLeg = named.filter(({ leg }) => leg === null);
  if (inNoLeg.length > 0) return about(pass, 'other_kind', `${typeText(inNoLeg)}, which is in no leg`, inNoLeg);
  if (!isCovered(side, row)) return about(pass, 'no_statement', `no statement of this leg covers ${row.day}`);
  return about(pass, 'no_line', `no line of this leg has its ${keyWord(pass)}`);
}

function hasKey(pass: Pass, { sessionId, transactionReference }: TriedRow): boolean {
  if (pass === 'session_id') return sessionId !== null;
  return pass !== 'transaction_reference_and_amount' || transactionReference !== null;
}

/** Lines of the leg name the row, and the pass could not take them. */
function untaken({ tried, row, pass }: RowCase, free: readonly TriedLine[]): TriedPass {
  const ofKind = free.filter(({ kind }) => kind === row.kind);
  if (ofKind.length === 0) return about(pass, 'other_kind', typeText(free), free);
  const together = ofKind.filter(({ id }) => !tried.apart.has(`${id} ${row.id}`));
  if (together.length === 0) return about(pass, 'apart', `a person took it and ${places(ofKind)} apart`, ofKind);
  const inCurrency = together.filter(({ currency }) => mayDifferInCurrency(pass, row) || currency === row.currency);
  const [other] = together;
  if (inCurrency.length === 0 && other !== undefined) {
    return about(pass, 'other_currency', `${place(other)} has it, in ${other.currency}`, together);
  }
  const looksAtAmount = pass === 'transaction_reference_and_amount';
  const agreeing = looksAtAmount ? inCurrency.filter((line) => hasAmount(row, line)) : inCurrency;
  if (agreeing.length === 0)
    return about(pass, 'amount_differs', `${places(inCurrency)} has it, with another amount`, inCurrency);
  const rivals = tried.rows.filter(
    (one) =>
      one.environment === row.environment &&
      one.kind === row.kind &&
      agreeing.some((line) => names(pass, one, line) && (!looksAtAmount || hasAmount(one, line))),
  );
  if (rivals.length > 1) {
    const words = rivals.slice(0, 3).map(({ reference }) => reference);
    const more = rivals.length > 3 ? ' …' : '';
    return about(pass, 'several_rows', `${places(agreeing)} has that of ${words.join(', ')}${more}`, agreeing);
  }
  return about(pass, 'several_lines', `${places(agreeing)} have it, and nothing tells which`, agreeing);
}

function typeText(lines: readonly TriedLine[]): string {
  const [line] = lines;
  return line === undefined
    ? ''
    : `${place(line)} has it, and is of type ${line.type ?? JSON.stringify(line.typeText)}`;
}

function takenText({ rows }: Tried, lines: readonly TriedLine[]): string {
  const [line] = lines;
  const other = rows.find(({ id }) => id === line?.takenFor);
  if (line === undefined || other === undefined) return '';
  return `${line.pass} found ${place(line)} for ${kindWord(other.kind)} ${other.reference}`;
}
