import type { Pass } from '../domain/reconciling/rules.ts';
import type { Tried } from '../reconcile/pass/tried.ts';
import type { TriedLine, TriedRow } from '../store/scratch/tried-rows.ts';
import { hasAmount, keyWord, kindWord, mayDifferInCurrency, names } from './pass-keys.ts';
import { about, type TriedLeg, type TriedPass } from './tried-pass.ts';

// Which passes were tried for a line, and why each found its row of ours, or did not. Pure.

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
    const { leg } = side;
    const person = line.pass === 'person' ? [about('person', 'taken', foundText(tried, line))] : [];
    const passes = leg.passes.map((pass, index) =>
      passOf({ tried, line, pass, before: leg.passes.slice(0, index), leg: leg.name }),
    );
    return [
      { leg: leg.name, environment, currency, kind: null, line: { statement, row }, passes: [...person, ...passes] },
    ];
  });
}

interface LineCase {
  readonly tried: Tried;
  readonly line: TriedLine;
  readonly pass: Pass;
  readonly before: readonly Pass[];
  readonly leg: string;
}

function passOf(one: LineCase): TriedPass {
  const { tried, line, pass, before, leg } = one;
  if (line.pass === pass) return about(pass, 'taken', foundText(tried, line));
  if (line.pass === 'person' || before.some((each) => each === line.pass)) {
    return about(pass, 'earlier_pass', `not needed: ${line.pass} ${foundText(tried, line)}`);
  }
  if (pass === 'settlement_day' || pass === 'amount_and_date') return suggestion(tried, line, { leg, pass });
  const named = tried.rows.filter((row) => row.environment === line.environment && names(pass, row, line));
  if (named.length > 0) return notTaken(one, named);
  if (!hasKey(pass, line)) return about(pass, 'no_key', `the line has no ${keyWord(pass)}`);
  return about(pass, 'no_record', `nothing of ours has its ${keyWord(pass)}`);
}

function hasKey(pass: Pass, { reference, sessionId, transactionReference, group }: TriedLine): boolean {
  if (pass === 'reference') return reference !== null;
  if (pass === 'session_id') return sessionId !== null;
  return pass === 'group' ? group !== null : transactionReference !== null;
}

/** Rows of ours have what the line names, and the pass could take it for none of them. */
function notTaken({ tried, line, pass }: LineCase, named: readonly TriedRow[]): TriedPass {
  const ofKind = named.filter(({ kind }) => kind === line.kind);
  const [first] = named;
  if (ofKind.length === 0 && first !== undefined) {
    const stands = line.kind === null ? 'is a charge' : `stands for a ${kindWord(line.kind)}`;
    return about(pass, 'other_kind', `${rowText([first])} has it, and the line ${stands}`);
  }
  const together = ofKind.filter(({ id }) => !tried.apart.has(`${line.id} ${id}`));
  if (together.length === 0) return about(pass, 'apart', `a person took it and ${rowText(ofKind)} apart`);
  const inCurrency = together.filter((row) => mayDifferInCurrency(pass, row) || row.currency === line.currency);
  if (inCurrency.length === 0) {
    return about(pass, 'other_currency', `${rowText(together)} has it, in ${together[0]?.currency}`);
  }
  const looksAtAmount = pass === 'transaction_reference_and_amount';
  const agreeing = looksAtAmount ? inCurrency.filter((row) => hasAmount(row, line)) : inCurrency;
  if (agreeing.length === 0) return about(pass, 'amount_differs', `${rowText(inCurrency)} has it, with another amount`);
  if (agreeing.length > 1) {
    return about(pass, 'several_rows', `${rowText(agreeing)} have it, and nothing tells which`);
  }
  const has = tried.lines.find(({ takenFor, leg }) => takenFor === agreeing[0]?.id && leg === line.leg);
  if (has !== undefined) return about(pass, 'taken_by_other', `${rowText(agreeing)} has another line`);
  return about(pass, 'several_lines', `${rowText(agreeing)} has it, and so have other lines`);
}

function suggestion({ suggested }: Tried, line: TriedLine, { leg, pass }: Pick<LineCase, 'leg' | 'pass'>): TriedPass {
  const found = suggested.find((one) => one.line === line.id && one.leg === leg && one.pass === pass);
  if (found === undefined) return about(pass, 'not_suggested', 'no run suggests anything for it');
  const text = `suggests ${kindWord(found.kind)} ${found.reference}: a person decides`;
  return about(pass, 'suggested', text);
}

function foundText({ rows }: Tried, { takenFor }: TriedLine): string {
  const row = rows.find(({ id }) => id === takenFor);
  return row === undefined ? 'found nothing' : `found ${kindWord(row.kind)} ${row.reference}`;
}

/** `payout P-1, payout P-2 …` */
function rowText(rows: readonly TriedRow[]): string {
  const named = rows.slice(0, 3).map(({ kind, reference }) => `${kindWord(kind)} ${reference}`);
  return rows.length > 3 ? `${named.join(', ')} …` : named.join(', ');
}
