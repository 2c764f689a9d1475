/** Words of a column that says whether money went out or came in. */
export const DEBIT_WORDS =
  /^(d|dr|db|d[eé]bito?|debe|dare|out|s|soll|-|withdrawal|outgoing|sa[ií]da|salida|sortie|uscita)$/i;
export const CREDIT_WORDS =
  /^(c|cr|cr[eé]dito?|haber|avere|in|h|haben|\+|deposit|incoming|entrada|entr[eé]e|entrata|ingreso)$/i;

/** The two words of a language for money out and money in. */
const DIRECTIONS: readonly (readonly [debit: string, credit: string])[] = [
  ['S', 'H'],
  ['Soll', 'Haben'],
  ['D', 'C'],
  ['Debit', 'Credit'],
];

/** Returns the words of money out and in; of a file that has only one of the two, the other as that language writes it. */
export function directionsOf(words: readonly string[]): { readonly debit: string[]; readonly credit: string[] } {
  const debit = words.filter((word) => DEBIT_WORDS.test(word));
  const credit = words.filter((word) => !DEBIT_WORDS.test(word));
  const [out = 'DR', into = 'CR'] = DIRECTIONS.find((pair) => pair.some((word) => words.includes(word))) ?? [];
  return { debit: debit.length === 0 ? [out] : debit, credit: credit.length === 0 ? [into] : credit };
}
