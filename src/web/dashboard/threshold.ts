import type { Page } from './page.ts';

// What stands before the login.

/** Before the first user nobody can log in, and nothing is shown. */
export function firstUserPage(): Page {
  return {
    title: 'No user yet',
    question: 'Who may look in here?',
    commands: ['tallyhook users add NAME --role admin --link'],
    status: 403,
    blocks: [
      {
        ...{ kind: 'notice', tone: 'quiet', text: 'This dashboard shows nothing before there is a user.' },
        next: 'On this machine, add the first one, an admin: tallyhook users add NAME --role admin --link. It prints a link to log in by.',
      },
      {
        ...{ kind: 'text', tone: 'quiet' },
        text: 'From then on each act on the command line needs a token of a user, too: tallyhook users token NAME.',
      },
    ],
  };
}

/** Leads from a link on another site to the page, with the cookie of the session. */
export function throughPage(address: string): Page {
  return {
    title: 'Open the dashboard',
    question: 'You followed a link from another site.',
    commands: [],
    blocks: [{ kind: 'text', text: 'The page opens by itself.', links: [{ text: 'Open it now', href: address }] }],
    refresh: { seconds: 0, to: address },
  };
}
