import { commandGroup } from '../options/command-group.ts';

const SUBCOMMANDS = {
  list: async () => (await import('./users/list.ts')).addUsersListCommand,
  add: async () => (await import('./users/add.ts')).addUsersAddCommand,
  roles: async () => (await import('./users/roles.ts')).addUsersRolesCommand,
  token: async () => (await import('./users/token.ts')).addUsersTokenCommand,
  reset: async () => (await import('./users/reset.ts')).addUsersResetCommand,
  end: async () => (await import('./users/end.ts')).addUsersEndCommand,
  sessions: async () => (await import('./users/sessions.ts')).addUsersSessionsCommand,
};

/** `tallyhook users …`: who may act. Without a subcommand it is `list`. */
export const usersCommand = (word: string | undefined) => commandGroup('users', word, SUBCOMMANDS, null);
