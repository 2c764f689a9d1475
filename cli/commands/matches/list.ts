import { OUR_KINDS } from '../../../src/domain/reconciling/rules.ts';
import { matchColumns, undoneColumns } from '../../../src/lists/matches.ts';
import { MATCH_STATES, type UndoneFilter } from '../../../src/store/runs.ts';
import { withArchive } from '../../context/archive.ts';
import { COMMON_FILTERS, oneOrMore, PAGE_OPTIONS, pageOf } from '../../options/filters.ts';
import { type Cli, UsageError, wholeNumberOption } from '../../options/options.ts';
import { pagesOf, printList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { matchJson, undoneJson } from '../../show/match.ts';

const STATES = [...MATCH_STATES, 'undone'] as const;

/** `tallyhook matches list`: lists the matches that are valid, or those that persons undid, the latest first. */
export function addMatchesListCommand(cli: Cli): Cli {
  return cli.command(
    'list',
    'List matches of the last run, the latest first',
    (command) =>
      command
        .options({ environment: COMMON_FILTERS.environment, reference: COMMON_FILTERS.reference, ...PAGE_OPTIONS })
        .option('leg', { type: 'string', requiresArg: true, describe: 'Only of this leg, such as records-wallet' })
        .option('kind', oneOrMore(OUR_KINDS, 'Only of this kind on our side'))
        .option(
          'state',
          oneOrMore(
            STATES,
            'Only confirmed ones; those that need a person: suggested, or taken by a key and in doubt (claimed); or pairs that persons took apart (undone)',
          ),
        )
        .option(
          'statement',
          wholeNumberOption('statement', { standard: undefined, describe: 'Only lines of this statement' }),
        )
        .example('$0 matches list --state suggested', 'What a person should look at')
        .example('$0 matches list --state undone', 'What persons took apart, and when'),
    async (argv) => {
      const { state, ...pair } = argv;
      const filter = pairFilterOf(pair);
      await withArchive(argv, (archive) => {
        if (state?.includes('undone')) {
          if (state.some((one) => one !== 'undone'))
            throw new UsageError('--state undone is a list of its own: leave the other states out.');
          const pages = pagesOf(
            pageOf(argv),
            (page) => archive.undoneMatches(filter, page),
            () => archive.countUndoneMatches(filter),
          );
          return printList(pages, argv, {
            json: undoneJson,
            columns: terminalColumns(undoneColumns()),
            empty: 'No undone matches.',
          });
        }
        const matches = { ...filter, ...(state !== undefined && { states: state.filter((one) => one !== 'undone') }) };
        const pages = pagesOf(
          pageOf(argv),
          (page) => archive.matches(matches, page),
          () => archive.countMatches(matches),
        );
        return printList(pages, argv, {
          json: matchJson,
          columns: terminalColumns(matchColumns()),
          empty: 'No matches.',
        });
      });
    },
  );
}

type Filters = { readonly [Name in Exclude<keyof UndoneFilter, 'kinds'>]-?: UndoneFilter[Name] | undefined } & {
  readonly kind: UndoneFilter['kinds'] | undefined;
};

function pairFilterOf({ leg, kind, environment, reference, statement }: Filters): UndoneFilter {
  return {
    ...(leg !== undefined && { leg }),
    ...(kind !== undefined && { kinds: kind }),
    ...(environment !== undefined && { environment }),
    ...(reference !== undefined && { reference }),
    ...(statement !== undefined && { statement }),
  };
}
