import { parseArgs } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { drawnLink } from '../src/access/link-address.ts';
import { ROLES } from '../src/domain/access/roles.ts';
import { tokenDigest } from '../src/domain/access/token.ts';
import { storeOf } from '../src/store/configured-store.ts';
import { clockOf, HOUR_MS, systemClock } from '../src/time/clock.ts';
import { openDashboard } from '../src/web/dashboard/open.ts';
import { configOf } from './dashboard/opened.ts';
import { machineFacts, machineText } from './machine.ts';
import { quantile } from './statistics.ts';
import { digits, table } from './table.ts';
import { Workplace } from './workplace.ts';

// How long the dashboard takes to refuse a login (docs/security.md): the time must not tell which names have a user. Over HTTP, with the
// cost of a real password.

export const LOGINS_USAGE = `npm run bench -- logins [options]
  --times N          refused logins with a name of each kind (200)
  --json             results as JSON`;

const PASSWORD = 'four words and a comma,';

/** Names of one length, as a person types them. */
const NAMES = { 'a user with a login': 'Adaeze', 'a user without a login': 'Bolaji', 'no user': 'Chioma' } as const;
type Kind = keyof typeof NAMES;
const KINDS = Object.keys(NAMES) as Kind[];

export async function benchLogins(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { times: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
  });
  const workplace = new Workplace();
  try {
    if (!values.json) console.log(`${machineText(machineFacts(workplace.folder))}\n`);
    const rows = (await refusals(workplace.path('logins.db'), Number(values.times))).map(({ kind, times }) => {
      times.sort();
      const [p10Ms, p50Ms, p90Ms] = [0.1, 0.5, 0.9].map((share) => quantile(times, share));
      return { kind, p10Ms, p50Ms, p90Ms };
    });
    const lines = rows.map(({ kind, ...times }) => [
      kind,
      ...Object.values(times).map((ms) => digits(ms ?? Number.NaN)),
    ]);
    const text = () => table(['the name is that of', 'p10 ms', 'p50 ms', 'p90 ms'], lines);
    console.log(values.json ? JSON.stringify(rows, null, 2) : text());
  } finally {
    workplace.close();
  }
}

interface Refusals {
  readonly kind: Kind;
  /** Milliseconds of each. */
  readonly times: Float64Array;
}

/** Logs in by each name with another password than the user's, in turn. An hour passes in between, so that no attempt is one too many. */
async function refusals(database: string, count: number): Promise<Refusals[]> {
  const config = configOf(database);
  const time = new BigInt64Array(new SharedArrayBuffer(8));
  time[0] = BigInt(systemClock.nowMs());
  const clock = clockOf(time);
  const store = storeOf(config, { clock });
  const operations = await store.operations({ create: true });
  const opened = await openDashboard({
    ...{ config, clock, store, serve: () => null, workFile: new URL('nothing.ts', import.meta.url) },
    channel: { operations, as: (credential) => operations.as(credential) },
    onFault(error) {
      throw error;
    },
  });
  try {
    const url = await opened.app.listen({ host: '127.0.0.1', port: 0 });
    const send = async (path: string, form: Record<string, string>): Promise<number> => {
      const headers = { 'sec-fetch-site': 'same-origin' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(form) });
      await answer.text();
      return answer.status;
    };
    const link = drawnLink();
    const tokenOf = (text: string) => ({ digest: tokenDigest(text), endsAtMs: clock.nowMs() + HOUR_MS });
    const first = { name: NAMES['a user with a login'], token: tokenOf('of the first user') };
    await operations.users.add({ ...first, by: 'root', roles: ROLES, link: link.kept });
    await setUp(url, link.text, { send, nowMs: clock.nowMs() });
    const { users } = operations.as({ kind: 'token', digest: first.token.digest });
    const second = { name: NAMES['a user without a login'], token: tokenOf('of the second user') };
    const { outcome } = await users.add({ ...second, by: first.name, roles: ROLES });
    if (outcome !== 'done') throw new Error('The second user was not added.');

    const rows = KINDS.map((kind) => ({ kind, times: new Float64Array(count) }));
    const refused = async (kind: Kind): Promise<number> => {
      Atomics.add(time, 0, BigInt(HOUR_MS));
      const startedMs = performance.now();
      const status = await send('/login', { name: NAMES[kind], password: `another ${PASSWORD}`, code: '000000' });
      if (status !== 401) throw new Error(`A wrong login was answered ${status}.`);
      return performance.now() - startedMs;
    };
    for (const kind of KINDS) await refused(kind); // what is read for the first time is not measured
    for (let turn = 0; turn < count; turn++)
      for (let at = 0; at < rows.length; at++) {
        const row = rows[(turn + at) % rows.length] as Refusals;
        row.times[turn] = await refused(row.kind);
      }
    return rows;
  } finally {
    await opened.close();
    await operations.close();
  }
}

/** Sets a login up by its link, as the person would. */
async function setUp(
  url: string,
  link: string,
  {
    send,
    nowMs,
  }: { readonly send: (path: string, form: Record<string, string>) => Promise<number>; readonly nowMs: number },
): Promise<void> {
  const html = await (await fetch(`${url}/link/${link}`)).text();
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? '';
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
  const status = await send(`/link/${link}`, { secret, password: PASSWORD, code });
  if (status !== 200) throw new Error(`Setting a login up was answered ${status}.`);
}
