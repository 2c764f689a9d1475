import type { Cli } from '../../options/options.ts';
import { personOf } from '../../options/person.ts';
import { AS_OPTION, actOnUser, drawnToken, FOR_OPTION, LINK_OPTION, NAME } from './act.ts';

/** `tallyhook users reset NAME`: a new token without a proof, for who may write the database of this machine. */
export function addUsersResetCommand(cli: Cli): Cli {
  return cli.command(
    'reset <name>',
    'End all tokens of a user and give a new one, without a proof; it is entered in the audit',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...FOR_OPTION, ...LINK_OPTION, ...AS_OPTION })
        .example('$0 users reset ada', 'The last admin has lost the token'),
    async (argv) => {
      const [name, by] = [argv.name, personOf(argv)];
      const token = drawnToken(name, argv.for);
      await actOnUser(argv, (users, link) => users.reset({ name, by, token: token.kept, ...(link && { link }) }), {
        said: (user) => `The former tokens of ${user.name} are ended.`,
        token,
        hasLink: true,
      });
    },
  );
}
