import type { PeriodChange } from '../../store/periods.ts';

/*
 * What differs between two frozen reports, value by value. An element of a list is named by what it is about, such as
 * `proof[wallet-main NGN].rows[collections].ours`, so that one more element does not move all others.
 */

/** Names of members that say what an element is about, in the order in which they name it. */
const NAMING = [
  'name',
  'date',
  'reference',
  'environment',
  'account',
  'list',
  'by',
  'leg',
  'code',
  'resolution',
  'reasonCode',
  'status',
  'age',
  'currency',
  'sha256',
] as const;

/** Other for every closing: when the figures were made, and who signed them. */
const SIGNED: ReadonlySet<string> = new Set(['asAt', 'prepared', 'approved']);

/** The values that differ, in the order of the report. */
export function changesBetween(before: string, after: string): PeriodChange[] {
  const [one, other] = [JSON.parse(before), JSON.parse(after)].map((report) =>
    Object.fromEntries(Object.entries(report).filter(([name]) => !SIGNED.has(name))),
  );
  return [...differences('', one, other)];
}

function* differences(path: string, before: unknown, after: unknown): Generator<PeriodChange, void, undefined> {
  if (before === after) return;
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === null || other === null || Array.isArray(before) !== Array.isArray(after)) {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    yield { path, before: before ?? null, after: after ?? null };
    return;
  }
  const place = Array.isArray(before) ? (name: string) => `${path}[${name}]` : dotted(path);
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    yield* differences(place(name), one.get(name), other.get(name));
  }
}

function dotted(path: string): (name: string) => string {
  return (name) => (path === '' ? name : `${path}.${name}`);
}

/** Members of an object, or elements of a list by their names; null: it is a single value. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (Array.isArray(value)) return elementsOf(value);
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}

function elementsOf(list: readonly unknown[]): Map<string, unknown> {
  const elements = new Map<string, unknown>();
  for (const [index, element] of list.entries()) {
    const name = nameOf(element) ?? String(index);
    elements.set(elements.has(name) ? `${name} ${index}` : name, element);
  }
  return elements;
}

function nameOf(element: unknown): string | null {
  if (typeof element !== 'object' || element === null) return null;
  const members = element as Readonly<Record<string, unknown>>;
  const item = nameOfItem(members);
  if (item !== null) return item;
  const words = NAMING.map((name) => members[name]).filter((word) => typeof word === 'string');
  return words.length === 0 ? null : words.join(' ');
}

/** An item from before is the same one however it stands; its reference is for the reader. */
function nameOfItem({ id, reference }: Readonly<Record<string, unknown>>): string | null {
  return typeof id === 'string' ? (typeof reference === 'string' ? `${reference} ${id}` : id) : null;
}
