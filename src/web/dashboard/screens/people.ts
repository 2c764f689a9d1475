import { MAY, ROLES, type Role } from '../../../domain/access/roles.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { samePerson } from '../../../domain/persons/person.ts';
import type { KnownSession } from '../../../store/access.ts';
import type { KnownUser } from '../../../store/users.ts';
import type { Block, Field, Page, TableBlock } from '../page.ts';
import type { Context, Route } from '../route.ts';

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
      { ...{ kind: 'fold', title: 'What each role may do' }, blocks: [rolesTable()] },
    ],
  };
}

function usersTable(users: readonly KnownUser[], sessions: ReadonlyMap<string, readonly KnownSession[]>): TableBlock {
  return {
    ...{ kind: 'table', id: 'users', caption: 'Users' },
    columns: [
      { name: 'Name', as: 'head' },
      { name: 'Roles' },
      { name: 'Logs in with' },
      { name: 'Sessions', as: 'figure' },
      { name: 'Tokens', as: 'figure', leaveOut: 1 },
      { name: 'Since', leaveOut: 2 },
    ],
    rows: users.map((user) => ({
      cells: [
        { text: user.name, href: userAddress(user.name) },
        user.endedAtMs === null ? user.roles.join(', ') : { text: 'ended', as: 'status', tone: 'quiet' },
        loginText(user),
        sessions.get(user.name)?.length ?? 0,
        user.tokensUntilMs.length,
        { ms: user.addedAtMs },
      ],
    })),
    empty: {
      text: 'There is no user: each name is taken as stated.',
      next: 'On the machine itself: tallyhook users add NAME --role admin',
    },
  };
}

function loginText({ passwordSinceMs, linkUntilMs, isBound }: KnownUser): string | null {
  const ways = [
    ...(passwordSinceMs === null ? [] : ['password and code']),
    ...(isBound ? ['a login elsewhere'] : []),
    ...(linkUntilMs === null ? [] : ['a link that was not used yet']),
  ];
  return ways.length === 0 ? null : ways.join(', ');
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
  return {
    ...{ kind: 'form', id: 'add', method: 'POST', action: '/people/add', title: 'Add a user' },
    fields: [
      { type: 'text', name: 'name', label: 'Name', value: form.get('name') ?? '', required: true, maxLength: 100 },
      rolesField(form.getAll('role')),
    ],
    buttons: [{ label: 'Add and make a link' }],
    note: 'The link is shown once, and is good for a day: who opens it sets a password and a device for codes.',
    ...(problem !== undefined && { problem }),
  };
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
    empty: { text: 'None.' },
  };
}

/** @throws TallyhookError when there is none of this name */
export async function found({ archive, params }: Context): Promise<KnownUser> {
  const name = params.name ?? '';
  const user = (await archive.users()).find((one) => samePerson(one.name, name));
  if (user !== undefined) return user;
  throw new TallyhookError(`${name} is no user.`, { kind: 'not_found', hint: 'The list has those that are: /people' });
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
      ...(problem === undefined ? [] : [{ kind: 'notice', tone: 'bad', text: problem } as const]),
      ...(isThere ? [] : [{ kind: 'notice', tone: 'quiet', text: 'This user was ended, and may not act.' } as const]),
      {
        kind: 'facts',
        facts: [
          ['Roles', isThere ? user.roles.join(', ') : null],
          ['Logs in with', loginText(user)],
          ['Password since', { ms: user.passwordSinceMs }],
          ['Recovery codes left', user.recoveryCodes],
          ['Link good until', { ms: user.linkUntilMs }],
          ['Tokens good until', user.tokensUntilMs.length === 0 ? null : user.tokensUntilMs.map((ms) => ({ ms }))],
          ['User since', { ms: user.addedAtMs }],
          ['Ended', { ms: user.endedAtMs }],
          ['What it did', { text: 'in the audit', href: `/audit?who=${encodeURIComponent(user.name)}` }],
        ],
      },
      sessionsTable(sessions),
      ...(sessions.length > 0 && may('user.roles') ? [oneButton('sessions', at, 'End all sessions', 'plain')] : []),
      ...(isThere ? userForms(context, user, at) : []),
    ],
  };
}

function sessionsTable(sessions: readonly KnownSession[]): TableBlock {
  return {
    ...{ kind: 'table', id: 'sessions', caption: 'Sessions' },
    columns: [
      { name: 'Begun', as: 'head' },
      { name: 'Used last' },
      { name: 'Ends' },
      { name: 'By' },
      { name: 'From' },
      { name: 'Browser', leaveOut: 1 },
    ],
    rows: sessions.map(({ startedAtMs, seenAtMs, endsAtMs, way, address, agent }) => ({
      cells: [
        { ms: startedAtMs },
        { ms: seenAtMs },
        { ms: endsAtMs },
        way,
        address,
        agent === null ? null : { text: agent, as: 'long' },
      ],
    })),
    empty: { text: 'It is logged in nowhere.' },
  };
}

function oneButton(act: string, at: string, label: string, as: 'main' | 'plain' | 'danger'): Block {
  return {
    ...{ kind: 'form', id: act, method: 'POST', action: `${at}/${act}`, as: 'act', fields: [] },
    buttons: [{ label, as, ...(as === 'danger' && { confirm: `${label}?` }) }],
  };
}

function userForms({ may }: Context, user: KnownUser, at: string): Block[] {
  return [
    ...(may('user.roles')
      ? [
          {
            ...{ kind: 'form', id: 'roles', method: 'POST', action: `${at}/roles`, title: 'Roles' },
            fields: [rolesField(user.roles)],
            buttons: [{ label: 'Change the roles', as: 'plain' }],
            note: 'Its sessions end with it.',
          } satisfies Block,
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
  { method: 'GET', path: '/people', act: 'people', weight: 'light', handle: (context) => list(context) },
  { method: 'GET', path: '/people/:name', act: 'people', weight: 'light', handle: (context) => show(context) },
];
