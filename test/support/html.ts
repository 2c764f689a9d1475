/*
 * A strict reader of HTML that a program wrote: every element is closed, every attribute is quoted, every entity is known. It
 * shares nothing with what wrote the page.
 */

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (Element | string)[];
}

const VOID = ['meta'];
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
]);
const TOKEN =
  /<!doctype html>|<style>([\s\S]*?)<\/style>|<\/([a-zA-Z][\w-]*)>|<([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** Returns the root of a page or of one element. @throws Error at the first thing that is not strict */
export function readHtml(html: string): Element {
  const root = { name: '', attributes: new Map<string, string>(), children: [] as (Element | string)[] };
  const open = [root];
  let end = 0;
  for (const { 0: token, 1: style, 2: closing, 3: name, 4: attributes = '', 5: slash, 6: text, index } of html.matchAll(
    TOKEN,
  )) {
    if (index !== end) break;
    end = index + token.length;
    const parent = open.at(-1);
    if (parent === undefined) throw new Error(`something follows the root: ${token}`);
    if (style !== undefined) parent.children.push({ name: 'style', attributes: new Map(), children: [style] });
    else if (text !== undefined) parent.children.push(decoded(text));
    else if (closing !== undefined) {
      if (open.pop()?.name !== closing)
        throw new Error(`</${closing}> closes <${parent.name}> at ${html.slice(index - 80, end)}`);
    } else if (name !== undefined) {
      const element = { name, attributes: attributesOf(attributes), children: [] };
      parent.children.push(element);
      if (slash === '' && !VOID.includes(name)) open.push(element);
    }
  }
  if (end !== html.length) throw new Error(`not strict HTML: ${html.slice(end, end + 120)}`);
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is never closed`);
  return root;
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (found.has(name)) throw new Error(`${name} twice: ${text}`);
    found.set(name, decoded(value));
  }
  return found;
}

function decoded(text: string): string {
  return text.replace(/&([^;]{0,8});?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? ENTITIES.get(name) : undefined;
    if (character === undefined) throw new Error(`unknown entity ${whole}`);
    return character;
  });
}

/** The element and all below it, in the order of the page. */
export function* elements(one: Element): Generator<Element> {
  yield one;
  for (const child of one.children) if (typeof child !== 'string') yield* elements(child);
}

export function all(one: Element, isWanted: (element: Element) => boolean): Element[] {
  return [...elements(one)].filter(isWanted);
}

export function named(one: Element, name: string): Element[] {
  return all(one, (element) => element.name === name);
}

export function byId(one: Element, id: string): Element {
  const [found, ...more] = all(one, ({ attributes }) => attributes.get('id') === id);
  if (found === undefined || more.length > 0) throw new Error(`${1 + more.length} elements have the id ${id}`);
  return found;
}

export function hasClass(element: Element, name: string): boolean {
  return (element.attributes.get('class') ?? '').split(' ').includes(name);
}

/** Its text, blanks joined. */
export function textOf(element: Element): string {
  const text = (one: Element | string): string => (typeof one === 'string' ? one : one.children.map(text).join(''));
  return text(element).replace(/\s+/g, ' ').trim();
}

/** The table with a caption: its rows by their cells, the head first. */
export function tableOf(root: Element, caption: string): string[][] {
  const [table, ...more] = named(root, 'table').filter(
    (one) => textOf(named(one, 'caption')[0] as Element) === caption,
  );
  if (table === undefined || more.length > 0)
    throw new Error(`${table === undefined ? 'no' : 'a second'} table: ${caption}`);
  return named(table, 'tr').map((row) => all(row, ({ name }) => name === 'td' || name === 'th').map(textOf));
}
