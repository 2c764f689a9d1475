const BEFORE = /^[-+(\u2212]?\s*(\p{Sc}|[A-Z]{3})\s*(?=[-(\u2212]?\s*[\d.])/u;
const BEHIND = /(?<=\d[-)\u2212]?)\s*(\p{Sc}|[A-Z]{3})\s*[-)\u2212]?$/u;

/** Returns the currency sign or code beside a number: `$` of `($15.00)`; undefined: there is none. */
export function signBeside(text: string): string | undefined {
  return (BEFORE.exec(text) ?? BEHIND.exec(text))?.[1];
}

/** Returns an amount as plain digits with its minus: `-15.00` of `($15.00)` and of `15.00 Dr`. */
export function plainAmount(text: string): string {
  const sign = signBeside(text);
  const bare = (sign === undefined ? text : text.replace(sign, '')).replace(/\s+/g, ' ').trim();
  const word = /(?<=\d) ?([cd])r\.?$/i.exec(bare);
  const number = word === null ? bare : bare.slice(0, word.index);
  return word?.[1]?.toLowerCase() === 'd' ? `-${number}` : number;
}
