/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Number of the line on which its text begins, for messages. */
  readonly line: number;
}

/** Every fenced block of a page, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: text = '', index }) => ({
    language,
    text,
    line: page.slice(0, index).split('\n').length + 1,
  }));
}

/** The text under a heading of the second level, up to the next one. */
export function sectionOf(page: string, heading: string): string {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0];
  if (section === undefined) throw new Error(`no section "${heading}"`);
  return section;
}

/** The commands under a heading. */
export function shellBlocks(page: string, heading: string): string[] {
  return blocksOf(sectionOf(page, heading))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}
