import { TallyhookError } from '../../../src/domain/error.ts';
import { type BothSides, bothSides } from '../../../src/reconcile/exceptions/both-sides.ts';
import { breakSubject, placedNextStep } from '../../../src/reconcile/exceptions/words.ts';
import { breakName } from '../../../src/reconcile/report/words.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { FoundBreak, RunSummary } from '../../../src/store/runs.ts';
import { withArchive } from '../../context/archive.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { bothSidesJson, printBothSides } from '../../show/both-sides.ts';
import { keptBreakJson } from '../../show/kept-break.ts';
import { printFacts, printJson, printTitle } from '../../show/output.ts';
import type { Shown } from '../../show/record.ts';
import { time } from '../../show/text.ts';
import { runJson } from './list.ts';

/** A break with the rows of both sides. */
interface WholeBreak {
  readonly found: FoundBreak;
  readonly run: RunSummary | null;
  readonly sides: BothSides;
}

/** `tallyhook breaks show ID`: shows a break, its line as the statement has it, and what the witnesses say of its record. */
export function addBreaksShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one break: its values, the cells of its line, and the witnesses of its record',
    (command) =>
      command
        .positional('id', {
          type: 'string',
          demandOption: true,
          describe: 'Its id, such as x-0123456789abcdef01234567',
        })
        .options(REVEAL_OPTION)
        .example('$0 breaks show x-0123456789abcdef01234567', 'As the latest run found it'),
    async (argv) => {
      if (!/^x-[0-9a-f]{24}$/.test(argv.id)) {
        throw new UsageError(`${JSON.stringify(argv.id)} is not an id of a break.`, LIST);
      }
      const whole = await withArchive(argv, (archive) => wholeBreak(archive, argv.id));
      if (argv.json) printJson(wholeJson(whole, argv));
      else printBreak(whole, argv);
    },
  );
}

const LIST = 'List them: tallyhook breaks list';

async function wholeBreak(archive: Archive, id: string): Promise<WholeBreak> {
  const found = await archive.breakOf(id);
  if (found === null)
    throw new TallyhookError(`No run that is kept has a break ${id}.`, { kind: 'not_found', hint: LIST });
  const run = await archive.run(found.run);
  return { found, run, sides: await bothSides(archive, found, run?.asAtMs ?? Number.MAX_SAFE_INTEGER) };
}

function wholeJson({ found, run, sides }: WholeBreak, shown: Shown) {
  return { ...keptBreakJson(found), run: runJson(run), ...bothSidesJson(sides, shown) };
}

function printBreak({ found, run, sides }: WholeBreak, shown: Shown): void {
  printTitle(`break ${found.id}  ${breakName(found)} of ${breakSubject(found)?.replaceAll('\n', '\ufffd')}`);
  const money = (value: string | null) => (value === null ? null : [value, found.currency].filter(Boolean).join(' '));
  printFacts([
    ['environment', found.environment],
    ['leg', found.leg],
    ['account', found.account],
    ['field', found.field],
    ['ours', found.ours],
    ['theirs', found.theirs],
    ['variance', money(found.variance)],
    ['effect', money(found.effect)],
    ['since', found.firstSeen],
    ['why', found.reason],
    ['next step', placedNextStep(found.nextStep, found)],
    ...(found.candidates.length === 0 ? [] : [['candidates', found.candidates.join('; ')] as const]),
    ['found by', run === null ? null : `run ${run.run}, ${time(run.finishedAtMs)}: ${run.from} to ${run.to}`],
  ]);
  printBothSides(found.line, sides, shown);
  const { record } = sides;
  if (record !== null) printFacts([['the whole story', `tallyhook why ${record.reference}`]]);
}
