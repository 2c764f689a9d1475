import { ENVIRONMENTS } from '../../../src/domain/environment.ts';
import { FINDING_CODES } from '../../../src/domain/finding.ts';
import { RECORD_KINDS } from '../../../src/domain/lifecycle.ts';
import type { FindingFilter, OpenFinding } from '../../../src/store/records.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { withArchive } from '../../context/archive.ts';
import { PAGE_OPTIONS, pageOf, REVEAL_OPTION } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { type Column, differencesFound, printJson, printTable } from '../../show/output.ts';
import { findingAge, findingJson, findingText, type Shown } from '../../show/record.ts';
import { time } from '../../show/text.ts';

/** `tallyhook findings list`, also `tallyhook findings`: lists findings. Exit code 3 when one of them is open. */
export function addFindingsListCommand(cli: Cli): Cli {
  return cli.command(
    ['list', '$0'],
    'List what must be cleared up, the newest first',
    (command) =>
      command
        .option('environment', { choices: ENVIRONMENTS, describe: 'Only this environment' })
        .option('kind', { choices: RECORD_KINDS, describe: 'Only of records of this kind' })
        .option('code', { choices: FINDING_CODES, describe: 'Only of this code' })
        .option('reference', { type: 'string', requiresArg: true, describe: 'Only of this record' })
        .option('closed', { type: 'boolean', default: false, describe: 'Also closed findings' })
        .options({ ...PAGE_OPTIONS, ...REVEAL_OPTION })
        .example('$0 findings --environment live', 'Open findings of the live environment'),
    async (argv) => {
      const findings = await withArchive(argv, (archive) => archive.findings(filterOf(argv), pageOf(argv)));
      if (argv.json) printJson(findings.map((finding) => findingJson(finding, argv)));
      else printTable(findings, columns(argv, systemClock.nowMs()));
      if (findings.some(({ closedAtMs }) => closedAtMs === null)) differencesFound();
    },
  );
}

function filterOf({ environment, kind, code, reference, closed }: FindingListArguments): FindingFilter {
  return {
    closed,
    ...(environment !== undefined && { environment }),
    ...(kind !== undefined && { kind }),
    ...(code !== undefined && { code }),
    ...(reference !== undefined && { reference }),
  };
}

type FindingListArguments = { readonly [Name in keyof FindingFilter]-?: FindingFilter[Name] | undefined } & {
  closed: boolean;
};

function columns(shown: Shown, nowMs: number): Column<OpenFinding>[] {
  return [
    { header: 'ID', value: ({ id }) => id, align: 'right' },
    { header: 'OPENED', value: ({ openedAtMs }) => time(openedAtMs) },
    { header: 'AGE', value: (finding) => findingAge(finding, nowMs) },
    { header: 'ENV', value: ({ environment }) => environment },
    { header: 'RECORD', value: ({ kind, reference }) => `${kind} ${reference}` },
    { header: 'CODE', value: ({ code }) => code },
    { header: 'ABOUT', value: ({ subject }) => subject },
    { header: 'DETAIL', value: (finding) => findingText(finding, shown) },
  ];
}
