import { storeOf } from '../../../src/confirm/store.ts';
import { type DecidedMatch, decideMatch } from '../../../src/reconcile/decide-match.ts';
import type { MatchVerdict } from '../../../src/store/runs.ts';
import { withArchiveOf } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import { UsageError } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { lineText, matchJson } from '../../show/match.ts';
import { print, printJson } from '../../show/output.ts';

interface DecideArguments {
  readonly id: string;
  readonly as: string | undefined;
  readonly comment: string | undefined;
  readonly config: string | undefined;
  readonly json: boolean | undefined;
}

/** Keeps what a person says of a match, and prints it. */
export async function decide(verdict: MatchVerdict, argv: DecideArguments): Promise<void> {
  const order = { id: matchNumber(argv.id), verdict, by: personOf(argv), comment: argv.comment ?? null };
  const config = await configFrom(argv);
  const decided = await withArchiveOf(config, async (archive) => {
    const operations = await storeOf(config).operations();
    try {
      return await decideMatch(order, archive, operations.runs);
    } finally {
      await operations.close();
    }
  });
  if (argv.json) printJson(matchJson({ ...decided.match, decision: decided.decision }));
  else print(decidedText(decided));
}

function decidedText({ match, decision: { verdict, by } }: DecidedMatch): string {
  const line = `${lineText(match)} ${verdict === 'together' ? 'belongs' : 'does not belong'}`;
  const what = verdict === 'together' ? 'confirmed' : 'undone';
  return `Match ${match.id} ${what} by ${by}: ${line} to ${match.kind} ${match.reference} (${match.leg}). The next reconcile uses it.`;
}

function matchNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${JSON.stringify(text)} is not a number of a match.`, 'List them: tallyhook matches list');
}
