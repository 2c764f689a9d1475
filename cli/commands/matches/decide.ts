import { money } from '../../../src/domain/money/amount.ts';
import { lineText } from '../../../src/lists/matches.ts';
import { type DecidedLine, decideLine } from '../../../src/reconcile/pass/decide-line.ts';
import { type DecidedMatch, decideMatch } from '../../../src/reconcile/pass/decide-match.ts';
import { loadRules } from '../../../src/reconcile/rules/load.ts';
import type { MatchVerdict } from '../../../src/store/runs.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { UsageError } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { matchJson } from '../../show/match.ts';
import { print, printJson } from '../../show/output.ts';
import { isoTime, time } from '../../show/text.ts';

export interface DecideArguments {
  readonly id: string | undefined;
  readonly line: string | undefined;
  readonly reference: string | undefined;
  readonly as: string | undefined;
  readonly comment: string | undefined;
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}

/** A match by its number, or a line with a row of ours. */
export const PAIR_OPTIONS = {
  line: {
    type: 'string',
    requiresArg: true,
    describe: 'In place of a number: a line, as STATEMENT:ROW',
    implies: 'reference',
    conflicts: 'id',
  },
  reference: {
    type: 'string',
    requiresArg: true,
    describe: 'With --line: the reference of the record, batch or top-up',
    implies: 'line',
  },
} as const;

/** Keeps what a person says of a match, or of a line and a row of ours, and prints it. */
export async function decide(verdict: MatchVerdict, argv: DecideArguments): Promise<void> {
  const said = { verdict, by: personOf(argv), comment: argv.comment ?? null, shown: time };
  const pair = pairOf(argv);
  const id = pair === null ? matchNumber(argv.id) : null;
  const config = await configFrom(argv);
  await withArchiveOf(config, async (archive) => {
    const operations = await operationsOf(config);
    try {
      if (id !== null) {
        const decided = await decideMatch({ ...said, id }, archive, operations.runs);
        if (argv.json) printJson(matchJson({ ...decided.match, decision: decided.decision }));
        else print(decidedText(decided));
      } else if (pair !== null) {
        const rules = await loadRules(config.reconcile.rules ?? undefined);
        const decided = await decideLine({ ...said, ...pair, rules }, archive, operations.runs);
        if (argv.json) printJson(lineJson(decided, pair));
        else print(lineDecidedText(decided, pair));
      }
    } finally {
      await operations.close();
    }
  });
}

interface Pair {
  readonly statement: number;
  readonly row: number;
  readonly reference: string;
}

function pairOf({ line, reference }: DecideArguments): Pair | null {
  if (line === undefined || reference === undefined) return null;
  const [, statement, row] = /^(\d{1,15}):(\d{1,15})$/.exec(line) ?? [];
  if (statement !== undefined && row !== undefined) {
    return { statement: Number(statement), row: Number(row), reference };
  }
  throw new UsageError(
    `--line ${JSON.stringify(line)}: give the number of a statement and a row of it, such as 3:17.`,
    'List statements: tallyhook statements list',
  );
}

function lineJson({ line, decision }: DecidedLine, { statement, row }: Pair) {
  const { leg, kind, environment, reference, verdict, by, atMs, comment } = decision;
  return {
    ...{ id: null, leg, kind, environment, reference, account: line.account.name, line: { statement, row } },
    ...{ date: line.line.date, currency: line.line.currency, amount: money(line.line.amount) },
    decision: { verdict, by, at: isoTime(atMs), comment },
  };
}

function lineDecidedText({ decision }: DecidedLine, pair: Pair): string {
  const { verdict, by, kind, reference, leg } = decision;
  const what = verdict === 'together' ? 'belongs' : 'does not belong';
  return `${by}: ${lineText(pair)} ${what} to ${kind} ${reference} (${leg}). The next reconcile uses it.`;
}

function decidedText({ match, decision: { verdict, by } }: DecidedMatch): string {
  const line = `${lineText(match)} ${verdict === 'together' ? 'belongs' : 'does not belong'}`;
  const what = verdict === 'together' ? 'confirmed' : 'undone';
  return `Match ${match.id} ${what} by ${by}: ${line} to ${match.kind} ${match.reference} (${match.leg}). The next reconcile uses it.`;
}

function matchNumber(text: string | undefined): number {
  if (text === undefined)
    throw new UsageError('Which match?', 'Give its number, or --line STATEMENT:ROW and --reference REF.');
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of a match.`, 'List them: tallyhook matches list');
}
