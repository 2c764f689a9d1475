import { randomBytes } from 'node:crypto';
import { drawnLink, linkAddress } from '../../../access/link-address.ts';
import { ROLES } from '../../../domain/access/roles.ts';
import { tokenDigest, tokenText } from '../../../domain/access/token.ts';
import { keptName, mixedScriptsText, userNameProblem } from '../../../domain/persons/person.ts';
import type { NewToken, UserResult } from '../../../store/users.ts';
import { DAY_MS } from '../../../time/clock.ts';
import { wordsIn } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { factsBlock, noticeBlock } from '../blocks.ts';
import { refusalText } from '../failure.ts';
import type { Page } from '../page.ts';
import { type Answer, type Context, lightForm, type Route } from '../route.ts';
import { found, list, show, TOKEN_DAYS, userAddress } from './people.ts';

// What an admin does to users. What lets a person in is shown once, and kept as a digest alone.

function drawnToken(name: string, endsAtMs: number): { readonly text: string; readonly kept: NewToken } {
  const text = tokenText(name, randomBytes(32));
  return { text, kept: { digest: tokenDigest(text), endsAtMs } };
}

/** A secret that is shown once. */
function shownOnce(name: string, title: string, secret: string, text: string): Page {
  return {
    ...{ title, question: `What does ${name} need?`, commands: ['tallyhook users list'] },
    trail: [
      { text: 'People', href: '/people' },
      { text: name, href: userAddress(name) },
    ],
    blocks: [
      noticeBlock('warn', text, { next: 'Hand it over on a way that only this person reads.' }),
      factsBlock([['Shown this once', { text: secret, as: 'id' }]]),
    ],
  };
}

/** The secret of what was asked for: nothing keeps it, and it counts once the request is carried out. */
function askedOnce(name: string, id: number, secret: string): Page {
  const text = `Request ${id} waits for another person. This is good once it is approved and carried out.`;
  return shownOnce(name, `Asked for: request ${id}`, secret, withDoubt(text, name));
}

async function add(context: Context): Promise<Answer> {
  const { form, operations, visitor, nowMs } = context;
  const name = keptName(form.get('name') ?? '');
  const roles = wordsIn(form, 'role', ROLES) ?? [];
  const problem = userNameProblem(name);
  if (problem !== null || roles.length === 0) {
    const text = problem === null ? 'Choose a role.' : `The name ${problem}.`;
    return { ...(await list(context, text)), status: 422 };
  }
  const link = drawnLink();
  // The person logs in by the link; a token for the command line is made on its page.
  const order = { name, roles, token: drawnToken(name, nowMs).kept, link: link.kept };
  const address = linkAddress(context.config.dashboard, link.text);
  const act = async () => {
    const result = await operations.users.add({ ...order, by: visitor.name });
    if (result.outcome === 'refused') return { ...(await list(context, refusalText(result))), status: 409 };
    const text = `${name} is a user: ${roles.join(', ')}. The link is good for a day, and once.`;
    return shownOnce(name, `${name} is added`, address, withDoubt(text, name));
  };
  return doOrAsk(context, { act: 'user.add', order }, act, (id) => askedOnce(name, id, address));
}

/** With the question that a command asks of a name of mixed scripts. */
function withDoubt(text: string, name: string): string {
  return [text, mixedScriptsText('The name', name)].filter((part) => part !== null).join(' ');
}

async function setRoles(context: Context): Promise<Answer> {
  const { form, operations, visitor } = context;
  const { name } = await found(context);
  const roles = wordsIn(form, 'role', ROLES) ?? [];
  if (roles.length === 0) return { ...(await show(context, 'Choose a role, or end the user.')), status: 422 };
  const order = { name, roles, seen: wordsIn(form, 'seen', ROLES) ?? [] };
  return doOrAsk(context, { act: 'user.roles', order }, async () =>
    answerOf(context, await operations.users.setRoles({ ...order, by: visitor.name }), `${name}: ${roles.join(', ')}.`),
  );
}

async function answerOf(context: Context, result: UserResult, said: string): Promise<Answer> {
  if (result.outcome === 'done') return { to: userAddress(result.user.name), said };
  return { ...(await show(context, refusalText(result))), status: 409 };
}

async function makeLink(context: Context): Promise<Answer> {
  const { operations, visitor, config } = context;
  const { name } = await found(context);
  const link = drawnLink();
  const address = linkAddress(config.dashboard, link.text);
  const act = async () => {
    await operations.access.giveLink({ name, by: visitor.name, link: link.kept });
    const text =
      'Who opens it sets a new password and a new device; all sessions then end. It is good for a day, and once.';
    return shownOnce(name, `A link for ${name}`, address, text);
  };
  return doOrAsk(context, { act: 'user.link', order: { name, link: link.kept } }, act, (id) =>
    askedOnce(name, id, address),
  );
}

async function makeToken(context: Context): Promise<Answer> {
  const { operations, visitor, nowMs } = context;
  const { name } = await found(context);
  const token = drawnToken(name, nowMs + TOKEN_DAYS * DAY_MS);
  const act = async () => {
    const result = await operations.users.setToken({ name, by: visitor.name, token: token.kept });
    if (result.outcome === 'refused') return { ...(await show(context, refusalText(result))), status: 409 };
    const text = `It proves the name ${name} on the command line (TALLYHOOK_TOKEN), for ${TOKEN_DAYS} days.`;
    return shownOnce(name, `A token for ${name}`, token.text, text);
  };
  return doOrAsk(context, { act: 'user.token', order: { name, token: token.kept } }, act, (id) =>
    askedOnce(name, id, token.text),
  );
}

async function end(context: Context): Promise<Answer> {
  const { operations, visitor } = context;
  const { name } = await found(context);
  return doOrAsk(context, { act: 'user.end', order: { name } }, async () =>
    answerOf(
      context,
      await operations.users.end({ name, by: visitor.name }),
      `${name} is ended, with all sessions and tokens.`,
    ),
  );
}

async function endSessions(context: Context): Promise<Answer> {
  const { operations, visitor } = context;
  const { name } = await found(context);
  const { ended } = await operations.access.endSessions({ name, by: visitor.name });
  return { to: userAddress(name), said: `${ended} sessions of ${name} are ended.` };
}

export const peopleActRoutes: readonly Route[] = [
  lightForm('/people/add', 'user.add', add),
  lightForm('/people/:name/roles', 'user.roles', setRoles),
  lightForm('/people/:name/link', 'user.link', makeLink),
  lightForm('/people/:name/token', 'user.token', makeToken),
  lightForm('/people/:name/end', 'user.end', end),
  lightForm('/people/:name/sessions', 'user.sessions', endSessions),
];
