import type { Cli } from '../../options/options.ts';
import { personOf, REASON_OPTION } from '../../options/person.ts';
import { AS_OPTION, actOnUser, NAME, ROLE_OPTION } from './act.ts';

/** `tallyhook users roles NAME --role ROLE`: says what a user is from now on. */
export function addUsersRolesCommand(cli: Cli): Cli {
  return cli.command(
    'roles <name>',
    'Say what a user is from now on',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...ROLE_OPTION, ...AS_OPTION, ...REASON_OPTION })
        .example('$0 users roles grace --role approver', 'Grace approves, and resolves nothing any more'),
    async (argv) => {
      const [name, by, roles] = [argv.name, personOf(argv), argv.role];
      await actOnUser(argv, (users) => users.setRoles({ name, by, roles }), {
        said: (user) => `${user.name}: ${user.roles.join(', ')}.`,
        ask: { by, asked: () => ({ act: 'user.roles', order: { name, roles } }) },
      });
    },
  );
}
