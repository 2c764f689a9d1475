import type { Document } from 'yaml';
import { yamlPackage } from './yaml-package.ts';

/** Settings in which every number is an amount. */
const AMOUNTS = [
  ['reconcile', 'begin', 'balances'],
  ['exceptions', 'reasons'],
];

/**
 * Puts the digits as written in the place of each number under the settings that hold amounts: 9007199254740993.01 as a float
 * would be another amount. A number that comes by an alias stays one, and the schema refuses it.
 */
export function keepDigits(document: Document.Parsed): void {
  const { isNode, visit } = yamlPackage();
  for (const path of AMOUNTS) {
    const amounts = document.getIn(path, true);
    if (!isNode(amounts)) continue;
    visit(amounts, {
      Scalar(key, node) {
        if (key !== 'key' && typeof node.value === 'number') node.value = node.source;
      },
    });
  }
}
