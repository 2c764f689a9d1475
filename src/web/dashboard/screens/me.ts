import { loginsOf } from '../../../access/dashboard-logins.ts';
import type { LoginChange } from '../../../access/logins.ts';
import { isFresh } from '../../../domain/access/session.ts';
import { TallyhookError } from '../../../domain/error.ts';
import type { KnownSession } from '../../../store/access.ts';
import type { KnownUser } from '../../../store/users.ts';
import { rowNumbersIn } from '../asked.ts';
import { factsBlock, linksBlock, noticeBlock, postForm } from '../blocks.ts';
import { actForm } from '../forms.ts';
import type { Block, FormBlock, Page } from '../page.ts';
import type { Answer, Context, Route } from '../route.ts';
import { CODE, codesPage, deviceBlocks, NEW_PASSWORD, sameDevice } from './link.ts';
import { sessionsTable } from './people.ts';

// A person's own login: sessions, password, phone and recovery codes. What is set anew needs a fresh proof, and ends the other sessions.

const ME = '/me';
const TITLE = 'My login';

/** What was wrong with a form, and the key of the phone that it was about. */
interface Wrong {
  readonly field: 'session' | 'password' | 'code';
  readonly message: string;
}

async function show(context: Context, wrong?: Wrong): Promise<Page> {
  const { archive, visitor, nowMs } = context;
  const [session, sessions, users] = await Promise.all([
    archive.session(visitor.credential.digest),
    archive.sessions(visitor.name),
    archive.users(),
  ]);
  const user = users.find(({ name }) => name === visitor.name);
  if (session === null || user === undefined)
    throw new TallyhookError('This session has ended.', { kind: 'unauthorized', hint: 'Log in again.' });
  return {
    title: TITLE,
    question: 'Where am I logged in, and with what?',
    commands: [`tallyhook users sessions list ${visitor.name}`],
    ...(wrong !== undefined && { status: 422 }),
    blocks: [
      factsBlock([
        ['Name', visitor.name],
        ['Roles', visitor.roles.join(', ')],
        ['Password since', { ms: user.passwordSinceMs }],
        ['Recovery codes left', user.passwordSinceMs === null ? null : user.recoveryCodes],
        ['Logs in elsewhere', user.isBound ? 'with your organisation' : null],
        ['Proved last', { ms: session.provenAtMs }],
      ]),
      sessionsForm(sessions, session.id),
      ...setAnew(user, isFresh(session, nowMs), wrong),
    ],
  };
}

function sessionsForm(sessions: readonly KnownSession[], own: number): FormBlock {
  return postForm('end-sessions', `${ME}/sessions`, {
    blocks: [{ ...sessionsTable(sessions, own), caption: 'My sessions' }],
    buttons: [{ label: 'End the chosen ones', as: 'plain' }],
  });
}

/** The forms that set something anew, once the person has proved lately who it is. */
function setAnew(user: KnownUser, isProved: boolean, wrong: Wrong | undefined): Block[] {
  if (user.passwordSinceMs === null) return [];
  if (!isProved)
    return [
      noticeBlock('quiet', 'Password, phone and recovery codes can be set anew after a fresh proof.', {
        links: [{ text: 'Prove it once more', href: `/prove?to=${encodeURIComponent(ME)}` }],
      }),
    ];
  return [
    postForm('password', `${ME}/password`, {
      title: 'Another password',
      fields: [{ ...NEW_PASSWORD, problem: wrong?.field === 'password' ? wrong.message : undefined }],
      buttons: [{ label: 'Change the password' }],
      note: 'Your other sessions end with it.',
    }),
    linksBlock('Another phone', [{ text: 'Set up another phone', href: `${ME}/phone` }]),
    actForm('codes', `${ME}/codes`, { label: 'Make new recovery codes; the former ones end', as: 'plain' }),
  ];
}

async function endSessions(context: Context): Promise<Answer> {
  const { form, operations, visitor, archive } = context;
  const own = await archive.session(visitor.credential.digest);
  const chosen = [...new Set(rowNumbersIn(form, 'session'))];
  if (chosen.length === 0) return { ...(await show(context)), status: 422 };
  let count = 0;
  for (const session of chosen) {
    const order = { name: visitor.name, by: visitor.name, session };
    // Its own session comes last: the others are ended by it.
    if (session !== own?.id) count += (await operations.access.endSessions(order)).ended;
  }
  if (own === null || !chosen.includes(own.id))
    return { to: ME, said: count === 1 ? 'One session is ended.' : `${count} sessions are ended.` };
  await operations.access.logout({ digest: visitor.credential.digest });
  return { to: '/login', session: null };
}

async function change(context: Context, what: LoginChange, again: (wrong: Wrong) => Promise<Page>): Promise<Answer> {
  const result = await loginsOf(context).change(context.visitor.credential.digest, what);
  if (result.outcome === 'refused') return again(result);
  const session = { id: result.id, isSameLogin: true };
  if (what.what === 'codes') return { ...codesPage(context.visitor.name, result.recovery, AFTER_CHANGE), session };
  const said = what.what === 'password' ? 'The password is changed' : 'The phone is changed';
  return { to: ME, said: `${said}, and your other sessions are ended.`, session };
}

const AFTER_CHANGE = {
  title: 'New recovery codes',
  link: { text: TITLE, href: ME },
  text: 'The former codes are ended, and so are your other sessions.',
} as const;

const setPassword = (context: Context) =>
  change(context, { what: 'password', password: context.form.get('password') ?? '' }, (wrong) => show(context, wrong));

const makeCodes = (context: Context) => change(context, { what: 'codes' }, (wrong) => show(context, wrong));

async function phonePage(
  { visitor, config, archive, operations, clock }: Context,
  kept: string | null = null,
  wrong?: Wrong,
): Promise<Page> {
  const device = sameDevice(loginsOf({ config, archive, operations, clock }).newDevice(visitor.name), kept);
  return {
    ...{ title: 'Another phone', question: 'Which phone shows my codes from now on?', commands: [] },
    ...(wrong !== undefined && { status: 422 }),
    trail: [{ text: TITLE, href: ME }],
    blocks: [
      ...deviceBlocks(device),
      postForm('phone', `${ME}/phone`, {
        fields: [
          { type: 'hidden', name: 'secret', value: device.text },
          { ...CODE, label: 'Code that the new phone shows for it', problem: wrong?.message },
        ],
        buttons: [{ label: 'Use this phone' }],
        note: 'The former phone shows no good codes any more, and your other sessions end.',
      }),
    ],
  };
}

const setPhone = (context: Context) => {
  const { form } = context;
  const secret = form.get('secret') ?? '';
  const what = { what: 'device', secret, code: form.get('code') ?? '' } as const;
  return change(context, what, (wrong) => phonePage(context, secret, wrong));
};

const own = { act: 'me', weight: 'light' } as const;

export const meRoutes: readonly Route[] = [
  { method: 'GET', path: ME, ...own, handle: (context) => show(context) },
  { method: 'POST', path: `${ME}/sessions`, ...own, handle: endSessions },
  { method: 'POST', path: `${ME}/password`, ...own, handle: setPassword },
  { method: 'POST', path: `${ME}/codes`, ...own, handle: makeCodes },
  { method: 'GET', path: `${ME}/phone`, ...own, handle: (context) => phonePage(context) },
  { method: 'POST', path: `${ME}/phone`, ...own, handle: setPhone },
];
