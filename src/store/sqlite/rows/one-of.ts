/** The condition of a filter that takes several words, bound as `@name` by `wordsParameter`; NULL: it is left out. */
export function oneOf(column: string, name: string): string {
  return `(@${name} IS NULL OR ${column} IN (SELECT value FROM json_each(@${name})))`;
}

export function wordsParameter(words: readonly string[] | undefined): string | null {
  return words === undefined ? null : JSON.stringify(words);
}
