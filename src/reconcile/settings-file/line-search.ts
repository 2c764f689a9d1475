import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { SettingsDocument } from './read.ts';
import type { LineOf } from './schema-problems.ts';

/** Returns the search for the line on which a setting stands; of a missing one the line of what it is missing in. */
export function lineSearch({ document, lines }: SettingsDocument): LineOf {
  return (path) => {
    let offset = 0;
    let node: unknown = document.contents;
    for (const step of path) {
      const inside = isAlias(node) ? node.resolve(document) : node;
      const pair = isMap(inside)
        ? inside.items.find(({ key }) => String(isScalar(key) ? key.value : key) === step)
        : undefined;
      node = pair?.value ?? (isSeq(inside) ? inside.items[Number(step)] : undefined);
      offset = offsetOf(pair?.key) ?? offsetOf(node) ?? offset;
    }
    return lines.linePos(offset).line;
  };
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
