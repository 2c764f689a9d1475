import { randomBytes } from 'node:crypto';
import { drawnLink, linkAddress } from '../../../src/access/link-address.ts';
import { ROLES } from '../../../src/domain/access/roles.ts';
import { tokenDigest, tokenText } from '../../../src/domain/access/token.ts';
import { RefusedActError } from '../../../src/domain/persons/refused-act.ts';
import type { AskedOrder } from '../../../src/store/approvals.ts';
import type { KnownUser, NewLink, NewToken, UserResult, Users } from '../../../src/store/users.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { orAsk } from '../../context/asking.ts';
import { configFrom } from '../../context/config.ts';
import { operationsOf } from '../../context/operations.ts';
import { lengthOption } from '../../options/when.ts';
import { note, print, printJson } from '../../show/output.ts';
import { time } from '../../show/text.ts';
import { userJson } from './list.ts';

export const NAME = { type: 'string', demandOption: true, describe: 'Whose name; spaces in quotes' } as const;

export const ROLE_OPTION = {
  role: {
    type: 'string',
    array: true,
    choices: ROLES,
    demandOption: true,
    describe: 'As what; may be given more than once',
  },
} as const;

export const FOR_OPTION = {
  for: lengthOption('for', { standard: '90d', describe: 'How long the token is good', mayBeZero: false }),
};

export const AS_OPTION = {
  as: {
    type: 'string',
    requiresArg: true,
    describe: 'Who says so [TALLYHOOK_AS, else your token, else your user name]',
  },
} as const;

export const LINK_OPTION = {
  link: {
    type: 'boolean',
    default: false,
    describe: 'Also a link to log in by, for a dashboard that is opened alone; with dashboard.enabled it always comes',
  },
} as const;

/** A token, once in clear and as the books keep it. */
export interface DrawnToken {
  readonly text: string;
  readonly kept: NewToken;
}

export function drawnToken(name: string, lengthMs: number): DrawnToken {
  const text = tokenText(name, randomBytes(32));
  return { text, kept: { digest: tokenDigest(text), endsAtMs: systemClock.nowMs() + lengthMs } };
}

interface ActArguments {
  readonly config: string | undefined;
  readonly json: boolean | undefined;
  readonly reason?: string | undefined;
  readonly link?: boolean;
}

/** Carries out an act on a user and prints what came of it. @throws RefusedActError when it is refused */
export async function actOnUser(
  argv: ActArguments,
  act: (users: Users, link: NewLink | undefined) => Promise<UserResult>,
  {
    said,
    token,
    create = false,
    hasLink = false,
    ask,
  }: {
    said: (user: KnownUser) => string;
    token?: DrawnToken;
    create?: boolean;
    /** Whether the user gets a link, too, where there is a dashboard to open it at. */
    hasLink?: boolean;
    /** How it is asked for where it needs a second person. */
    ask?: { by: string; asked: (link: NewLink | undefined) => AskedOrder };
  },
): Promise<void> {
  const config = await configFrom(argv);
  const { enabled, publicUrl } = config.dashboard;
  const link = hasLink && (argv.link === true || enabled || publicUrl !== null) ? drawnLink() : undefined;
  const shown = link && linkAddress(config.dashboard, link.text);
  const { users, approvals, close } = await operationsOf(config, { create });
  try {
    const work = () => act(users, link?.kept);
    const asking = { json: argv.json, reason: argv.reason };
    const result =
      ask === undefined
        ? await work()
        : await orAsk(work, asking, {
            by: ask.by,
            approvals,
            asked: () => ask.asked(link?.kept),
            secrets: { token: token?.text, link: shown },
          });
    if (result === null) return;
    if (result.outcome === 'refused')
      throw new RefusedActError(result.message, { kind: 'failed', reason: result.reason, hint: result.hint });
    if (argv.json)
      return printJson({
        ...userJson(result.user),
        ...(token && { token: token.text }),
        ...(shown && { link: shown }),
      });
    note(said(result.user));
    if (token === undefined) return;
    note(`The token is good until ${time(token.kept.endsAtMs)}, is shown once, and proves the name: TALLYHOOK_TOKEN=…`);
    print(token.text);
    if (shown === undefined) return;
    note('With this link the person sets up the login at the dashboard: once, within a day.');
    print(shown);
  } finally {
    await close();
  }
}
