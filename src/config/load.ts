import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { splitPassword } from '../domain/cluster/server-address.ts';
import { ENVIRONMENTS, type Environment, type KeyPair } from '../domain/environment.ts';
import { isRecord, namesOf, requireArgument, requireKnown, requireObject, requireText } from '../domain/misuse.ts';
import { cutOffMinutesIn } from '../domain/reconciling/business-day.ts';
import { Secret } from '../domain/secrets/secret.ts';
import { crossProblems, defaultKeyId, openPasswords } from './cross-checks.ts';
import { didYouMean } from './did-you-mean.ts';
import { allSettings, settingsAt } from './json-schema.ts';
import { type ConfigSource, locateConfig } from './locate.ts';
import { pathKey } from './path-key.ts';
import { pathText } from './path-text.ts';
import { ConfigurationError, ENVIRONMENT_ALONE, type Problem, reasonOf, settingsBytes } from './problems.ts';
import { resolveReferences } from './references.ts';
import { type ConfigValues, configSchema } from './schema.ts';
import { valueSeen } from './shown.ts';
import { applyVariables, CONFIG_VARIABLE, unknownVariables, type Variables } from './variables.ts';
import { readYaml } from './yaml.ts';

/** The checked configuration; paths are absolute. */
export interface Config extends Omit<ConfigValues, 'keys' | 'schedule' | 'reconcile' | 'approvals' | 'cluster'> {
  /** The file it came from; null when environment variables alone gave it. */
  readonly file: string | null;
  /** Names of the environment variables that gave a setting, also those of `.env`. */
  readonly variables: readonly string[];
  readonly keyPairs: readonly KeyPair[];
  readonly schedule: Omit<ConfigValues['schedule'], 'timeZone' | 'prune' | 'reconcile' | 'report'> & {
    readonly timeZone: string;
    readonly prune: string | null;
    readonly reconcile: string | null;
    readonly report: string | null;
  };
  readonly reconcile: Omit<ConfigValues['reconcile'], 'cutOff'> & {
    /** Minutes after midnight at which a day ends. */
    readonly cutOffMinutes: number;
  };
  readonly approvals: ConfigValues['approvals'] & {
    /** The section is there: a command without it leaves the rules in the database as they are. */
    readonly isStated: boolean;
  };
  /** `url` holds no password. */
  readonly cluster: ConfigValues['cluster'] & { readonly node: string };
}

const KNOWN = namesOf<ConfigSource>({ file: true, env: true, cwd: true });

/** Schedule of the prune job (03:15) when an age of prune is set and schedule.prune is not. */
const PRUNE_SCHEDULE = '15 3 * * *';
/** Schedule of the reconcile job (06:30, before people come to work) when there is a folder of statements. */
const RECONCILE_SCHEDULE = '30 6 * * *';
/** Schedule of the report job (07:00, after the reconcile job) when reports go somewhere. */
const REPORT_SCHEDULE = '0 7 * * *';

/**
 * Reads and checks the file, `.env` beside it and the environment. Default: the variables and the working folder of this process.
 *
 * @throws ConfigurationError with all problems; TallyhookError of kind `usage` for an argument of another form
 */
export function loadConfig(source: Partial<ConfigSource>): Config {
  requireObject('The argument of loadConfig', source, "loadConfig({ file: 'tallyhook.yaml' })");
  requireKnown(source, KNOWN);
  const { file: asked, env = process.env, cwd = process.cwd() } = source;
  if (asked !== undefined) requireText('file', asked);
  requireText('cwd', cwd);
  requireArgument('env', env, isRecord(env), 'an object of variables: process.env');
  const problems: Problem[] = [];
  const { file } = locateConfig({ file: asked, env, cwd });
  const folder = file === null ? cwd : dirname(file);
  const variables = { ...dotEnv(folder, problems), ...env };
  const usedNames = new Set<string>();
  const resolved = new Set<string>();
  const written = file === null ? {} : readYaml(file, problems, resolved);
  const tree = resolveReferences(written, { variables, folder, problems, usedNames, resolved }) as Record<
    string,
    unknown
  >;
  const origins = applyVariables(tree, variables);
  problems.push(...unknownVariables(variables, usedNames, allSettings));

  const parsed = configSchema.safeParse(tree, { jitless: true });
  const named = (path: readonly PropertyKey[]) => origins.get(pathText(path)) ?? pathText(path);
  const seenAt = (path: readonly PropertyKey[]) =>
    valueSeen(valueAt(tree, path), { secret: isSecret(path) || resolved.has(pathKey(path)) });
  const isWritten = (path: readonly PropertyKey[]) => !resolved.has(pathKey(path)) && !origins.has(pathText(path));
  const reported = new Set(problems.map((problem) => problem.path));
  const found = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => schemaProblems(issue, seenAt, named)),
    ...[...crossProblems(tree), ...openPasswords(tree, isWritten)].map(({ path, rule }) => ({
      path: named(path),
      seen: seenAt(path),
      rule,
    })),
  ];
  problems.push(...found.filter((problem) => !reported.has(problem.path)));
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(file ?? ENVIRONMENT_ALONE, problems);

  const { keys, ...values } = parsed.data;
  const { receiver, schedule, prune, reports, timeZone } = values;
  const { cutOff, ...reconcile } = values.reconcile;
  const inFolder = (path: string | null) => (path === null ? null : resolve(folder, path));
  return {
    ...values,
    file,
    variables: [...new Set(origins.values()), ...usedNames],
    database: resolve(folder, values.database),
    receiver: { ...receiver, captureFailed: inFolder(receiver.captureFailed) },
    schedule: {
      ...schedule,
      timeZone: schedule.timeZone ?? timeZone,
      backupFolder: inFolder(schedule.backupFolder),
      prune:
        schedule.prune !== undefined
          ? schedule.prune
          : Object.values(prune).every((age) => age === null)
            ? null
            : PRUNE_SCHEDULE,
      reconcile:
        schedule.reconcile !== undefined
          ? schedule.reconcile
          : reconcile.statementsFolder === null
            ? null
            : RECONCILE_SCHEDULE,
      report:
        schedule.report !== undefined
          ? schedule.report
          : reports.folder === null && reports.mail === null
            ? null
            : REPORT_SCHEDULE,
    },
    approvals: { ...values.approvals, isStated: tree.approvals !== undefined },
    reports: { ...reports, folder: inFolder(reports.folder) },
    cluster: clusterOf(values.cluster),
    audit: { key: { file: resolve(folder, values.audit.key.file) } },
    reconcile: {
      ...reconcile,
      rules: inFolder(reconcile.rules),
      statementsFolder: inFolder(reconcile.statementsFolder),
      // The schema has refused every other text.
      cutOffMinutes: cutOffMinutesIn(cutOff) ?? Number.NaN,
    },
    keyPairs: ENVIRONMENTS.flatMap((environment) => keyPairs(environment, keys[environment])),
  };
}

/** The name of the host where no node is named; a password out of the address. */
function clusterOf(cluster: ConfigValues['cluster']): Config['cluster'] {
  const { url, password } = splitPassword(cluster.url ?? '');
  return {
    ...cluster,
    url: cluster.url === null ? null : url,
    password: cluster.password ?? (password === null ? null : new Secret(password)),
    node:
      cluster.node ??
      hostname()
        .replaceAll(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 64),
  };
}

function dotEnv(folder: string, problems: Problem[]): Variables {
  const file = join(folder, '.env');
  if (!existsSync(file)) return {};
  try {
    const variables = parseEnv(settingsBytes(file).toString('utf8'));
    if (variables[CONFIG_VARIABLE] !== undefined) {
      const rule = 'works in the real environment only: .env is found beside the file';
      problems.push({ path: CONFIG_VARIABLE, rule });
    }
    return variables;
  } catch (error) {
    problems.push({ path: file, rule: `cannot be read: ${reasonOf(error)}` });
    return {};
  }
}

function schemaProblems(
  issue: z.core.$ZodIssue,
  seenAt: (path: readonly PropertyKey[]) => string,
  named: (path: readonly PropertyKey[]) => string,
): Problem[] {
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => ({ path: pathText(issue.path), rule: message }));
  }
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: named(issue.path), seen: seenAt(issue.path), rule: issue.message }];
  }
  return issue.keys.map((key) => {
    const suggestion = didYouMean(key, settingsAt(issue.path)) ?? settingElsewhere(key);
    const problem = { path: pathText([...issue.path, key]), rule: 'is not a setting' };
    return suggestion === undefined ? problem : { ...problem, suggestion };
  });
}

/** Returns a setting of another section: `receiver.port` for a `port` at the top. */
function settingElsewhere(key: string): string | undefined {
  const named = allSettings().map((setting) => [setting.split('.').at(-1) ?? setting, setting] as const);
  const settings = new Map(named.reverse());
  return settings.get(didYouMean(key, settings.keys()) ?? key);
}

function valueAt(tree: Record<string, unknown>, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((node, step) => (Object(node) as Record<PropertyKey, unknown>)[step], tree);
}

function isSecret(path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  if (path[0] === 'keys') return last !== 'id' && last !== 'notAfter';
  if (path[0] === 'alerts') return last === 'url' || last === 'password';
  if (path[0] === 'cluster') return last === 'password';
  if (path.at(-2) === 'secrets') return true;
  return last === 'token' || last === 'secret' || last === 'clientSecret' || path[1] === 'encryption';
}

function keyPairs(environment: Environment, values: ConfigValues['keys'][Environment]): KeyPair[] {
  return values.map(({ id, publicKey, secretKey, notAfter }, index) => ({
    id: id ?? defaultKeyId(environment, index),
    environment,
    publicKey,
    secretKey,
    notAfter: notAfter === null ? null : new Date(notAfter).toISOString(),
  }));
}
