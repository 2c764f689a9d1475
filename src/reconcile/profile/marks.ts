import { type Document, isMap, isScalar, type LineCounter, visit } from 'yaml';

// `statements profile` writes what it guessed as text with a mark, `decimal: "confirm: ."`. An import is refused while one is
// left, because a guess about money must be looked at.

export const MARK = 'confirm:';
const MARKED = /^\s*confirm:\s?/i;

/** A guess that is not confirmed yet. */
export interface Mark {
  /** From 1. */
  readonly line: number;
  readonly path: string;
  /** The guess without its mark. */
  readonly value: string;
}

/** Returns the guess with its mark, as `statements profile` writes it. */
export function marked(value: string): string {
  return `${MARK} ${value}`;
}

/** Returns every mark in a document, with its line, and takes them out of it. */
export function takeMarks(document: Document.Parsed, lines: LineCounter): Mark[] {
  const marks: Mark[] = [];
  visit(document, {
    Scalar(key, node, parents) {
      if (typeof node.value !== 'string' || !MARKED.test(node.value)) return;
      node.value = node.value.replace(MARKED, '');
      const path = [
        ...parents.flatMap((parent) => nameIn(parent)),
        ...(typeof key === 'number' ? [`[${key}]`] : []),
      ].join('.');
      marks.push({
        line: lines.linePos(node.range?.[0] ?? 0).line,
        path: path.replaceAll('.[', '['),
        value: String(node.value),
      });
    },
  });
  return marks;
}

function nameIn(parent: unknown): string[] {
  if (isMap(parent)) return [];
  const { key } = Object(parent) as { key?: unknown };
  return isScalar(key) ? [String(key.value)] : [];
}
