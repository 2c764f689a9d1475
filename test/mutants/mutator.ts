import { parseAst } from 'vitest/node';
import { type Change, changesOf, isNode, type Node } from './mutations.ts';

/** One small change of one source file. */
export interface Mutant extends Change {
  /** Inside the repository. */
  readonly file: string;
  readonly line: number;
}

/** Nodes of types around a value; all other nodes of types, and what they hold, vanish before the program runs. */
const VALUES_WITH_TYPES = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

/** Returns every mutant of a TypeScript source, in the order of its places. Imports, types and names of fields stay. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const root: unknown = parseAst(source, { lang: 'ts' });
  if (!isNode(root)) throw new Error(`The parser returned no syntax tree of ${file}.`);
  const mutants: Mutant[] = [];
  for (const node of nodesIn(root))
    for (const change of changesOf(node, source))
      mutants.push({ file, line: source.slice(0, change.start).split('\n').length, ...change });
  return mutants.sort((one, other) => one.start - other.start);
}

/** Returns a source with its small change. */
export function withChange(source: string, { start, end, by }: Change): string {
  return source.slice(0, start) + by + source.slice(end);
}

/** Returns file, line and change as one line: `src/domain/a.ts:3  a < b -> a <= b`. */
export function describeMutant(mutant: Mutant, source: string): string {
  const { file, line, start, end, by } = mutant;
  const [before = ''] = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).split('\n');
  const [first = '', ...more] = source.slice(start, end).split('\n');
  const [after = ''] = source.slice(end).split('\n');
  const shown = more.length === 0 ? first : `${first} …`;
  return `${file}:${line}  ${before.trimStart()}⟦${shown} → ${by}⟧${after}`;
}

function* nodesIn(node: Node): Generator<Node> {
  if (node.type === 'ImportDeclaration') return;
  if (node.type.startsWith('TS') && !VALUES_WITH_TYPES.includes(node.type)) return;
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'key' && node.computed === false) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
  }
}
