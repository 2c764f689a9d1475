import { userColumns } from '../../../src/lists/users.ts';
import type { KnownUser } from '../../../src/store/users.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import { terminalColumns } from '../../show/list-columns.ts';
import { isoTime } from '../../show/text.ts';

/** `tallyhook users list`: who may act, and who might once. */
export function addUsersListCommand(cli: Cli): Cli {
  return cli.command(
    ['list', '$0'],
    'List users with their roles',
    (command) => command.example('$0 users', 'Who may act, and until when their tokens are good'),
    async (argv) => {
      const users = await withArchive(argv, (archive) => archive.users());
      await printList(wholeList(users), argv, {
        json: userJson,
        columns: terminalColumns(userColumns()),
        empty: 'No users: each name is taken as it is stated (--as).',
      });
    },
  );
}

/** A user as JSON (docs/cli.md). */
export function userJson({ name, roles, addedAtMs, endedAtMs, tokensUntilMs }: KnownUser) {
  return {
    name,
    roles,
    addedAt: isoTime(addedAtMs),
    endedAt: isoTime(endedAtMs),
    tokensUntil: tokensUntilMs.map((untilMs) => isoTime(untilMs)),
  };
}
