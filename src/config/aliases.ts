import type { Document } from 'yaml';
import { pathKey } from './path-key.ts';
import { yamlPackage } from './yaml-package.ts';

// Anchors (&…) and aliases (*…) of YAML. An alias may put a secret under any setting, so its text is never shown.

/** An alias or anchor that cannot be used. */
export interface AliasMistake {
  readonly offset: number;
  readonly rule: string;
}

const OPEN = 'is an alias (*…) of an anchor that is not before it: write what begins with * in quotes';
const INSIDE = 'is an alias (*…) of an anchor that it stands in';
const AS_NAME = 'is an alias (*…) or has an anchor (&…), and a name may have neither: write it out';

/** Values that a document may have with its aliases written out: ten aliases of ten aliases of ten … would be billions. */
const MOST_VALUES = 10_000;
const TOO_MANY = `stands for more than ${MOST_VALUES} values, with the aliases (*…) in it written out`;

/** Returns what the parser accepts, or names only in an error that repeats its text. */
export function aliasMistakes(document: Document.Parsed): AliasMistake[] {
  const { isAlias, isNode, visit } = yamlPackage();
  const mistakes: AliasMistake[] = [];
  const anchors = new Map<string, unknown>();
  const add = (node: unknown, rule: string) => {
    const range = isNode(node) ? node.range : null;
    mistakes.push({ offset: range?.[0] ?? 0, rule });
  };
  visit(document, {
    Node(_key, node, parents) {
      if (!isAlias(node)) {
        const { anchor } = Object(node);
        if (anchor !== undefined) anchors.set(anchor, node);
        return;
      }
      const target = anchors.get(node.source);
      if (target === undefined) add(node, OPEN);
      else if (parents.some((parent) => parent === target)) add(node, INSIDE);
    },
    Pair(_key, { key }) {
      if (isAlias(key) ? anchors.has(key.source) : isNode(key) && Object(key).anchor !== undefined) {
        add(key, AS_NAME);
      }
    },
  });
  if (mistakes.length === 0 && anchors.size > 0 && valuesIn(document) > MOST_VALUES) add(document.contents, TOO_MANY);
  return mistakes;
}

/** How many values a document has with its aliases written out. Each anchor is counted once, so it takes no longer than reading. */
function valuesIn(document: Document.Parsed): number {
  const { isAlias, isMap, isSeq } = yamlPackage();
  const ofAnchor = new Map<string, number>();
  const count = (node: unknown): number => {
    if (isAlias(node)) return ofAnchor.get(node.source) ?? 1;
    const inside = isMap(node)
      ? node.items.reduce((sum, { value }) => sum + count(value), 0)
      : isSeq(node)
        ? node.items.reduce((sum: number, item) => sum + count(item), 0)
        : 0;
    const { anchor } = Object(node);
    if (anchor !== undefined) ofAnchor.set(anchor, inside + 1);
    return inside + 1;
  };
  return count(document.contents);
}

/**
 * Returns the paths (`pathKey`) of all values that have an anchor or come by an alias, those inside of them included. The document has no
 * alias mistakes.
 */
export function sharedPaths(document: Document.Parsed): string[] {
  const { isAlias, isMap, isPair, isScalar, isSeq } = yamlPackage();
  const found: string[] = [];
  const targets = targetsIn(document);
  const walk = (written: unknown, path: readonly PropertyKey[], isInside: boolean): void => {
    const node = isAlias(written) ? targets.get(written) : written;
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

/** What each alias stands for: the latest node before it with its anchor. In one pass; asking the parser for each is quadratic. */
function targetsIn(document: Document.Parsed): Map<unknown, unknown> {
  const { isAlias, visit } = yamlPackage();
  const anchors = new Map<string, unknown>();
  const targets = new Map<unknown, unknown>();
  visit(document, {
    Node(_key, node) {
      const { anchor } = Object(node);
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (anchor !== undefined) anchors.set(anchor, node);
    },
  });
  return targets;
}
