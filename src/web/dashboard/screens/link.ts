import { loginsOf } from '../../../access/dashboard-logins.ts';
import { LINK_REFUSED, type SetUpForm } from '../../../access/logins.ts';
import { factsBlock, linksBlock, noticeBlock, postForm, textBlock } from '../blocks.ts';
import type { Block, Field, Link, Page } from '../page.ts';
import type { Answer, OpenContext, OpenRoute } from '../route.ts';

// What a person logs in with: set up by a one-time link. The same fields and codes are on the person's own page.

const TO_LOGIN: Link = { text: 'Log in', href: '/login' };

/** Of the phone, or one of the codes that take its place. */
export const CODE = {
  ...{ type: 'text', name: 'code', label: 'Code of your phone, or a recovery code', required: true },
  ...{ autocomplete: 'one-time-code', maxLength: 40 },
} as const satisfies Field;

export const NEW_PASSWORD = {
  ...{ type: 'password', name: 'password', label: 'New password', required: true, autocomplete: 'new-password' },
  ...{ hint: 'Twelve characters or more; four words do.', maxLength: 500 },
} as const satisfies Field;

/** The key for a phone, as text and as what an app for codes opens. */
export interface DeviceSecret {
  readonly text: string;
  readonly uri: string;
}

/** After a wrong code the page has the same key again, unless what came back is none. */
export function sameDevice({ secret, uri }: Pick<SetUpForm, 'secret' | 'uri'>, kept: string | null): DeviceSecret {
  const isKept = kept !== null && /^[A-Z2-7]{32}$/.test(kept);
  return isKept ? { text: kept, uri: uri.replace(secret, kept) } : { text: secret, uri };
}

/** The key of a phone: to type, and as a link for an app on this device. */
export function deviceBlocks({ text, uri }: DeviceSecret): Block[] {
  const groups = text.replace(/(.{4})(?=.)/g, '$1 ');
  const note = 'Add an account in your app for codes, and type this key.';
  return [
    factsBlock([['Key for the phone', { text: groups, as: 'code', note }]]),
    linksBlock('On this device', [{ text: 'Open the key in an app for codes', href: uri }]),
  ];
}

function linkPage(name: string, link: string, secret: DeviceSecret, wrong: Wrong = {}): Page {
  return {
    ...{
      title: `Set up the login of ${name}`,
      question: 'What do you log in with?',
      commands: ['tallyhook users list'],
    },
    ...(wrong.field !== undefined && { status: 422 }),
    blocks: [
      ...deviceBlocks(secret),
      postForm('set-up', `/link/${link}`, {
        fields: [
          { type: 'hidden', name: 'secret', value: secret.text },
          { ...NEW_PASSWORD, problem: wrong.field === 'password' ? wrong.message : undefined },
          {
            ...{ ...CODE, label: 'Code that your phone shows for it' },
            problem: wrong.field === 'code' ? wrong.message : undefined,
          },
        ],
        buttons: [{ label: 'Set up', as: 'main' }],
      }),
    ],
  };
}

interface Wrong {
  readonly field?: 'password' | 'code';
  readonly message?: string;
}

function refusedLink(): Page {
  return {
    ...{
      title: 'This link is no more',
      question: 'How do I get in?',
      commands: ['tallyhook users reset NAME'],
      status: 410,
    },
    blocks: [noticeBlock('bad', LINK_REFUSED, { links: [TO_LOGIN] })],
  };
}

async function openLink(context: OpenContext): Promise<Answer> {
  const { link = '' } = context.params;
  const form = await loginsOf(context).openLink(link);
  return form === null ? refusedLink() : linkPage(form.name, link, sameDevice(form, null));
}

async function setUp(context: OpenContext): Promise<Answer> {
  const { form, params } = context;
  const { link = '' } = params;
  const own = loginsOf(context);
  const secret = form.get('secret') ?? '';
  const typed = { password: form.get('password') ?? '', code: form.get('code') ?? '', secret };
  const result = await own.setUp(link, typed);
  if (result.outcome === 'done') return codesPage(result.name, result.recovery);
  const { field, message } = result;
  const shown = await own.openLink(link);
  if (field === 'link' || shown === null) return refusedLink();
  return linkPage(shown.name, link, sameDevice(shown, secret), { field, message });
}

/** Recovery codes, which are shown once. */
export function codesPage(name: string, recovery: readonly string[], next: CodesNext = AFTER_LINK): Page {
  return {
    ...{ title: next.title, question: 'What if I lose the phone?', commands: ['tallyhook users list'] },
    blocks: [
      noticeBlock(
        'warn',
        'Keep these recovery codes. They are shown once, and each is good once in the place of the phone.',
        { links: [next.link] },
      ),
      { kind: 'body', title: `Recovery codes of ${name}`, text: recovery.join('\n') },
      textBlock(next.text),
    ],
  };
}

interface CodesNext {
  readonly title: string;
  readonly link: Link;
  readonly text: string;
}

const AFTER_LINK: CodesNext = {
  title: 'Your login is set up',
  link: TO_LOGIN,
  text: 'Log in with the next code of your phone: the one that you just gave is used.',
};

const open = { act: 'login', weight: 'light' } as const;

export const linkRoutes: readonly OpenRoute[] = [
  { method: 'GET', path: '/link/:link', ...open, handle: openLink },
  { method: 'POST', path: '/link/:link', ...open, handle: setUp },
];
