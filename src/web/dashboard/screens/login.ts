import { identityOf, loginsOf } from '../../../access/dashboard-logins.ts';
import { IdentityError, type IdentityProvider } from '../../../access/identity.ts';
import { type Browser, LOGIN_REFUSED, type LoginAnswer } from '../../../access/logins.ts';
import { printableLine } from '../../../domain/text/printable.ts';
import { addressGroup } from '../../../receive/address-group.ts';
import { localTime } from '../../../time/local-time.ts';
import { linksBlock, postForm, textBlock } from '../blocks.ts';
import type { Block, Field, Page } from '../page.ts';
import { type Answer, type AnyRoute, type Context, lightForm, type OpenContext, type OpenRoute } from '../route.ts';
import { CODE, linkRoutes } from './link.ts';

// The pages before a session: login and a fresh proof. They say one sentence for everything that can be wrong.

const BACK = '/login/back';
const TITLE = 'Log in';
const PASSWORD = {
  ...{ type: 'password', name: 'password', label: 'Password', required: true },
  ...{ autocomplete: 'current-password', maxLength: 500 },
} as const satisfies Field;
const ELSEWHERE = { text: 'With your organisation', href: '/login/elsewhere' } as const;

function browserOf({ peer, agent, visitor }: OpenContext): Browser {
  const name = agent === '' ? null : printableLine(agent).slice(0, 200);
  return { address: addressGroup(peer), agent: name, former: visitor?.credential.digest ?? null };
}

/** Only an address of this dashboard: a link must not lead through the login to another place. */
function wanted(to: string | null): string {
  return to !== null && /^\/(?![/\\])/.test(to) && !to.startsWith('/login') && !to.startsWith('/link/') ? to : '/';
}

function loginPage(context: OpenContext, to: string, problem?: string, name = ''): Page {
  const isElsewhere = identityOf(context.config) !== null;
  const blocks: Block[] = [
    postForm('login', '/login', {
      problem,
      fields: [
        { type: 'hidden', name: 'to', value: to },
        {
          type: 'text',
          name: 'name',
          label: 'Name',
          value: name,
          required: true,
          autocomplete: 'username',
          maxLength: 200,
        },
        PASSWORD,
        CODE,
      ],
      buttons: [{ label: TITLE, as: 'main' }],
    }),
    ...(isElsewhere ? [linksBlock('Other ways', [ELSEWHERE])] : []),
    textBlock('Password or phone lost? An admin gives you a new link: tallyhook users reset NAME.', { tone: 'quiet' }),
  ];
  return {
    ...{ title: TITLE, question: 'Who are you?', commands: ['TALLYHOOK_TOKEN=… tallyhook status'], blocks },
    ...(problem !== undefined && { status: 401 }),
  };
}

/** In, or the page again. */
function answered(
  { visitor, config }: OpenContext,
  answer: LoginAnswer,
  to: string,
  again: (problem: string) => Page,
): Answer {
  if (answer.outcome === 'in') {
    const { id, session } = answer;
    return { to, session: { id, isSameLogin: session.id === visitor?.login }, login: null };
  }
  if (answer.outcome === 'refused') return again(LOGIN_REFUSED);
  const minutes = localTime(config.timeZone)(answer.untilMs).slice('yyyy-MM-dd '.length, -':ss'.length);
  return { ...again(`Too many attempts. Try again after ${minutes} (${config.timeZone}).`), status: 429 };
}

async function logIn(context: OpenContext): Promise<Answer> {
  const { form } = context;
  const [to, name] = [wanted(form.get('to')), form.get('name') ?? ''];
  const typed = { name, password: form.get('password') ?? '', code: form.get('code') ?? '' };
  const answer = await loginsOf(context).withPassword(typed, browserOf(context));
  return answered(context, answer, to, (problem) => loginPage(context, to, problem, name));
}

const goElsewhere = (context: OpenContext) =>
  withIdentity(context, async (identity) => {
    const { url, carried } = await identity.begin(`${context.origin}${BACK}`);
    return { to: url, login: carried, isElsewhere: true };
  });

const comeBack = (context: OpenContext) =>
  withIdentity(context, async (identity) => {
    const proven = await identity.finish(`?${context.query}`, context.login);
    const answer = await loginsOf(context).withSubject(proven, browserOf(context));
    return answered(context, answer, '/', (problem) => loginPage(context, '/', problem));
  });

/** The login again, where no provider is set up, or it does not answer, or its answer is not valid. */
async function withIdentity(context: OpenContext, work: (identity: IdentityProvider) => Promise<Answer>) {
  const identity = identityOf(context.config);
  if (identity === null) return { to: '/login' };
  try {
    return await work(identity);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { ...loginPage(context, '/', `${error.message} ${error.hint}`), login: null };
  }
}

function provePage({ visitor, config }: OpenContext, to: string, problem?: string): Page {
  return {
    ...{
      title: 'Once more: who are you?',
      question: 'Is it still you?',
      commands: [],
      ...(problem !== undefined && { status: 401 }),
    },
    blocks: [
      textBlock(`${visitor?.name}: this act needs a proof that is newer than ten minutes. Afterwards, do it again.`, {
        ...(identityOf(config) !== null && { links: [ELSEWHERE] }),
      }),
      postForm('prove', '/prove', {
        problem,
        fields: [{ type: 'hidden', name: 'to', value: to }, PASSWORD, CODE],
        buttons: [{ label: 'It is me', as: 'main' }],
      }),
    ],
  };
}

async function prove(context: OpenContext): Promise<Answer> {
  const { form, visitor } = context;
  const to = wanted(form.get('to'));
  if (visitor === null) return { to: '/login' };
  const typed = { password: form.get('password') ?? '', code: form.get('code') ?? '' };
  const answer = await loginsOf(context).prove(visitor.credential.digest, typed);
  return answered(context, answer, to, (problem) => provePage(context, to, problem));
}

const open = { act: 'login', weight: 'light' } as const;

const showLogin = async (context: OpenContext): Promise<Answer> => {
  const to = wanted(context.query.get('to'));
  return context.visitor === null ? loginPage(context, to) : { to };
};

const showProve = async (context: OpenContext): Promise<Answer> =>
  context.visitor === null ? { to: '/login' } : provePage(context, wanted(context.query.get('to')));

async function logOut({ operations, visitor }: Context): Promise<Answer> {
  await operations.access.logout({ digest: visitor.credential.digest });
  return { to: '/login', session: null };
}

const OPEN: readonly OpenRoute[] = [
  { method: 'GET', path: '/login', ...open, handle: showLogin },
  { method: 'POST', path: '/login', ...open, handle: logIn },
  { method: 'GET', path: '/login/elsewhere', ...open, handle: goElsewhere },
  { method: 'GET', path: BACK, ...open, handle: comeBack },
  ...linkRoutes,
  { method: 'GET', path: '/prove', ...open, handle: showProve },
  { method: 'POST', path: '/prove', ...open, handle: prove },
];

export const loginRoutes: readonly AnyRoute[] = [...OPEN, lightForm('/logout', 'me', logOut)];
