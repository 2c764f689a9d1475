import { amountOfMinor, formatAmount } from '../../domain/money/amount.ts';
import type { LinesSum } from '../../domain/statements/statement-rivals.ts';
import type { StatementSummary } from '../../store/statements.ts';
import type { HeldLines } from '../held-lines.ts';
import { heldAgainst, type RivalFiles } from '../rival-files.ts';
import { add, FILE, firstSeenOf } from './file-items.ts';
import type { MatchRun } from './run.ts';

/**
 * Finds files of the chain that cannot both be right in one currency, by the later one of the two. Which of them lacks lines, and
 * which one only has more, is told by the order of their imports. `files` in the order of the chain, which no import changes.
 */
export async function rivalsIn(
  held: HeldLines,
  files: readonly StatementSummary[],
  currency: string,
): Promise<Map<StatementSummary, readonly RivalFiles[]>> {
  const found = new Map<StatementSummary, RivalFiles[]>();
  for (const [index, other] of files.entries()) {
    for (const one of files.slice(0, index)) {
      const [older, newer] = one.statement < other.statement ? [one, other] : [other, one];
      const rivals = await heldAgainst(held, older, newer, currency);
      if (rivals === null) continue;
      const pair = rivals.one === one || rivals.rivalry.how === 'lacking' ? rivals : turned(rivals);
      const own = found.get(pair.other);
      if (own === undefined) found.set(pair.other, [pair]);
      else if (isRepeating(pair) || own.every(isRepeating)) own.push(pair);
    }
  }
  return found;
}

/** Such pairs are all kept, as each moves the balance. Of the others a file has the first: 400 exports of one day are 79,800 pairs. */
function isRepeating({ rivalry }: RivalFiles): boolean {
  return rivalry.how === 'repeating';
}

function turned({ one, other, currency, rivalry }: RivalFiles): RivalFiles {
  return { one: other, other: one, currency, rivalry: { ...rivalry, one: rivalry.other, other: rivalry.one } };
}

/** Lists two files that cannot both be right. Returns what lines of both moved that were counted once. */
export function listRivals(run: MatchRun, rivals: RivalFiles): bigint {
  const { one, other, currency, rivalry } = rivals;
  const effect = isRepeating(rivals) ? rivalry.both.minor : 0n;
  const names = [one, other].map(({ file }) => file.sha256).join(' ');
  const detail = isRepeating(rivals) ? repeatedText(one, other, rivalry.both) : rivalText(rivals);
  const gap = { code: 'statement_gap' as const, sub: rivalry.how, field: 'lines', ours: null, theirs: null, detail };
  const facts = { ...FILE, ...gap };
  add(run, other, { facts, currency, effect, firstSeen: firstSeenOf(run, other), row: null, names });
  return effect;
}

/** `a.csv and b.csv show the same days differently: 1 line of 50.00 only in a.csv, 1 line of 55.00 only in b.csv` */
export function rivalText({ one, other, rivalry }: RivalFiles): string {
  const [mine, theirs] = [one.file.name, other.file.name];
  const alone = [[rivalry.one, mine] as const, [rivalry.other, theirs] as const].flatMap(([sum, name]) =>
    sum.lines === 0 ? [] : [`${linesText(sum)} only in ${name}`],
  );
  const how = alone.length === 0 ? 'they open with different balances' : alone.join(', ');
  return `${mine} and ${theirs} show the same days differently: ${how}`;
}

function repeatedText(one: StatementSummary, other: StatementSummary, both: LinesSum): string {
  const are = both.lines === 1 ? 'is the same in both and was' : 'are the same in both and were';
  return `${other.file.name} goes on from ${one.file.name}, and ${linesText(both)} ${are} counted once`;
}

function linesText({ lines, minor }: LinesSum): string {
  const sum = formatAmount(amountOfMinor(minor));
  return lines === 1 ? `1 line of ${sum}` : `${lines} lines of ${sum} in all`;
}
