import type { OurKind, Pass } from '../domain/reconciling/rules.ts';
import { isOptional } from '../reconcile/load/sides.ts';
import type { Tried } from '../reconcile/pass/tried.ts';
import { isCovered } from '../reconcile/pass/tried-amounts.ts';
import { OBSTACLES, type Obstacle } from '../store/scratch/passes.ts';
import type { TriedLine, TriedRow } from '../store/scratch/tried-rows.ts';
import { amountPass, dayPass, type RowCase } from './amount-pass.ts';
import { about, place, places, type TriedLeg, type TriedPass } from './tried-pass.ts';

// Which passes were tried for a row of ours or a line, and why each found its counterpart, or did not. What they looked at, and
// what kept them, is what the passes themselves say (`Tried`). Pure.

/** The passes of every leg that has sides for a row with the reference. */
export function passesOfRows(tried: Tried): TriedLeg[] {
  return tried.rows.filter(({ reference }) => reference === tried.reference).flatMap((row) => legsOf(tried, row));
}

/** The passes of lines that name the reference, and that belong to no row of ours with it. */
export function passesOfLines(tried: Tried): TriedLeg[] {
  const { reference, rows, lines, sides } = tried;
  const own = new Set(rows.flatMap((row) => (row.reference === reference ? [row.id] : [])));
  return lines.flatMap((line): TriedLeg[] => {
    const side = sides.find(({ number }) => number === line.leg);
    const isNamed = line.reference === reference || line.sessionId === reference;
    const isLoose = line.transactionReference === reference && line.takenFor === null;
    if (side === undefined || (line.takenFor !== null && own.has(line.takenFor)) || !(isNamed || isLoose)) return [];
    const { environment, currency, statement, row } = line;
    const { name: leg, passes: all } = side.leg;
    const person = line.pass === 'person' ? [about('person', 'taken', foundText(tried, line))] : [];
    const passes = all.map((pass, index) => passOfLine({ tried, line, pass, before: all.slice(0, index), leg }));
    return [{ leg, environment, currency, kind: null, line: { statement, row }, passes: [...person, ...passes] }];
  });
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
    const passes = leg.passes.map((pass, index) => passOfRow({ tried, side, row, own, pass, index }));
    legs.set(number, { leg: leg.name, environment, currency, kind, line: null, passes: [...person, ...passes] });
  }
  return [...legs.values()];
}

/** A line and a row of ours that it names. */
interface Pair {
  readonly line: TriedLine;
  readonly row: TriedRow;
  readonly obstacle: Obstacle | null;
}

/** What a pass looked at, in the order of lines and rows. */
function pairsOf({ named, lines, rows }: Tried, pass: Pass): Pair[] {
  const line = new Map(lines.map((one) => [one.id, one]));
  const row = new Map(rows.map((one) => [one.id, one]));
  return (named.get(pass) ?? []).flatMap(({ obstacle, ...ids }) => {
    const pair = { line: line.get(ids.line), row: row.get(ids.ours), obstacle };
    return isWhole(pair) ? [pair] : [];
  });
}

function isWhole(pair: { readonly [Key in keyof Pair]: Pair[Key] | undefined }): pair is Pair {
  return pair.line !== undefined && pair.row !== undefined;
}

/** Those that came furthest before something kept them. */
function furthest(pairs: readonly Pair[]): Pair[] {
  const stage = ({ obstacle }: Pair) => (obstacle === null ? OBSTACLES.length : OBSTACLES.indexOf(obstacle));
  const last = Math.max(...pairs.map(stage));
  return pairs.filter((pair) => stage(pair) === last);
}

function passOfRow(one: RowCase): TriedPass {
  const { tried, side, row, own, pass, index } = one;
  const taken = own.filter((line) => line.pass === pass);
  if (taken.length > 0) return about(pass, 'taken', `found ${places(taken)}`, taken);
  const earlier: readonly unknown[] = ['person', ...side.leg.passes.slice(0, index)];
  const before = own.find((line) => earlier.includes(line.pass));
  const pairs = pairsOf(tried, pass).filter((pair) => pair.row === row);
  const ofLeg = pairs.filter(({ line }) => line.leg === side.number);
  const free = ofLeg.filter(({ line }) => line.takenFor === null);
  const looksForMore = pass !== 'transaction_reference_and_amount';
  if (before !== undefined && (free.length === 0 || !looksForMore)) {
    return about(pass, 'earlier_pass', `not needed: ${before.pass} found ${place(before)}`, [before]);
  }
  if (pass === 'settlement_day') return dayPass(one);
  if (pass === 'amount_and_date') return amountPass(one);
  if (free.length > 0) return untaken(one, furthest(free));
  const others = ofLeg.flatMap(({ line }) => (line.takenFor === row.id ? [] : [line]));
  if (others.length > 0) return about(pass, 'taken_by_other', takenText(tried, others), others);
  return nothing(
    one,
    pairs.map(({ line }) => line),
  );
}

/** No line of the leg names the row. */
function nothing({ tried, side, row, pass }: RowCase, named: readonly TriedLine[]): TriedPass {
  const first = pass === 'session_id' ? tried.copies.get(row.id) : undefined;
  if (first !== undefined)
    return about(pass, 'copy', `another payout, ${first}, has the same session id and takes its line`);
  if (!hasKey(pass, { ...row, group: row.reference })) {
    return about(pass, 'no_key', `the ${kindWord(row.kind)} has no ${keyWord(pass)}`);
  }
  const inNoLeg = named.filter(({ leg }) => leg === null);
  if (inNoLeg.length > 0) return about(pass, 'other_kind', `${typeText(inNoLeg)}, which is in no leg`, inNoLeg);
  if (!isCovered(side, row)) return about(pass, 'no_statement', `no statement of this leg covers ${row.day}`);
  return about(pass, 'no_line', `no line of this leg has its ${keyWord(pass)}`);
}

/** Lines of the leg name the row, and the pass could not take them. */
function untaken({ tried, pass }: RowCase, free: readonly Pair[]): TriedPass {
  const lines = free.map(({ line }) => line);
  const [first] = lines;
  switch (free[0]?.obstacle) {
    case 'other_kind':
      return about(pass, 'other_kind', typeText(lines), lines);
    case 'apart':
      return about(pass, 'apart', `a person took it and ${places(lines)} apart`, lines);
    case 'other_currency': {
      const text = first === undefined ? '' : `${place(first)} has it, in ${first.currency}`;
      return about(pass, 'other_currency', text, lines);
    }
    case 'amount_differs':
      return about(pass, 'amount_differs', `${places(lines)} has it, with another amount`, lines);
  }
  const fitting = pairsOf(tried, pass).filter(({ line, obstacle }) => obstacle === null && lines.includes(line));
  const rivals = [...new Set(fitting.map(({ row }) => row.reference))];
  if (rivals.length > 1) {
    const text = `${places(lines)} has that of ${rivals.slice(0, MOST_ROWS).join(', ')}${rivals.length > MOST_ROWS ? ' …' : ''}`;
    return about(pass, 'several_rows', text, lines);
  }
  return about(pass, 'several_lines', `${places(lines)} have it, and nothing tells which`, lines);
}

/** Rows that one clause names; there may be more. */
const MOST_ROWS = 3;

interface LineCase {
  readonly tried: Tried;
  readonly line: TriedLine;
  readonly pass: Pass;
  readonly before: readonly Pass[];
  readonly leg: string;
}

function passOfLine({ tried, line, pass, before, leg }: LineCase): TriedPass {
  if (line.pass === pass) return about(pass, 'taken', foundText(tried, line));
  if (line.pass === 'person' || before.some((each) => each === line.pass)) {
    return about(pass, 'earlier_pass', `not needed: ${line.pass} ${foundText(tried, line)}`);
  }
  if (pass === 'settlement_day' || pass === 'amount_and_date') {
    const found = tried.suggested.find((one) => one.line === line.id && one.leg === leg && one.pass === pass);
    if (found === undefined) return about(pass, 'not_suggested', 'no run suggests anything for it');
    return about(pass, 'suggested', `suggests ${kindWord(found.kind)} ${found.reference}: a person decides`);
  }
  const named = pairsOf(tried, pass).filter((pair) => pair.line === line);
  if (named.length > 0) return notTaken(tried, line, pass, furthest(named));
  if (!hasKey(pass, line)) return about(pass, 'no_key', `the line has no ${keyWord(pass)}`);
  return about(pass, 'no_record', `nothing of ours has its ${keyWord(pass)}`);
}

/** Rows of ours have what the line names, and the pass could take it for none of them. */
function notTaken({ lines }: Tried, line: TriedLine, pass: Pass, named: readonly Pair[]): TriedPass {
  const rows = named.map(({ row }) => row);
  const [first] = rows;
  switch (named[0]?.obstacle) {
    case 'other_kind': {
      const stands = line.kind === null ? 'is a charge' : `stands for a ${kindWord(line.kind)}`;
      return about(pass, 'other_kind', `${rowText(rows.slice(0, 1))} has it, and the line ${stands}`);
    }
    case 'apart':
      return about(pass, 'apart', `a person took it and ${rowText(rows)} apart`);
    case 'other_currency':
      return about(pass, 'other_currency', `${rowText(rows)} has it, in ${first?.currency}`);
    case 'amount_differs':
      return about(pass, 'amount_differs', `${rowText(rows)} has it, with another amount`);
  }
  if (rows.length > 1) return about(pass, 'several_rows', `${rowText(rows)} have it, and nothing tells which`);
  const has = lines.find(({ takenFor, leg }) => takenFor === first?.id && leg === line.leg);
  if (has !== undefined) return about(pass, 'taken_by_other', `${rowText(rows)} has another line`);
  return about(pass, 'several_lines', `${rowText(rows)} has it, and so have other lines`);
}

type Keys = Pick<TriedLine, 'reference' | 'sessionId' | 'transactionReference' | 'group'>;

/** Whether a row or a line has anything that the pass looks for. */
function hasKey(pass: Pass, { reference, sessionId, transactionReference, group }: Keys): boolean {
  if (pass === 'reference') return reference !== null;
  if (pass === 'session_id') return sessionId !== null;
  return pass === 'group' ? group !== null : transactionReference !== null;
}

/** What a pass looks for, as a word. */
function keyWord(pass: Pass): string {
  return pass === 'transaction_reference_and_amount' ? 'transaction reference' : pass.replaceAll('_', ' ');
}

function kindWord(kind: OurKind): string {
  return kind.replace('_', '-');
}

function typeText([line]: readonly TriedLine[]): string {
  return line === undefined
    ? ''
    : `${place(line)} has it, and is of type ${line.type ?? JSON.stringify(line.typeText)}`;
}

function takenText({ rows }: Tried, [line]: readonly TriedLine[]): string {
  const other = rows.find(({ id }) => id === line?.takenFor);
  if (line === undefined || other === undefined) return '';
  return `${line.pass} found ${place(line)} for ${rowText([other])}`;
}

function foundText({ rows }: Tried, { takenFor }: TriedLine): string {
  const row = rows.find(({ id }) => id === takenFor);
  return row === undefined ? 'found nothing' : `found ${rowText([row])}`;
}

/** `payout P-1, payout P-2 …` */
function rowText(rows: readonly TriedRow[]): string {
  const named = rows.slice(0, MOST_ROWS).map(({ kind, reference }) => `${kindWord(kind)} ${reference}`);
  return rows.length > MOST_ROWS ? `${named.join(', ')} …` : named.join(', ');
}
