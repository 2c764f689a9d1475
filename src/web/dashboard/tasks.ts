import { textBlock } from './blocks.ts';
import { actForm } from './forms.ts';
import type { Page } from './page.ts';
import { type Download, lightForm, lightPage, type Route } from './route.ts';

// What a visitor sees of a work that is computed aside, by its own address.

export const taskRoutes: readonly Route[] = [
  lightPage('/tasks/:id', 'read', async ({ works, params: { id = '' }, visitor }) => works.fetch(id, visitor)),
  lightPage('/tasks/:id/file', 'read', async ({ works, params: { id = '' }, visitor }) => works.file(id, visitor)),
  lightForm('/tasks/:id/stop', 'read', async ({ works, params: { id = '' }, visitor }) => works.stop(id, visitor)),
];

interface UnderWay {
  readonly id: string;
  readonly progress: { readonly done: number; readonly total: number | null };
}

export function progressPage({ id, progress }: UnderWay, waitingBefore: number): Page {
  const text =
    waitingBefore > 0
      ? `It waits for ${waitingBefore === 1 ? 'the work' : `${waitingBefore} works`} before it.`
      : 'It is computed in a process of its own.';
  return {
    ...{ title: 'Under way', question: 'How far is it?', commands: [], refresh: { seconds: 2 } },
    blocks: [
      { kind: 'progress', text, ...progress },
      textBlock('This page asks again by itself, and shows the answer once it is there.', { tone: 'quiet' }),
      actForm('stop', `/tasks/${id}/stop`, { label: 'Stop it', as: 'plain' }),
    ],
  };
}

/** The browser keeps this page when the file begins to come by itself, so the file is offered here, too. */
export function filePage(id: string, { name }: Download): Page {
  const to = `/tasks/${id}/file`;
  return {
    ...{ title: 'The file is there', question: 'Where is it saved?', commands: [], refresh: { seconds: 0, to } },
    blocks: [
      textBlock('The browser saves it by itself, where it saves every file. It is kept here for 15 minutes.', {
        links: [{ text: name, href: to }],
      }),
    ],
  };
}
