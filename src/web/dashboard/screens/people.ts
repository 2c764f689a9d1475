import { MAY, ROLES, type Role } from '../../../domain/access/roles.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import { count } from '../../../lists/column.ts';
import { loginText, sessionColumns, userColumns } from '../../../lists/users.ts';
import type { KnownSession } from '../../../store/access.ts';
import type { KnownUser } from '../../../store/users.ts';
import { there } from '../asked.ts';
import { factsBlock, foldBlock, noticeBlock, postForm } from '../blocks.ts';
import { problemBlocks } from '../failure.ts';
import { actForm } from '../forms.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, Field, Page, TableBlock } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';

/** How long a token for the command line is good, in days. */
export const TOKEN_DAYS = 90;

export async function list(context: Context, problem?: string): Promise<Page> {
  const { archive, may, form } = context;
  const users = await archive.users();
  const sessions = Map.groupBy(await archive.sessions(), ({ name }) => name);
  return {
    title: 'People',
    question: 'Who may do what, and who is logged in?',
    commands: ['tallyhook users list'],
    blocks: [
      usersTable(users, sessions),
      ...(may('user.add') ? [addForm(form, problem)] : []),
      foldBlock('What each role may do', [rolesTable()]),
    ],
  };
}

function usersTable(users: readonly KnownUser[], sessions: ReadonlyMap<string, readonly KnownSession[]>): TableBlock {
  const logged = count<KnownUser>('Sessions', ({ name }) => sessions.get(name)?.length ?? 0);
  return listTable([...userColumns(), logged], users, {
    ...{ id: 'users', caption: 'Users' },
    links: { Name: ({ name }) => userAddress(name) },
    empty: {
      text: 'There is no user: each name is taken as stated.',
      next: 'On the machine itself: tallyhook users add NAME --role admin',
    },
  });
}

export function userAddress(name: string): string {
  return `/people/${encodeURIComponent(name)}`;
}

const ROLE_NOTES: Readonly<Record<Role, string>> = {
  viewer: 'looks, and sees no personal data',
  operator: 'checks, jobs, forwarding, alerts',
  finance: 'statements, reconciling, matches, exceptions, closing',
  approver: 'is the second person: approves',
  admin: 'users and their roles',
};

function rolesField(values: readonly string[]): Field {
  return {
    ...{ type: 'checkboxes', name: 'role', label: 'Roles', values },
    options: ROLES.map((role) => ({ value: role, label: role, note: ROLE_NOTES[role] })),
  };
}

function addForm(form: URLSearchParams, problem: string | undefined): Block {
  return postForm('add', '/people/add', {
    title: 'Add a user',
    fields: [
      { type: 'text', name: 'name', label: 'Name', value: form.get('name') ?? '', required: true, maxLength: 100 },
      rolesField(form.getAll('role')),
    ],
    buttons: [{ label: 'Add and make a link' }],
    note: 'The link is shown once, and is good for a day: who opens it sets a password and a device for codes.',
    problem,
  });
}

/** The acts of the table that pages and commands ask. */
function rolesTable(): TableBlock {
  return {
    ...{ kind: 'table', id: 'roles', caption: 'Acts and roles' },
    columns: [{ name: 'Act', as: 'head' }, ...ROLES.map((role) => ({ name: role }))],
    rows: Object.entries(MAY)
      .filter(([, roles]) => roles.length > 0 && roles.length < ROLES.length)
      .map(([act, roles]) => ({
        cells: [
          { text: act, as: 'code' as const },
          ...ROLES.map((role) => ((roles as readonly Role[]).includes(role) ? 'may' : null)),
        ],
      })),
    empty: null,
  };
}

export async function found({ archive, params: { name = '' } }: Context): Promise<KnownUser> {
  return there(
    (await archive.users()).find((one) => samePerson(one.name, name)),
    `user ${name}`,
    '/people',
  );
}

export async function show(context: Context, problem?: string): Promise<Page> {
  const { archive, may } = context;
  const user = await found(context);
  const sessions = await archive.sessions(user.name);
  const at = userAddress(user.name);
  const isThere = user.endedAtMs === null;
  return {
    title: user.name,
    question: 'What may this person do, from where is it logged in, and with what?',
    commands: ['tallyhook users list', `tallyhook users sessions ${user.name}`],
    trail: [{ text: 'People', href: '/people' }],
    blocks: [
      ...problemBlocks(problem),
      ...(isThere ? [] : [noticeBlock('quiet', 'This user was ended, and may not act.')]),
      factsBlock([
        ['Roles', isThere ? user.roles.join(', ') : null],
        ['Logs in with', loginText(user)],
        ['Password since', { ms: user.passwordSinceMs }],
        ['Recovery codes left', user.recoveryCodes],
        ['Link good until', { ms: user.linkUntilMs }],
        ['Tokens good until', user.tokensUntilMs.length === 0 ? null : user.tokensUntilMs.map((ms) => ({ ms }))],
        ['User since', { ms: user.addedAtMs }],
        ['Ended', { ms: user.endedAtMs }],
        ['What it did', { text: 'in the audit', href: `/audit?who=${encodeURIComponent(user.name)}` }],
      ]),
      sessionsTable(sessions),
      ...(sessions.length > 0 && may('user.roles') ? [oneButton('sessions', at, 'End all sessions', 'plain')] : []),
      ...(isThere ? userForms(context, user, at) : []),
    ],
  };
}

/** `own`: the session that looks, on the page where some are chosen to be ended. */
export function sessionsTable(sessions: readonly KnownSession[], own?: number): TableBlock {
  return listTable(sessionColumns(own), sessions, {
    ...{
      id: 'sessions',
      caption: 'Sessions',
      without: ['Id', 'Name'],
      head: 'Since',
      empty: {
        text: 'It is logged in nowhere.',
        next: 'A login makes a session. Who has lost theirs: tallyhook users reset NAME, on the machine itself.',
      },
    },
    ...(own !== undefined && {
      chooses: { name: 'session' },
      choice: ({ id }: KnownSession) => {
        return { value: String(id), label: id === own ? 'this session' : `session ${id}` };
      },
    }),
  });
}

function oneButton(act: string, at: string, label: string, as: 'main' | 'plain' | 'danger'): Block {
  return actForm(act, `${at}/${act}`, { label, as, ...(as === 'danger' && { confirm: `${label}?` }) });
}

function userForms({ may, form }: Context, user: KnownUser, at: string): Block[] {
  return [
    ...(may('user.roles')
      ? [
          postForm('roles', `${at}/roles`, {
            title: 'Roles',
            fields: [
              ...user.roles.map((role): Field => ({ type: 'hidden', name: 'seen', value: role })),
              // Of a form that did not count, what was chosen in it.
              rolesField(form.has('role') ? form.getAll('role') : user.roles),
            ],
            buttons: [{ label: 'Change the roles', as: 'plain' }],
            note: 'Its sessions end with it.',
          }) satisfies Block,
        ]
      : []),
    ...(may('user.link') ? [oneButton('link', at, 'Make a link to log in anew', 'plain')] : []),
    ...(may('user.token')
      ? [oneButton('token', at, `Make a token for the command line, good for ${TOKEN_DAYS} days`, 'plain')]
      : []),
    ...(may('user.end') ? [oneButton('end', at, `End the user ${user.name}`, 'danger')] : []),
  ];
}

export const peopleRoutes: readonly Route[] = [
  lightPage('/people', 'people', (context) => list(context)),
  lightPage('/people/:name', 'people', (context) => show(context)),
];
