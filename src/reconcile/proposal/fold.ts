/** Returns a text as words are compared: lower case, without accents, one blank for each run of other signs. */
export function foldedWord(text: string): string {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
