import { TallyhookError } from '../../../src/domain/error.ts';
import { argumentText } from '../../../src/domain/records/advised-word.ts';
import { evidenceColumns, findingAge, findingSentence } from '../../../src/lists/findings.ts';
import type { FindingDetail } from '../../../src/store/records.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { FINDING_ADVICE } from '../../../src/why/finding-advice.ts';
import { evidenceOf } from '../../../src/why/finding-evidence.ts';
import { withArchive } from '../../context/archive.ts';
import { REVEAL_OPTION } from '../../options/filters.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { printCheck } from '../../show/check.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { bold, differencesFound, print, printFacts, printJson, printTable, printTitle } from '../../show/output.ts';
import { fieldLines, fieldsJson, findingJson, observationJson, recordJson, type Shown } from '../../show/record.ts';
import { deadline, time } from '../../show/text.ts';

/** `tallyhook findings show ID`: shows a finding with its record, its evidence and what to do. Exit code 3 while it is open. */
export function addFindingsShowCommand(cli: Cli): Cli {
  return cli.command(
    'show <id>',
    'Show one finding: its record, its evidence, and what to do',
    (command) =>
      command
        .positional('id', { type: 'string', demandOption: true, describe: 'Its number in the list' })
        .options(REVEAL_OPTION)
        .example('$0 findings show 3', 'The finding with the number 3 in the list'),
    async (argv) => {
      if (!/^\d{1,15}$/.test(argv.id)) {
        throw new UsageError(`${JSON.stringify(argv.id)} is not a number of a finding.`, LIST_THEM);
      }
      const finding = await withArchive(argv, (archive) => archive.finding(Number(argv.id)));
      if (finding === null) {
        throw new TallyhookError(`There is no finding ${argv.id}.`, { kind: 'not_found', hint: LIST_THEM });
      }
      if (argv.json) printJson(asJson(finding, argv));
      else printFinding(finding, argv);
      if (finding.closedAtMs === null) differencesFound();
    },
  );
}

const LIST_THEM = 'List them: tallyhook findings list --closed';

function asJson({ record, ...finding }: FindingDetail, shown: Shown) {
  return {
    ...findingJson(finding, shown),
    advice: adviceOn(finding),
    record: recordJson(record, shown),
    evidence: evidenceOf(finding, record).map(({ observation, says }) => ({
      ...observationJson(observation, shown),
      says: fieldsJson(says, shown),
    })),
  };
}

function printFinding(finding: FindingDetail, shown: Shown): void {
  const { record, reference, kind, code } = finding;
  printTitle(`finding ${finding.id}  ${code} of ${kind} ${reference.replaceAll('\n', '\ufffd')}`);
  printFacts([
    ['environment', finding.environment],
    ['field', finding.subject],
    ['detail', findingSentence(finding, shown, { time, deadline })],
    ['opened', time(finding.openedAtMs)],
    ['age', findingAge(finding, systemClock.nowMs())],
    ['what to do', adviceOn(finding)],
  ]);
  print(`\n${bold('Record')}`);
  printFacts([
    ['reported', record.reported],
    ['confirmed', record.confirmed],
    ...fieldLines(record.facts, shown),
    ['the whole story', `tallyhook why ${argumentText(reference)}`],
  ]);
  printCheck(record);
  const evidence = evidenceOf(finding, record);
  if (evidence.length === 0) return;
  print(`\n${bold('Evidence')}`);
  printTable(evidence, terminalColumns(evidenceColumns(shown)));
}

function adviceOn({ code, closedAtMs }: Pick<FindingDetail, 'code' | 'closedAtMs'>): string {
  return closedAtMs === null ? FINDING_ADVICE[code] : 'Nothing: it closed when it no longer applied.';
}
