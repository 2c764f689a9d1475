import type { Cli } from '../../options/options.ts';
import { newUserName, personOf, REASON_OPTION } from '../../options/person.ts';
import { AS_OPTION, actOnUser, drawnToken, FOR_OPTION, LINK_OPTION, NAME, ROLE_OPTION } from './act.ts';

/** `tallyhook users add NAME --role ROLE`: adds a user with a first token. */
export function addUsersAddCommand(cli: Cli): Cli {
  return cli.command(
    'add <name>',
    'Add a user, and print the first token',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...ROLE_OPTION, ...FOR_OPTION, ...LINK_OPTION, ...AS_OPTION, ...REASON_OPTION })
        .example('$0 users add ada --role admin', 'The first user; from now on names are proved')
        .example('$0 users add grace --role finance --role approver', 'One person, two roles'),
    async (argv) => {
      const [name, by, roles] = [newUserName(argv.name), personOf(argv), argv.role];
      const token = drawnToken(name, argv.for);
      await actOnUser(argv, (users, link) => users.add({ name, by, roles, token: token.kept, ...(link && { link }) }), {
        said: (user) => `${user.name} is a user: ${user.roles.join(', ')}.`,
        token,
        create: true,
        hasLink: true,
        ask: {
          by,
          asked: (link) => ({ act: 'user.add', order: { name, roles, token: token.kept, ...(link && { link }) } }),
        },
      });
    },
  );
}
