import { MAY, type PersonAct } from '../../domain/access/roles.ts';
import { type ErrorKind, TallyhookError } from '../../domain/error.ts';
import { counted } from '../../reconcile/report/words.ts';
import { StoreError } from '../../store/error.ts';
import { factsBlock, noticeBlock, postForm, textBlock } from './blocks.ts';
import type { Block, FormBlock, Page } from './page.ts';

/*
 * What went wrong, as a page in plain words with the next step: never a stack trace, and never a lost form. What was filled in stays in the
 * page, to be sent again.
 */

/** A form that was sent and did not count. */
export interface SentForm {
  readonly action: string;
  readonly form: URLSearchParams;
}

/** The status of an answer, by the kind of the error. `usage`: what was sent means nothing. */
const STATUS = {
  usage: 422,
  configuration: 500,
  unauthorized: 403,
  not_found: 404,
  unavailable: 503,
  unusable: 503,
  corrupt: 500,
  failed: 409,
} as const satisfies Record<ErrorKind, number>;

/** Fields that are never written into a page again. */
const SECRET_FIELDS = /password|recovery|totp/i;

export function failurePage(
  error: unknown,
  { sent, path, isKnown }: { readonly sent: SentForm | null; readonly path: string; readonly isKnown: boolean },
): Page {
  if (!(error instanceof TallyhookError)) {
    const text =
      sent === null
        ? 'The dashboard has a defect here. Looking at a page changes nothing.'
        : 'The dashboard has a defect here. Whether the form counted is not known: it may have failed before or after.';
    const next = 'See whether it was done before you send it again. The log of the dashboard names the cause.';
    return failed({ status: 500, title: 'This page failed', text, next }, sent);
  }
  if (error instanceof StoreError && error.fault === 'not_fresh') return notFreshPage(error, sent, path);
  const page = {
    status: error instanceof StoreError && error.fault === 'not_allowed' ? 403 : STATUS[error.kind],
    title: titleOf(error),
    // Paths and processes of this machine are for who is logged in.
    text: isKnown ? error.message : 'The dashboard cannot do this now.',
    next: error.hint,
  };
  // A filter that means nothing: the list without it is one click away.
  if (error.kind === 'usage' && sent === null)
    return failed({ ...page, status: 400, links: [{ text: 'Without the filter', href: path }] });
  return failed(page, sent);
}

/** The act needs a proof that is minutes old: it is given beside this page, which keeps what was filled in. */
function notFreshPage({ message }: StoreError, sent: SentForm | null, path: string): Page {
  const next =
    sent === null
      ? 'Give your password and code again, then go on.'
      : 'Give your password and code again in another window, come back, and send it again.';
  const links = [{ text: 'Prove it once more', href: `/prove?to=${encodeURIComponent(sent === null ? path : '/')}` }];
  return failed({ status: 403, title: 'Once more: who are you?', text: message, next, links }, sent);
}

const TITLES = {
  usage: 'This cannot be read',
  configuration: 'The configuration is in the way',
  unauthorized: 'This is not yours to do',
  not_found: 'There is no such thing',
  unavailable: 'Not at the moment',
  unusable: 'Not at the moment',
  corrupt: 'The database is damaged',
  failed: 'This was not done',
} as const satisfies Record<ErrorKind, string>;

function titleOf(error: TallyhookError): string {
  if (!(error instanceof StoreError)) return TITLES[error.kind];
  if (error.fault === 'busy' || error.fault === 'locked') return 'The database is busy';
  if (error.fault === 'older_schema' || error.fault === 'newer_schema') return 'The database is of another version';
  if (error.fault === 'no_database' || error.fault === 'replaced') return 'The database is gone';
  return TITLES[error.kind];
}

/** What was not done and why, above the page that the form stood on; nothing without a problem. */
export function problemBlocks(problem: string | undefined): Block[] {
  return problem === undefined ? [] : [noticeBlock('bad', problem)];
}

/** Why something is refused, and the next step, on one line. */
export function refusalText({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string | null | undefined;
}) {
  return hint == null ? message : `${message} ${hint}`;
}

/** Before the first user there is no login, and nothing is shown. */
export function firstUserPage(): Page {
  return {
    title: 'No user yet',
    question: 'Who may look in here?',
    commands: ['tallyhook users add NAME --role admin --link'],
    status: 403,
    blocks: [
      noticeBlock('quiet', 'This dashboard shows nothing before there is a user.', {
        next: 'On this machine, add the first one, an admin: tallyhook users add NAME --role admin --link. It prints a link to log in by.',
      }),
      textBlock('From then on each act on the command line needs a token of a user, too: tallyhook users token NAME.', {
        tone: 'quiet',
      }),
    ],
  };
}

/** Leads from a link on another site to the page, with the cookie of the session. */
export function throughPage(address: string): Page {
  return {
    title: 'Open the dashboard',
    question: 'You followed a link from another site.',
    commands: [],
    blocks: [textBlock('The page opens by itself.', { links: [{ text: 'Open it now', href: address }] })],
    refresh: { seconds: 0, to: address },
  };
}

/** What is wrong with a request, of any person. */
const WRONG = {
  /** The address leads nowhere. */
  nowhere: {
    ...{ status: 404, title: 'No such page', text: 'There is no page at this address.' },
    next: 'Begin at Today, or find a reference.',
  },
  /** The address is there, for a form alone, or for a link alone. */
  other_method: {
    ...{ status: 405, title: 'Not in this way', text: 'This address takes another kind of request.' },
    next: 'Go to the screen, and use its form.',
  },
  /** A form of a page that is not ours. */
  foreign: {
    ...{ status: 403, title: 'Not from this dashboard' },
    text: 'The form was sent from a page of another site, or without saying from where.',
    next: 'Open the screen here, and fill in its form.',
  },
  /** What was sent is no form, or not a whole one. */
  unreadable: {
    ...{ status: 400, title: 'This cannot be read', text: 'What was sent is no form, or was cut off.' },
    next: 'Go back, and send it again.',
  },
} as const satisfies Record<string, Failed>;

export function wrongPage(what: keyof typeof WRONG, sent: SentForm | null = null): Page {
  return failed(WRONG[what], sent);
}

/** A person without a role for this act. */
export function notAllowedPage(act: PersonAct, name: string, sent: SentForm | null): Page {
  const roles = MAY[act].join(' or ');
  const page = {
    ...{ status: 403, title: 'This needs another role' },
    text: `${name} may not do this: ${act} needs ${roles === '' ? 'no person' : roles}.`,
    next: 'Who has the role does it; an admin changes roles under People, or with: tallyhook users roles NAME --role ROLE',
  };
  return failed(page, sent);
}

/** The token of the form is not the one of this session: the page is older than the login, or its session is another one. */
export function otherTokenPage(sent: SentForm | null): Page {
  const text = `The form is of another session: nothing was done.${sent === null ? '' : ' What was filled in is kept here.'}`;
  return failed({ status: 403, title: 'Send it again', text, next: 'Look at it, then send it again.' }, sent);
}

/** The session is over, and a form came. */
export function endedSessionPage(sent: SentForm | null): Page {
  const isKept = sent !== null;
  return failed(
    {
      ...{ status: 401, title: 'The session is over' },
      text: isKept ? 'Nothing was done. What was filled in is kept on this page.' : 'Nothing was done.',
      // Its token is of the session that ended.
      next: isKept
        ? 'Log in in another window, come back, and send it again: it is shown once more before it counts.'
        : 'Log in, and fill it in again.',
      links: [{ text: 'Log in', href: '/login' }],
    },
    sent,
  );
}

/** More was sent than is taken. */
export function tooLargePage(limitBytes: number, sent: SentForm | null): Page {
  const page = {
    ...{ status: 413, title: 'Too large', text: `More was sent than the ${counted(limitBytes)} bytes that are taken.` },
    next: 'Send a smaller file, or import it on the command line: tallyhook statements import FILE',
  };
  return failed(page, sent);
}

interface Failed {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly next?: string | undefined;
  readonly links?: readonly { readonly text: string; readonly href: string }[];
}

function failed({ status, title, text, next, links }: Failed, kept: SentForm | null = null): Page {
  const sent = kept === null || [...kept.form.keys()].every((name) => name === 'token') ? null : kept;
  const notice: Block = noticeBlock(status === 404 ? 'quiet' : status < 500 ? 'warn' : 'bad', text, { next, links });
  const again = sent === null ? [] : [resendForm(sent)];
  return { title, question: '', commands: [], blocks: [notice, ...again], status };
}

/** What was sent, as a form that sends it again. */
function resendForm({ action, form }: SentForm): FormBlock {
  const sent = [...form].filter(([name]) => name !== 'token');
  const shown = sent.filter(([name, value]) => !SECRET_FIELDS.test(name) && value !== '');
  return postForm('again', action, {
    title: 'What was filled in',
    fields: shown.map(([name, value]) => ({ type: 'hidden', name, value })),
    blocks: [factsBlock(shown.map(([name, value]) => [name, { text: value, as: 'long' }]))],
    buttons: [{ label: 'Send it again' }],
  });
}
