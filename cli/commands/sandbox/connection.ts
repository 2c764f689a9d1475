import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { TallyhookError } from '../../../src/domain/error.ts';
import { isAlive } from '../../../src/sandbox/world/state-lock.ts';
import { type Cli, UsageError } from '../../options/options.ts';

/** Address and control token of a running sandbox. */
export interface Connection {
  readonly url: string;
  readonly token: string;
}

/** The default webhook URLs of `tallyhook serve`. */
export const RECEIVER_URLS = {
  test: 'http://127.0.0.1:4600/webhooks/test',
  live: 'http://127.0.0.1:4600/webhooks/live',
} as const;

/** The options of every subcommand that talks to a running sandbox. */
export const CONNECTION_OPTIONS = {
  url: { type: 'string', requiresArg: true, describe: 'Address of the sandbox [TALLYHOOK_SANDBOX_URL, else found]' },
  token: {
    type: 'string',
    requiresArg: true,
    describe: 'Control token of the sandbox [TALLYHOOK_SANDBOX_TOKEN, else found]',
  },
} as const satisfies Parameters<Cli['options']>[0];

/** The merchant and environment that a control applies to. */
export const WHOSE_OPTIONS = {
  merchant: { type: 'string', requiresArg: true, describe: 'Merchant id in the sandbox [the first]' },
  environment: { choices: ['test', 'live'] as const, default: 'test' as const, describe: 'Environment of the sandbox' },
} as const satisfies Parameters<Cli['options']>[0];

/** Writes a note with the connection, for the subcommands; only this user can read it. Returns the function that removes it. */
export function announceConnection(connection: Connection): () => void {
  const file = join(noteFolder(), `${new URL(connection.url).port}.json`);
  writeFileSync(file, JSON.stringify({ ...connection, pid: process.pid }), { mode: 0o600 });
  chmodSync(file, 0o600);
  return () => rmSync(file, { force: true });
}

/** The answer of a control of the running sandbox. Throws with the sandbox's message and hint. */
export async function callSandbox<Result>(
  argv: { url?: string | undefined; token?: string | undefined },
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Result> {
  const { url, token } = findConnection(argv);
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(`${url}/sandbox${path}`, { method, headers, ...text });
  } catch (cause) {
    throw new TallyhookError(`No sandbox answers at ${url}.`, { kind: 'unavailable', hint: START_HINT, cause });
  }
  const answer = (await response.json().catch(() => null)) as (Result & Refused) | null;
  if (response.ok && answer !== null) return answer;
  if (answer?.success !== false)
    throw new TallyhookError(
      `The server at ${url} is not a sandbox: it answered HTTP ${response.status} to ${method} /sandbox${path}.`,
      {
        kind: 'unavailable',
        hint: 'Check --url and TALLYHOOK_SANDBOX_URL.',
      },
    );
  const kind = ({ 401: 'unauthorized', 404: 'not_found', 422: 'usage' } as const)[response.status] ?? 'failed';
  const hint = answer.hint ?? (response.status === 401 ? TOKEN_HINT : undefined);
  const message = `The sandbox refused: ${answer.message}`;
  throw new TallyhookError(message, hint === undefined ? { kind } : { kind, hint });
}

interface Refused {
  readonly success?: boolean;
  readonly message?: string;
  readonly hint?: string;
}

/** The query string of the filters that are set. */
export function query(filters: Record<string, string | undefined>): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}

const START_HINT = 'Start one: tallyhook sandbox';
const TOKEN_HINT = 'The sandbox printed its token when it started; check --token and TALLYHOOK_SANDBOX_TOKEN.';
/** The default address of a sandbox. */
export const DEFAULT_URL = 'http://127.0.0.1:4602';

function findConnection(argv: { url?: string | undefined; token?: string | undefined }): Connection {
  const running = runningSandboxes();
  const given = argv.url ?? process.env.TALLYHOOK_SANDBOX_URL;
  if (given !== undefined && !/^https?:$/.test(URL.parse(given)?.protocol ?? ''))
    throw new UsageError(`The sandbox's --url is ${JSON.stringify(given)}: it must start with http:// or https://.`);
  const usual = running.find((one) => one.url === DEFAULT_URL);
  if (given === undefined && usual === undefined && running.length > 1)
    throw new TallyhookError(`${running.length} sandboxes run on this machine, and none of them at ${DEFAULT_URL}.`, {
      kind: 'usage',
      hint: `Choose one with --url: ${running.map((one) => one.url).join(', ')}.`,
    });
  const only = running.length === 1 ? running[0]?.url : undefined;
  const url = (given ?? only ?? DEFAULT_URL).replace(/\/+$/, '');
  const found = running.find((one) => new URL(one.url).port === URL.parse(url)?.port);
  const token = argv.token ?? process.env.TALLYHOOK_SANDBOX_TOKEN ?? found?.token;
  if (token !== undefined) return { url, token };
  const others = running.map((one) => one.url).join(', ');
  throw new TallyhookError(`No running sandbox was found for ${url}, and no --token was given.`, {
    kind: 'unavailable',
    hint: running.length > 0 ? `Running: ${others}. Choose one with --url.` : START_HINT,
  });
}

/** Those of this user on this machine. */
export function runningSandboxes(): Connection[] {
  const folder = noteFolder();
  return (
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Connection & { pid?: number })
      // the note of a killed sandbox is still there
      .filter(({ pid }) => pid === undefined || isAlive(pid))
  );
}

/** The private folder of the notes. Throws for a folder of another user and for a link: they could name another sandbox. */
function noteFolder(): string {
  const { uid } = userInfo();
  const folder = join(process.env.XDG_RUNTIME_DIR ?? tmpdir(), `tallyhook-sandbox-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const facts = lstatSync(folder);
  const mine =
    facts.isDirectory() && (process.getuid === undefined || (facts.uid === uid && (facts.mode & 0o077) === 0));
  if (mine) return folder;
  throw new TallyhookError(`${folder} does not belong to this user alone.`, {
    kind: 'failed',
    hint: 'Remove it, or use --url and --token.',
  });
}
