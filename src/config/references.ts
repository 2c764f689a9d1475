import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from './did-you-mean.ts';
import { pathKey } from './path-key.ts';
import { pathText } from './path-text.ts';
import { type Problem, reasonOf } from './problems.ts';
import { pathSeen, variableSeen } from './shown.ts';

/** The variables and folder that `${NAME}` and `{file: path}` are resolved with; collects problems and used names. */
export interface ReferenceContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Folder of the config file, where relative paths of secret files start. */
  readonly folder: string;
  readonly problems: Problem[];
  readonly usedNames: Set<string>;
  /** Paths (`pathKey`) whose value came from a variable, a file or an alias; a message never shows it. */
  readonly resolved: Set<string>;
}

/** Returns the same tree with every reference replaced; one that cannot be resolved becomes `undefined` and a problem. */
export function resolveReferences(
  value: unknown,
  context: ReferenceContext,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof value === 'string') return withVariables(value, context, path);
  if (Array.isArray(value)) return value.map((item, index) => resolveReferences(item, context, [...path, index]));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'file' && !NAMED_FILES.includes(pathText(path)))
    return secretFromFile(only[1], context, path);
  return Object.fromEntries(entries.map(([name, item]) => [name, resolveReferences(item, context, [...path, name])]));
}

function withVariables(text: string, context: ReferenceContext, path: readonly PropertyKey[]): string | undefined {
  let missing = false;
  const replaced = text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (found, name: string | undefined) => {
    if (found === '$${') return '${';
    const value = name === undefined ? undefined : context.variables[name];
    if (name !== undefined) context.usedNames.add(name);
    if (value !== undefined && value !== '' && found.endsWith('}')) {
      context.resolved.add(pathKey(path));
      return value;
    }
    missing = true;
    context.problems.push({ path: pathText(path), ...missingVariable(found, context.variables) });
    return '';
  });
  return missing ? undefined : replaced;
}

/** The rule that `found`, a reference without a value, breaks. */
function missingVariable(found: string, variables: ReferenceContext['variables']): Omit<Problem, 'path'> {
  const name = found.slice(2, -1);
  if (!found.endsWith('}') || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return { rule: 'has a ${ that does not name a variable; a literal one is written $${' };
  }
  const value = variables[name];
  const suggestion = value === undefined ? didYouMean(name, Object.keys(variables)) : undefined;
  return {
    rule: `takes the environment variable ${variableSeen(name)}, which is ${value === undefined ? 'not set' : 'empty'}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function secretFromFile(name: unknown, context: ReferenceContext, path: readonly PropertyKey[]): string | undefined {
  const fileName = typeof name === 'string' ? withVariables(name, context, path) : '';
  if (fileName === undefined) return undefined;
  const file = resolve(context.folder, fileName);
  context.resolved.add(pathKey(path));
  try {
    if (fileName === '' || !statSync(file).isFile()) throw new Error('it is not a file');
    if (statSync(file).size > LARGEST_SECRET_FILE_BYTES) throw new Error('it is too large for a secret');
    const text = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '');
    if (text !== '') return text;
    throw new Error('it is empty');
  } catch (error) {
    const rule = `takes the secret file ${pathSeen(String(name))}, which cannot be used: ${reasonOf(error)}`;
    context.problems.push({ path: pathText(path), rule });
    return undefined;
  }
}

/** Settings that are the path of a file, and not what it holds: it may be made later. */
const NAMED_FILES = ['audit.key'];

const LARGEST_SECRET_FILE_BYTES = 64 * 1024;
