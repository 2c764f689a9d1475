import { requireText } from '../misuse.ts';

/** A secret that logs, errors, JSON and templates cannot show by accident; only `reveal()` returns the text. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    requireText('The text of a Secret', text);
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** Returns prefix and length, enough to recognise the secret: `sk_test_… (48 characters)`. */
  toString(): string {
    const prefix = /^[sp]k_(?:test|live)_/.exec(this.#text)?.[0] ?? '';
    return `${prefix}… (${this.#text.length} characters)`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}
