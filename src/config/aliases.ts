import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, visit } from 'yaml';
import { pathKey } from './path-key.ts';

// Anchors (&…) and aliases (*…) of YAML. An alias may put a secret under any setting, so its text is never shown.

/** An alias or anchor that cannot be used. */
export interface AliasMistake {
  readonly offset: number;
  readonly rule: string;
}

const OPEN = 'is an alias (*…) of an anchor that is not before it: write what begins with * in quotes';
const INSIDE = 'is an alias (*…) of an anchor that it stands in';
const AS_NAME = 'is an alias (*…) or has an anchor (&…), and a name may have neither: write it out';

/** Returns what the parser accepts, or names only in an error that repeats its text. */
export function aliasMistakes(document: Document.Parsed): AliasMistake[] {
  const mistakes: AliasMistake[] = [];
  const add = (node: unknown, rule: string) => {
    const range = isNode(node) ? node.range : null;
    mistakes.push({ offset: range?.[0] ?? 0, rule });
  };
  visit(document, {
    Alias(_key, alias, parents) {
      const target = alias.resolve(document);
      if (target === undefined) add(alias, OPEN);
      else if (parents.includes(target)) add(alias, INSIDE);
    },
    Pair(_key, { key }) {
      if (isAlias(key) ? key.resolve(document) !== undefined : isNode(key) && Object(key).anchor !== undefined) {
        add(key, AS_NAME);
      }
    },
  });
  return mistakes;
}

/**
 * Returns the paths (`pathKey`) of all values that have an anchor or come by an alias, those inside of them included. The document has no
 * alias mistakes.
 */
export function sharedPaths(document: Document.Parsed): string[] {
  const found: string[] = [];
  const walk = (written: unknown, path: readonly PropertyKey[], isInside: boolean): void => {
    const node = isAlias(written) ? written.resolve(document) : written;
    const isShared = isInside || isAlias(written) || Object(node).anchor !== undefined;
    if (isShared) found.push(pathKey(path));
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, [...path, index], isShared);
    if (!isMap(node)) return;
    for (const { key, value } of node.items.filter((item) => isPair(item))) {
      walk(value, [...path, String(isScalar(key) ? key.value : key)], isShared);
    }
  };
  walk(document.contents, [], false);
  return found;
}
