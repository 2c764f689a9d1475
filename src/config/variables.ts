import { ENVIRONMENTS } from '../domain/environment.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Problem } from './problems.ts';
import { variableSeen } from './shown.ts';

// Environment variables that stand for settings: they can run a receiver without a file, and they override a file. The
// key variables of an environment count only when the file has no keys for it.

export const SETTING_VARIABLES = {
  TALLYHOOK_DATABASE: ['database'],
  TALLYHOOK_BASE_URL: ['baseUrl'],
  TALLYHOOK_HOST: ['receiver', 'host'],
  TALLYHOOK_PORT: ['receiver', 'port'],
  TALLYHOOK_ADMIN_HOST: ['admin', 'host'],
  TALLYHOOK_ADMIN_PORT: ['admin', 'port'],
  TALLYHOOK_ADMIN_TOKEN: ['admin', 'token'],
  TALLYHOOK_CLUSTER_URL: ['cluster', 'url'],
  TALLYHOOK_CLUSTER_NODE: ['cluster', 'node'],
  TALLYHOOK_CLUSTER_ROLES: ['cluster', 'roles'],
} as const satisfies Record<string, readonly string[]>;

export const KEY_VARIABLES = ENVIRONMENTS.map((environment) => ({
  environment,
  publicKey: `TALLYHOOK_${environment.toUpperCase()}_PUBLIC_KEY`,
  secretKey: `TALLYHOOK_${environment.toUpperCase()}_SECRET_KEY`,
}));

export const CONFIG_VARIABLE = 'TALLYHOOK_CONFIG';

/** Who says what a command keeps, where `--as` is not given. */
export const PERSON_VARIABLE = 'TALLYHOOK_AS';

/** Proves who acts, from the first user on. */
export const TOKEN_VARIABLE = 'TALLYHOOK_TOKEN';

/** Address and control token of a sandbox, for `tallyhook sandbox` alone. A shell that has them runs every other command, too. */
const SANDBOX_VARIABLES = ['TALLYHOOK_SANDBOX_URL', 'TALLYHOOK_SANDBOX_TOKEN'];

export type Variables = Readonly<Record<string, string | undefined>>;

/** Puts the variables into `tree`; returns the variable that each changed path got its value from. */
export function applyVariables(tree: Record<string, unknown>, variables: Variables): Map<string, string> {
  const origins = new Map<string, string>();
  for (const [name, path] of Object.entries(SETTING_VARIABLES)) {
    const value = variables[name];
    if (value !== undefined && put(tree, path, value)) origins.set(path.join('.'), name);
  }
  for (const { environment, publicKey, secretKey } of KEY_VARIABLES) {
    const pair = { publicKey: variables[publicKey], secretKey: variables[secretKey] };
    if (pair.publicKey === undefined && pair.secretKey === undefined) continue;
    if (hasKeys(tree, environment) || !put(tree, ['keys', environment], [pair])) continue;
    origins.set(`keys.${environment}[0].publicKey`, publicKey).set(`keys.${environment}[0].secretKey`, secretKey);
  }
  return origins;
}

/**
 * Returns a problem for each unknown TALLYHOOK_… variable: a misspelt one must not be ignored. `settings` lists those of the file; it is
 * called when there is one.
 */
export function unknownVariables(
  variables: Variables,
  usedByFile: ReadonlySet<string>,
  settings: () => readonly string[],
): Problem[] {
  const known = [
    CONFIG_VARIABLE,
    PERSON_VARIABLE,
    TOKEN_VARIABLE,
    ...SANDBOX_VARIABLES,
    ...Object.keys(SETTING_VARIABLES),
  ];
  for (const { publicKey, secretKey } of KEY_VARIABLES) known.push(publicKey, secretKey);
  return Object.keys(variables)
    .filter((name) => name.startsWith('TALLYHOOK_') && !known.includes(name) && !usedByFile.has(name))
    .map((name) => {
      const setting = settingOf(name, settings());
      if (setting !== undefined)
        return { path: variableSeen(name), rule: `is not a variable: ${setting} is a setting of the file only` };
      const suggestion = didYouMean(name, known);
      const rule = 'is not a variable of this program, nor does the file use it';
      const path = variableSeen(name);
      return suggestion === undefined ? { path, rule } : { path, rule, suggestion };
    });
}

/** The setting whose path the name spells: `timeZone` for TALLYHOOK_TIME_ZONE. */
function settingOf(variable: string, settings: readonly string[]): string | undefined {
  const spelt = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = spelt(variable.slice('TALLYHOOK_'.length));
  return settings.find((setting) => spelt(setting) === wanted);
}

function put(tree: Record<string, unknown>, path: readonly string[], value: unknown): boolean {
  let node = tree;
  for (const step of path.slice(0, -1)) {
    node[step] ??= {};
    const next = node[step];
    if (typeof next !== 'object' || Array.isArray(next)) return false; // the schema reports this value
    node = next as Record<string, unknown>;
  }
  node[path.at(-1) ?? ''] = value;
  return true;
}

function hasKeys(tree: Record<string, unknown>, environment: string): boolean {
  const given = (tree.keys as Record<string, unknown> | null | undefined)?.[environment];
  return given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
}
