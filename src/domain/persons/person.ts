import { TALLYHOOK } from '../audit/entry.ts';

/** Most characters of a name. */
const MOST_CHARACTERS = 100;
/**
 * Breaks a line, or shows nothing: two names that look alike would be two persons. The last are blank signs of Braille, music, Khitan
 * and hieroglyphs, which Unicode counts as letters or symbols.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]/u;
/** Scripts with letters that look alike. */
const LIKE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'] as const;
const SCRIPTS = LIKE_SCRIPTS.map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** A name as it is kept: trimmed, in Unicode's composed form. */
export function keptName(text: string): string {
  return text.normalize('NFC').trim();
}

/** Why a kept name cannot stand for a person, to follow what it is called; null: it can. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'is empty';
  if (name.length > MOST_CHARACTERS) return `has ${name.length} characters; ${MOST_CHARACTERS} are allowed`;
  return (
    unseenProblem(name) ??
    (samePerson(name, TALLYHOOK) ? `is ${name}, which stands for the runs and jobs of the program` : null)
  );
}

/** Why a kept name cannot be that of a new user, to follow what it is called; null: it can. The name is a part of the address of its page. */
export function userNameProblem(name: string): string | null {
  return (
    nameProblem(name) ??
    (/^\.\.?$|\//.test(name) ? 'is a dot or two, or has a slash: its page could not be opened' : null)
  );
}

/** Why a name, of a person or a thing, cannot be shown as it is; null: it can. */
export function unseenProblem(name: string): string | null {
  const [unseen] = UNSEEN.exec(name) ?? [];
  return unseen === undefined ? null : `has a character that cannot be seen (${codePoint(unseen)})`;
}

/** The scripts of the first word that mixes letters of scripts that look alike, such as a Cyrillic А in "Аda"; else none. */
export function mixedScripts(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{M}]+/u);
  const scripts = words.map((word) => SCRIPTS.filter(({ letter }) => letter.test(word)).map((script) => script.name));
  return scripts.find(({ length }) => length > 1) ?? [];
}

/** What to ask of a name that mixes scripts; null: it does not. `what` names it there: `The name of the user`. */
export function mixedScriptsText(what: string, name: string): string | null {
  const scripts = mixedScripts(name);
  if (scripts.length === 0) return null;
  return `${what} is ${JSON.stringify(name)}, a word of ${scripts.join(' and ')} letters: is it the name that you mean?`;
}

/** Whether two names stand for one person: "Ada", "ada " and "Ａｄａ" do. What a name proves is in docs/security.md. */
export function samePerson(one: string, other: string): boolean {
  return foldedName(one) === foldedName(other);
}

/** One text for all names of one person. Once up and once down: "ß" and "SS", "σ" and "ς" are one. */
export function foldedName(name: string): string {
  const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
  return plain.toUpperCase().toLowerCase().normalize('NFKC');
}

function codePoint(character: string): string {
  return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
}
