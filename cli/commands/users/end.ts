import type { Cli } from '../../options/options.ts';
import { personOf, REASON_OPTION } from '../../options/person.ts';
import { AS_OPTION, actOnUser, NAME } from './act.ts';

/** `tallyhook users end NAME`: ends a user and its tokens. */
export function addUsersEndCommand(cli: Cli): Cli {
  return cli.command(
    'end <name>',
    'End a user and its tokens; the name stays in what was done under it',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...AS_OPTION, ...REASON_OPTION })
        .example('$0 users end grace', 'Grace works elsewhere'),
    async (argv) => {
      const [name, by] = [argv.name, personOf(argv)];
      await actOnUser(argv, (users) => users.end({ name, by }), {
        said: (user) => `${user.name} is a user no more.`,
        ask: { by, asked: () => ({ act: 'user.end', order: { name } }) },
      });
    },
  );
}
