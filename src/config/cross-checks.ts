import { readServerAddress } from '../domain/cluster/server-address.ts';
import { ENVIRONMENTS } from '../domain/environment.ts';
import { isLoopback } from '../domain/requests/base-url.ts';
import { alertAddresses, alertChannels, reportMail } from './alert-checks.ts';
import { forwardProblems } from './cross-checks-forward.ts';
import { sharedAccounts } from './cross-checks-periods.ts';
import { type CrossProblem, mapAt } from './cross-problem.ts';
import { MEBIBYTE } from './settings.ts';

/**
 * Returns the broken rules between two settings. They are checked on the values as written, so that they are reported
 * even while other values are wrong.
 */
export function crossProblems(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  return [
    ...misplacedSecrets(tree),
    ...repeatedKeys(tree),
    ...openAdmin(tree),
    ...openDashboard(tree),
    ...timeoutOrder(tree),
    ...bodyMemory(tree),
    ...leaseLength(tree),
    ...callbackParts(tree),
    ...backupFolder(tree),
    ...pruneAge(tree),
    ...alertAddresses(tree),
    ...alertChannels(tree),
    ...reportMail(tree),
    ...forwardProblems(tree),
    ...sharedAccounts(tree),
  ];
}

/** Messages show a database's path or a host as they are, so none of them may be a secret key. */
function misplacedSecrets(value: unknown, path: readonly PropertyKey[] = []): CrossProblem[] {
  if (typeof value === 'string') {
    const isMisplaced =
      /sk_(test|live)_/.test(value) && !TAKES_SECRETS.has(String(path.at(-1))) && path.at(-2) !== 'secrets';
    return isMisplaced
      ? [{ path, rule: 'holds a secret key, which belongs into secretKey of keys.test or keys.live' }]
      : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => misplacedSecrets(item, [...path, index]));
  return Object.entries(Object(value)).flatMap(([name, item]) => misplacedSecrets(item, [...path, name]));
}

/** Settings with rules of their own for such a value, and whose value is never shown. */
const TAKES_SECRETS: ReadonlySet<string> = new Set(['publicKey', 'secretKey', 'token', 'secret', 'key', 'iv']);

function repeatedKeys(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const problems: CrossProblem[] = [];
  const firstUse = new Map<string, string>();
  for (const environment of ENVIRONMENTS) {
    const pairs = mapAt(tree, 'keys')[environment];
    for (const [index, pair] of (Array.isArray(pairs) ? pairs : []).entries()) {
      const { id, secretKey } = Object(pair) as { id?: unknown; secretKey?: unknown };
      const name = typeof id === 'string' ? id : defaultKeyId(environment, index);
      const path = ['keys', environment, index];
      for (const [setting, value] of Object.entries({ id: name, secretKey })) {
        if (typeof value !== 'string') continue;
        const earlier = firstUse.get(`${setting} ${value}`);
        const rule = `is the same as that of ${earlier}; each pair needs its own`;
        if (earlier !== undefined) problems.push({ path: [...path, setting], rule });
        else firstUse.set(`${setting} ${value}`, `keys.${environment}[${index}]`);
      }
    }
  }
  return problems;
}

/** The id of a pair that has none in the file: `test-1` for the first test pair. */
export function defaultKeyId(environment: string, index: number): string {
  return `${environment}-${index + 1}`;
}

function openAdmin(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { host, token } = mapAt(tree, 'admin');
  if (typeof host !== 'string' || isLoopback(host) || (token !== undefined && token !== null)) return [];
  return [{ path: ['admin', 'host'], rule: 'reaches beyond this machine, which needs an admin.token' }];
}

function openDashboard(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { host, publicUrl } = mapAt(tree, 'dashboard');
  if (typeof host !== 'string' || isLoopback(host) || (publicUrl !== undefined && publicUrl !== null)) return [];
  return [{ path: ['dashboard', 'host'], rule: 'reaches beyond this machine, which needs a dashboard.publicUrl' }];
}

function timeoutOrder(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { headersTimeoutMs = 5_000, requestTimeoutMs = 10_000 } = mapAt(tree, 'receiver');
  if (!(Number(headersTimeoutMs) > Number(requestTimeoutMs))) return [];
  const rule = `must not exceed requestTimeoutMs (${Number(requestTimeoutMs)}), which counts from the same moment`;
  return [{ path: ['receiver', 'headersTimeoutMs'], rule }];
}

/** The largest body that is allowed must fit. */
function bodyMemory(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { bodyLimitBytes = MEBIBYTE, bodiesLimitBytes = 16 * MEBIBYTE } = mapAt(tree, 'receiver');
  if (!(Number(bodiesLimitBytes) < Number(bodyLimitBytes))) return [];
  const rule = `must be at least bodyLimitBytes (${Number(bodyLimitBytes)}), or no such body could be received`;
  return [{ path: ['receiver', 'bodiesLimitBytes'], rule }];
}

/** The jobs send a status check twice at most; a result that arrives after its lease is refused. */
function leaseLength(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { leaseSeconds = 120 } = mapAt(tree, 'confirm');
  const { timeoutMs = 15_000, retries = 2 } = mapAt(tree, 'service');
  const leastSeconds = Math.ceil((Number(timeoutMs) / 1_000) * (Number(retries) > 0 ? 2 : 1));
  if (!(Number(leaseSeconds) < leastSeconds)) return [];
  const rule = `must be ${leastSeconds} at least: a check may take service.timeoutMs twice, and a later result is refused`;
  return [{ path: ['confirm', 'leaseSeconds'], rule }];
}

function callbackParts(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { page, secret } = mapAt(tree, 'callback');
  const has = (value: unknown) => value !== undefined && value !== null;
  if (!has(page)) return has(secret) ? [{ path: ['callback', 'page'], rule: 'must be set with callback.secret' }] : [];
  const missing: CrossProblem[] = [];
  if (!has(secret))
    missing.push({ path: ['callback', 'secret'], rule: 'must be set with callback.page: it signs the verdict' });
  if (!has(tree.baseUrl))
    missing.push({ path: ['baseUrl'], rule: 'must be set with callback.page: the payment is checked there' });
  return missing;
}

function backupFolder(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { backup, backupFolder } = mapAt(tree, 'schedule');
  if (typeof backup !== 'string' || typeof backupFolder === 'string') return [];
  return [{ path: ['schedule', 'backupFolder'], rule: 'must name a folder, because schedule.backup is set' }];
}

function pruneAge(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const { prune } = mapAt(tree, 'schedule');
  const { afterDays = null, textsAfterDays = null, reportsAfterDays = null } = mapAt(tree, 'prune');
  const isSet = [afterDays, textsAfterDays, reportsAfterDays].some((age) => age !== null);
  if (typeof prune !== 'string' || isSet) return [];
  const rule = 'needs prune.afterDays, the age at which records are pruned, or another age there';
  return [{ path: ['schedule', 'prune'], rule }];
}

/** A password of PostgreSQL that stands in the file itself. `isWritten`: the value is there as text, and not by a variable or a file. */
export function openPasswords(
  tree: Readonly<Record<string, unknown>>,
  isWritten: (path: readonly PropertyKey[]) => boolean,
): CrossProblem[] {
  const { url, password, upkeep } = mapAt(tree, 'cluster');
  const address = typeof url === 'string' ? readServerAddress(url) : null;
  const inUrl = address !== null && typeof address !== 'string' && address.password !== null;
  const places: (readonly [path: readonly PropertyKey[], holdsOne: boolean, rule: string])[] = [
    [['cluster', 'url'], inUrl, `holds a password: take it out, and set cluster.password to ${ADVICE}`],
    [['cluster', 'password'], typeof password === 'string', `stands in the file itself: write ${ADVICE}`],
    [
      ['cluster', 'upkeep', 'password'],
      typeof (Object(upkeep) as { password?: unknown }).password === 'string',
      `stands in the file itself: write ${ADVICE}`,
    ],
  ];
  return places.flatMap(([path, holdsOne, rule]) => (holdsOne && isWritten(path) ? [{ path, rule }] : []));
}

const ADVICE = '{file: PATH}, or a variable: $' + '{NAME}';
