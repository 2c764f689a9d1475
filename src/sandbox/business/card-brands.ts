/** The brand of a card number, and how many digits its groups have. */
interface Brand {
  readonly name: string;
  readonly numbers: RegExp;
  readonly groups: readonly number[];
}

const FOURS = [4, 4, 4, 4, 3];
const OTHER: Brand = { name: 'Card', numbers: /^/, groups: FOURS };
const BRANDS: readonly Brand[] = [
  { name: 'Visa', numbers: /^4/, groups: FOURS },
  { name: 'Mastercard', numbers: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, groups: FOURS },
  { name: 'American Express', numbers: /^3[47]/, groups: [4, 6, 5] },
  { name: 'Verve', numbers: /^(506[01]|507[89]|6500)/, groups: FOURS },
];

const brandOf = (number: string): Brand => BRANDS.find(({ numbers }) => numbers.test(number)) ?? OTHER;

/** The brand that a card number begins like; `Card` for any other. */
export const brandName = (number: string): string => brandOf(number).name;

/** The digits of a card number in the groups of its brand; digits beyond them follow in one more group. */
export function groupDigits(number: string): string {
  const groups: string[] = [];
  let rest = number;
  for (const size of brandOf(number).groups) {
    groups.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return [...groups, rest].filter((group) => group !== '').join(' ');
}
