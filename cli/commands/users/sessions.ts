import { sessionColumns } from '../../../src/lists/users.ts';
import type { KnownSession } from '../../../src/store/access.ts';
import { withArchive, withArchiveOf } from '../../context/archive.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { type Cli, UsageError } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { printList, wholeList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { print, printJson } from '../../show/output.ts';
import { isoTime } from '../../show/text.ts';
import { AS_OPTION } from './act.ts';

/** `tallyhook users sessions [NAME]`, and `users sessions end NAME`: who is logged in, and an end to it. */
export function addUsersSessionsCommand(cli: Cli): Cli {
  return cli.command('sessions', 'List who is logged in at the dashboard; end sessions', (sessions) => {
    sessions.command(
      ['list [name]', '$0'],
      'List sessions that live, those used last first',
      (command) =>
        command
          .positional('name', { type: 'string', describe: 'Only of this user' })
          .example('$0 users sessions', 'Who is logged in')
          .example('$0 users sessions list grace', 'Only Grace'),
      async (argv) => {
        const found = await withArchive(argv, (archive) => archive.sessions(argv.name));
        const columns = terminalColumns(sessionColumns());
        await printList(wholeList(found), argv, { json: sessionJson, columns, empty: 'No one is logged in.' });
      },
    );
    sessions.command(
      'end [name]',
      'End the sessions of a user, or one of them (--id)',
      (command) =>
        command
          .positional('name', { type: 'string', describe: 'All sessions of this user' })
          .option('id', { type: 'number', requiresArg: true, describe: 'Only this one, by its number in the list' })
          .options(AS_OPTION)
          .example('$0 users sessions end grace', 'Her laptop is lost')
          .example('$0 users sessions end --id 7', 'Only this browser'),
      (argv) => endSessions(argv),
    );
    return sessions;
  });
}

interface EndArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly name: string | undefined;
  readonly id: number | undefined;
  readonly as: string | undefined;
}

async function endSessions(argv: EndArguments): Promise<void> {
  const by = personOf(argv);
  const { name, id } = argv;
  if (name === undefined && id === undefined)
    throw new UsageError(
      'Whose sessions? users sessions end takes a name or --id.',
      'List them: tallyhook users sessions',
    );
  const config = await configFrom(argv);
  const known = await withArchiveOf(config, (archive) => archive.sessions(name));
  const chosen = known.filter((session) => id === undefined || session.id === id);
  const [first] = chosen;
  const operations = await operationsOf(config);
  let ended = 0;
  try {
    if (first !== undefined) {
      const order = { name: first.name, by, ...(id !== undefined && { session: id }) };
      ({ ended } = await operations.access.endSessions(order));
    }
  } finally {
    await operations.close();
  }
  if (argv.json) printJson({ ended });
  else print(ended === 1 ? 'One session is ended.' : `${ended === 0 ? 'No' : ended} sessions are ended.`);
}

/** A session as JSON (docs/cli.md). */
function sessionJson({ id, name, way, startedAtMs, seenAtMs, provenAtMs, endsAtMs, address, agent }: KnownSession) {
  return {
    ...{ id, name, way, startedAt: isoTime(startedAtMs), usedAt: isoTime(seenAtMs), provenAt: isoTime(provenAtMs) },
    ...{ endsAt: isoTime(endsAtMs), address, agent },
  };
}
