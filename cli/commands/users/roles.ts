import { ROLES } from '../../../src/domain/access/roles.ts';
import { samePerson } from '../../../src/domain/persons/person.ts';
import { withArchive } from '../../context/archive.ts';
import { oneOrMore } from '../../options/filters.ts';
import type { Cli } from '../../options/options.ts';
import { personOf, REASON_OPTION } from '../../options/person.ts';
import { AS_OPTION, actOnUser, NAME, ROLE_OPTION } from './act.ts';

/** `tallyhook users roles NAME --role ROLE`: says what a user is from now on, and what it was until now. */
export function addUsersRolesCommand(cli: Cli): Cli {
  return cli.command(
    'roles <name>',
    'Say what a user is from now on, in the place of the roles until now',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...ROLE_OPTION, ...AS_OPTION, ...REASON_OPTION })
        .option('was', oneOrMore(ROLES, 'As what you have seen the user; one of other roles is refused'))
        .example('$0 users roles grace --role approver', 'Grace approves, and resolves nothing any more')
        .example(
          '$0 users roles grace --role approver --was finance',
          'Only if Grace still is finance, and nothing else',
        ),
    async (argv) => {
      const [name, by, roles] = [argv.name, personOf(argv), argv.role];
      const users = await withArchive(argv, (archive) => archive.users());
      const known = users.find((user) => samePerson(user.name, name))?.roles;
      const seen = argv.was ?? known ?? [];
      const order = { name, roles, seen };
      await actOnUser(argv, (acts) => acts.setRoles({ ...order, by }), {
        said: (user) => `${user.name}: ${user.roles.join(', ')} (before: ${seen.join(', ')}).`,
        ask: { by, asked: () => ({ act: 'user.roles', order }) },
      });
    },
  );
}
