import type { Cli } from '../../options/options.ts';
import { personOf, REASON_OPTION } from '../../options/person.ts';
import { AS_OPTION, actOnUser, drawnToken, FOR_OPTION, NAME } from './act.ts';

/** `tallyhook users token NAME`: gives a user another token, or ends all of them. */
export function addUsersTokenCommand(cli: Cli): Cli {
  return cli.command(
    'token <name>',
    'Give a user another token, or end all of them (--end)',
    (command) =>
      command
        .positional('name', NAME)
        .options({ ...FOR_OPTION, ...AS_OPTION, ...REASON_OPTION })
        .option('end', { type: 'boolean', default: false, describe: 'End all tokens of the user now' })
        .example('$0 users token grace --for 30d', 'One more, for a month')
        .example('$0 users token grace --end', 'Her laptop is lost'),
    async (argv) => {
      const [name, by] = [argv.name, personOf(argv)];
      const token = argv.end ? undefined : drawnToken(name, argv.for);
      await actOnUser(argv, (users) => users.setToken({ name, by, token: token?.kept ?? null }), {
        said: (user) => (argv.end ? `All tokens of ${user.name} are ended.` : `${user.name} has another token.`),
        ...(token && { token, ask: { by, asked: () => ({ act: 'user.token', order: { name, token: token.kept } }) } }),
      });
    },
  );
}
