import { noticeBlock, postForm } from './blocks.ts';
import type { Block, Button, Field, FormBlock, Link, Option } from './page.ts';

// Forms that many screens have: a single button, and the page between choosing and acting.

/** What is asked for alone: a filter without a value is none. */
export function given<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** Words as they may be chosen. */
export function asOptions(words: readonly string[]): Option[] {
  return words.map((word) => ({ value: word, label: word }));
}

/** A button that does one thing, with what the act has to know. */
export function actForm(id: string, action: string, button: Button, fields: readonly Field[] = []): FormBlock {
  return postForm(id, action, { as: 'act', fields, buttons: [button] });
}

/** What an act would change, and what follows from it. */
export interface Looked {
  readonly text: string;
  readonly next: string;
  /** Where to choose something else. */
  readonly back: Link;
  readonly action: string;
  /** What was chosen, for the act. */
  readonly chosen: readonly Field[];
  readonly button: Button;
  /** Whether anything would change. */
  readonly isAny: boolean;
}

/** The page between choosing and acting: what would change, and the form that does it (`do`). */
export function lookBlocks({ text, next, back, action, chosen, button, isAny }: Looked): Block[] {
  const tone = button.as === 'danger' ? 'warn' : 'quiet';
  const fields: Field[] = [...chosen, { type: 'hidden', name: 'do', value: '1' }];
  return [
    noticeBlock(tone, text, { next, links: [back] }),
    ...(isAny ? [postForm('do', action, { fields, buttons: [button] })] : []),
  ];
}

/** Whether the person has seen what would change. */
export function isMeant(form: URLSearchParams): boolean {
  return form.get('do') === '1';
}
