import type { Document, ErrorCode, LineCounter } from 'yaml';
import { aliasMistakes, sharedPaths } from './aliases.ts';
import { keepDigits } from './exact-digits.ts';
import { type Problem, reasonOf, settingsBytes } from './problems.ts';
import { valueSeen } from './shown.ts';
import { yamlPackage } from './yaml-package.ts';

/**
 * Reads a map of settings. Reports positions instead of the parser's messages, because the line may hold a secret. Adds to `hidden`
 * the paths (`pathKey`) whose value no message may show.
 */
export function readYaml(file: string, problems: Problem[], hidden: Set<string>): Record<string, unknown> {
  try {
    const { document, mistakes, isBroken } = parseYaml(settingsBytes(file).toString('utf8'));
    problems.push(...mistakes);
    if (isBroken) return {};
    keepDigits(document);
    const root: unknown = document.toJS({ maxAliasCount: -1 }) ?? {}; // aliasMistakes has its own bound
    for (const path of sharedPaths(document)) hidden.add(path);
    if (typeof root === 'object' && root !== null && !Array.isArray(root)) return root as Record<string, unknown>;
    problems.push({ path: 'the file', seen: valueSeen(root, { secret: true }), rule: 'must be a map of settings' });
  } catch (error) {
    problems.push({ path: file, rule: `cannot be read: ${reasonOf(error)}` });
  }
  return {};
}

export interface ParsedYaml {
  readonly document: Document.Parsed;
  /** Where its lines begin. */
  readonly lines: LineCounter;
  /** What is not YAML, with its line and column, in our own words. */
  readonly mistakes: readonly Problem[];
  /** The document has no content that could be used. */
  readonly isBroken: boolean;
}

/** Parses a document. Nothing of its text is in a mistake, because it may be a secret. */
export function parseYaml(text: string): ParsedYaml {
  const yaml = yamlPackage();
  const lines = new yaml.LineCounter();
  // With a lower level the parser would print a warning that repeats a key. It looks for names that occur twice by comparing each with
  // each: 40,000 would take half a minute.
  const options = { prettyErrors: false, lineCounter: lines, logLevel: 'error', uniqueKeys: false } as const;
  const document = yaml.parseDocument(text, options);
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const aliases = aliasMistakes(document);
  const repeated = repeatedNames(document);
  const mistakes = [
    ...[...document.errors, ...document.warnings, ...repeated].map(({ code, pos }) => ({
      path: at(pos[0]),
      rule: `is not valid YAML: ${MISTAKES[code]}`,
    })),
    ...aliases.map(({ offset, rule }) => ({ path: at(offset), rule })),
  ];
  return { document, lines, mistakes, isBroken: document.errors.length + repeated.length + aliases.length > 0 };
}

/** Returns the names that stand in a map before, as mistakes. */
function repeatedNames(document: Document.Parsed): { readonly code: ErrorCode; readonly pos: readonly [number] }[] {
  const { isScalar, visit } = yamlPackage();
  const repeated: { code: ErrorCode; pos: [number] }[] = [];
  visit(document, {
    Map(_key, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) repeated.push({ code: 'DUPLICATE_KEY', pos: [key.range?.[0] ?? 0] });
        names.add(key.value);
      }
    },
  });
  return repeated;
}

/** What is wrong, in words of the file, and what to write. The parser's own messages quote the line. */
const MISTAKES: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias (*) can have no tag or anchor',
  BAD_ALIAS: 'write what begins with * in quotes', // `sweep: * * * * *`
  BAD_COLLECTION_TYPE: 'a tag (!) does not fit what follows it',
  BAD_DIRECTIVE: 'a line that begins with % is a directive; write it in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins a sequence that does not exist; write it in single quotes',
  BAD_INDENT:
    'the line is indented too little or too much; settings of one level begin in the same column. Or a ] or } is missing above',
  BAD_PROP_ORDER: 'a tag or anchor stands in the wrong place',
  BAD_SCALAR_START: 'write what begins with @ or ` in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'two settings share a line, or a text has a colon; one setting per line, a text with a colon in quotes',
  BLOCK_IN_FLOW: 'an indented list or map stands inside [ ] or { }',
  DUPLICATE_KEY: 'the name occurs twice at this level',
  IMPOSSIBLE: 'it cannot be read here',
  KEY_OVER_1024_CHARS: 'the name of a setting is too long; is a quote missing?',
  MISSING_CHAR: 'a quote, a colon, a comma or a closing ] or } is missing',
  MULTILINE_IMPLICIT_KEY: 'the name of a setting goes over several lines; is a colon or a quote missing?',
  MULTIPLE_ANCHORS: 'a value has two anchors (&)',
  MULTIPLE_DOCS: 'a line of --- begins a second document; one is read',
  MULTIPLE_TAGS: 'a value has two tags (!)',
  NON_STRING_KEY: 'the name of a setting must be a text',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  TAB_AS_INDENT: 'indent with spaces; a tab is not allowed',
  TAG_RESOLVE_FAILED: 'a tag (!) is not known; write what begins with ! in quotes',
  UNEXPECTED_TOKEN: 'a character stands where none can; is a quote or a line end missing?',
};
