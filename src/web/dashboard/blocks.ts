import type {
  BesideBlock,
  Block,
  FactsBlock,
  FoldBlock,
  FormBlock,
  LinksBlock,
  NoticeBlock,
  SectionBlock,
  TextBlock,
  Tone,
} from './page.ts';

// The parts that most pages are made of: what each must have, by place; what it may have, by name.

type More<Of, Given extends keyof Of> = Omit<Of, 'kind' | Given>;

export function textBlock(text: string, more: More<TextBlock, 'text'> = {}): TextBlock {
  return { kind: 'text', text, ...more };
}

export function noticeBlock(tone: Tone, text: string, more: More<NoticeBlock, 'tone' | 'text'> = {}): NoticeBlock {
  return { kind: 'notice', tone, text, ...more };
}

export function factsBlock(facts: FactsBlock['facts']): FactsBlock {
  return { kind: 'facts', facts };
}

export function linksBlock(label: string, links: LinksBlock['links']): LinksBlock {
  return { kind: 'links', label, links };
}

/** Its id is the place on the page that a link leads to. */
export function sectionBlock(id: string, title: string, blocks: readonly Block[], lead?: string): SectionBlock {
  return { kind: 'section', id, title, blocks, ...(lead !== undefined && { lead }) };
}

export function foldBlock(
  title: string,
  blocks: readonly Block[],
  more: More<FoldBlock, 'title' | 'blocks'> = {},
): FoldBlock {
  return { kind: 'fold', title, blocks, ...more };
}

export function besideBlock(parts: BesideBlock['parts']): BesideBlock {
  return { kind: 'beside', parts };
}

type FormMore = Omit<More<FormBlock, 'id' | 'method' | 'action'>, 'fields'> & Partial<Pick<FormBlock, 'fields'>>;

/** A form that does something. */
export function postForm(id: string, action: string, { fields = [], ...more }: FormMore): FormBlock {
  return { kind: 'form', id, method: 'POST', action, fields, ...more };
}

/** A form whose fields become the address. */
export function getForm(id: string, action: string, { fields = [], ...more }: FormMore): FormBlock {
  return { kind: 'form', id, as: 'filters', method: 'GET', action, fields, ...more };
}
