import { OUR_KINDS } from '../../../src/domain/rules.ts';
import { MATCH_STATES, type MatchFilter } from '../../../src/store/runs.ts';
import { withArchive } from '../../context/archive.ts';
import { COMMON_FILTERS, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import { type Cli, wholeNumberOption } from '../../options/options.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { MATCH_COLUMNS, matchJson } from '../../show/match.ts';

/** `tallyhook matches list`: lists the matches that are valid, the latest first. */
export function addMatchesListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List matches of the last run, the latest first',
    (command) =>
      command
        .options({ environment: COMMON_FILTERS.environment, reference: COMMON_FILTERS.reference, ...PAGE_OPTIONS })
        .option('leg', { type: 'string', requiresArg: true, describe: 'Only of this leg, such as records-wallet' })
        .option('kind', { choices: OUR_KINDS, describe: 'Only of this kind on our side' })
        .option('state', {
          choices: MATCH_STATES,
          describe:
            'Only confirmed ones, or those that need a person: suggested, or taken by a key and in doubt (claimed)',
        })
        .option(
          'statement',
          wholeNumberOption('statement', { standard: undefined, describe: 'Only lines of this statement' }),
        )
        .example('$0 matches list --state suggested', 'What a person should look at'),
    async (argv) => {
      const filter = filterOf(argv);
      await withArchive(argv, (archive) => {
        const pages = pagesOf(
          pageOf(argv),
          (page) => archive.matches(filter, page),
          () => archive.countMatches(filter),
        );
        return printList(pages, argv, { json: matchJson, columns: MATCH_COLUMNS, empty: 'No matches.' });
      });
    },
  );
}

type Filters = { readonly [Name in keyof MatchFilter]-?: MatchFilter[Name] | undefined };

function filterOf({ leg, kind, environment, reference, statement, state }: Filters): MatchFilter {
  return {
    ...(leg !== undefined && { leg }),
    ...(kind !== undefined && { kind }),
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(statement !== undefined && { statement }),
    ...(state !== undefined && { state }),
  };
}
