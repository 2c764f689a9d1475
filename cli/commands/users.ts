import type { Cli } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { addUsersAddCommand } from './users/add.ts';
import { addUsersEndCommand } from './users/end.ts';
import { addUsersListCommand } from './users/list.ts';
import { addUsersResetCommand } from './users/reset.ts';
import { addUsersRolesCommand } from './users/roles.ts';
import { addUsersSessionsCommand } from './users/sessions.ts';
import { addUsersTokenCommand } from './users/token.ts';

/** `tallyhook users …`: who may act. Without a subcommand it is `list`. */
export function addUsersCommand(cli: Cli): Cli {
  return cli.command('users', SUMMARY.users, (users) => {
    addUsersListCommand(users);
    addUsersAddCommand(users);
    addUsersRolesCommand(users);
    addUsersTokenCommand(users);
    addUsersResetCommand(users);
    addUsersEndCommand(users);
    addUsersSessionsCommand(users);
    return users;
  });
}
