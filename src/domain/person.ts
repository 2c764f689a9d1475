import { TALLYHOOK } from './audit/entry.ts';

/** Most characters of a name. */
const MOST_CHARACTERS = 100;
/** Breaks a line, or shows nothing: two names that look alike would be two persons. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** A name as it is kept: trimmed, in Unicode's composed form. */
export function keptName(text: string): string {
  return text.normalize('NFC').trim();
}

/** Why a kept name cannot stand for a person, to follow what it is called; null: it can. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'is empty';
  if (name.length > MOST_CHARACTERS) return `has ${name.length} characters; ${MOST_CHARACTERS} are allowed`;
  const [unseen] = UNSEEN.exec(name) ?? [];
  if (unseen !== undefined) return `has a character that cannot be seen (${codePoint(unseen)})`;
  return samePerson(name, TALLYHOOK) ? `is ${name}, which stands for the runs and jobs of the program` : null;
}

/** Whether two names stand for one person: "Ada", "ada " and "Ａｄａ" do. What a name proves is in docs/security.md. */
export function samePerson(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** Once up and once down: "ß" and "SS", "σ" and "ς" are one. */
function folded(name: string): string {
  const plain = name.normalize('NFKC').trim().replace(/\s+/g, ' ');
  return plain.toUpperCase().toLowerCase().normalize('NFKC');
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
