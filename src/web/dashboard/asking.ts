import { ASK_BY_COMMAND } from '../../domain/access/approval.ts';
import type { AskedOrder } from '../../store/approvals.ts';
import { StoreError } from '../../store/error.ts';
import { textIn } from './asked.ts';
import { noticeBlock, postForm } from './blocks.ts';
import type { Field, Page } from './page.ts';
import type { Answer, Context } from './route.ts';

/*
 * An act that may need a second person. The store alone knows whether it does, in the transaction of the act; a page that is refused
 * offers to ask for it, with what the person said still in its form.
 */

/**
 * Does it; where another person has to approve it first, shows the form that asks, and asks when that is sent. `whenAsked`: the page after
 * that, of an act with a secret that is shown once; missing: the request.
 */
export async function doOrAsk(
  context: Context,
  asked: AskedOrder,
  act: () => Promise<Answer>,
  whenAsked?: (request: number) => Answer,
): Promise<Answer> {
  if (context.form.get('ask') === '1') return ask(context, asked, whenAsked);
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreError) || error.fault !== 'not_approved') throw error;
    const { message, hint } = error;
    return askPage(context, asked, hint === ASK_BY_COMMAND ? { message } : { message, hint }); // the form below asks
  }
}

async function ask(context: Context, asked: AskedOrder, whenAsked?: (request: number) => Answer): Promise<Answer> {
  const { operations, visitor, form } = context;
  const reason = textIn(form, 'askReason');
  if (reason === undefined) return askPage(context, asked, { message: 'Say why: who approves it reads it.' }, 422);
  const result = await operations.approvals.ask({ ...asked, by: visitor.name, reason });
  if (result.outcome === 'done') {
    const { id } = result.request;
    const said = 'Asked. Another person looks at it, and approves or refuses it.';
    return whenAsked?.(id) ?? { to: `/approvals/${id}`, said };
  }
  const { message, hint } = result;
  return askPage(context, asked, { message, hint }, 409);
}

interface Why {
  readonly message: string;
  readonly hint?: string | undefined;
}

function askPage({ form, address }: Context, { act }: AskedOrder, { message, hint }: Why, status = 403): Page {
  const kept = [...form]
    .filter(([name]) => !['token', 'ask', 'askReason'].includes(name))
    .map(([name, value]): Field => ({ type: 'hidden', name, value }));
  return {
    title: 'A second person has to approve this',
    question: 'Why should it be done?',
    commands: [`tallyhook approvals list`],
    trail: [{ text: 'Approvals', href: '/approvals' }],
    status,
    blocks: [
      noticeBlock('warn', message, { next: hint }),
      postForm('ask', address, {
        title: `Ask for it: ${act.replace('.', ' ')}`,
        fields: [
          ...kept,
          { type: 'hidden', name: 'ask', value: '1' },
          {
            type: 'textarea',
            name: 'askReason',
            label: 'Why',
            value: form.get('askReason') ?? '',
            required: true,
            maxLength: 1_000,
          },
        ],
        buttons: [{ label: 'Ask another person' }],
        note: 'The request holds exactly what it is about as it stands now. Nothing is changed before it is approved and you carry it out.',
      }),
    ],
  };
}
