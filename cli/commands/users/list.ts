import type { KnownUser } from '../../../src/store/users.ts';
import { withArchive } from '../../context/archive.ts';
import type { Cli } from '../../options/options.ts';
import { printList, wholeList } from '../../show/list.ts';
import type { Column } from '../../show/output.ts';
import { isoTime, time } from '../../show/text.ts';

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
        columns: COLUMNS,
        empty: 'No users: each name is taken as it is stated (--as).',
      });
    },
  );
}

const COLUMNS: readonly Column<KnownUser>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLES', value: ({ roles }) => roles.join(', ') },
  { header: 'SINCE', value: ({ addedAtMs }) => time(addedAtMs), leaveOut: 1 },
  { header: 'TOKEN UNTIL', value: tokenUntil },
];

function tokenUntil({ endedAtMs, tokensUntilMs }: KnownUser): string {
  if (endedAtMs !== null) return `ended ${time(endedAtMs)}`;
  const [last] = tokensUntilMs;
  return last === undefined ? 'none' : time(last);
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
