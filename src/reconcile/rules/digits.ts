import { type Document, isPair, isScalar, visit } from 'yaml';

/** Settings with an amount or a per cent. */
const EXACT = new Set(['percent', 'fixed', 'cap', 'minimum', 'threshold', 'amount']);

/** Replaces the numbers of these settings by their digits as they are written: a number of YAML is a double, which rounds. */
export function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_key, node, parents) {
      if (typeof node.value !== 'number' || node.source === undefined) return;
      const pair = parents.at(-1);
      if (isPair(pair) && isScalar(pair.key) && EXACT.has(String(pair.key.value))) node.value = node.source;
    },
  });
}
