import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { TallyhookError } from '../../../domain/error.ts';
import type { Wanted } from '../../../domain/exceptions/act.ts';
import { codesOf } from '../../../domain/exceptions/reasons.ts';
import { ANY_CURRENCY, type Attachment, type ReasonRules, type Resolution } from '../../../domain/exceptions/words.ts';
import { money } from '../../../domain/money/amount.ts';
import { keptName, nameProblem } from '../../../domain/persons/person.ts';
import { textIn } from '../asked.ts';
import type { Button, Field } from '../page.ts';
import type { Route, UploadedFile } from '../route.ts';

// What a person says of some exceptions: the fields of each act, and the act that they make.

export const ACTS = ['resolve', 'assign', 'comment', 'reopen', 'approve'] as const;
export type ActOnMany = (typeof ACTS)[number];

export interface ActWords {
  readonly name: ActOnMany;
  readonly act: Route['act'];
  readonly path: string;
  readonly label: string;
  /** `500 exceptions resolved` */
  readonly done: string;
}

/** The acts that one form can do to many exceptions. */
export const ACTS_OF_MANY: readonly ActWords[] = [
  { name: 'resolve', act: 'exception.resolve', path: '/exceptions/resolve', label: 'Resolve', done: 'resolved' },
  { name: 'assign', act: 'exception.assign', path: '/exceptions/assign', label: 'Assign', done: 'assigned' },
  { name: 'comment', act: 'exception.comment', path: '/exceptions/comment', label: 'Comment on', done: 'commented' },
  { name: 'reopen', act: 'exception.reopen', path: '/exceptions/reopen', label: 'Open again', done: 'opened again' },
  { name: 'approve', act: 'exception.approve', path: '/exceptions/approve', label: 'Approve', done: 'approved' },
];

/** A button for each act; the first is the one that is meant most. */
export function actButtons(acts: readonly ActWords[]): Button[] {
  return acts.map(({ path, label }, at) => ({
    ...{ label: `${label} …`, action: path, as: at === 0 ? 'main' : 'plain' },
  }));
}

/** What each resolution means; `match` and `undo_match` name lines, and are said on the page of one exception. */
const MEANINGS = {
  accept: 'Accept: we bear the difference',
  claim: 'Claim it from the service',
  carry: 'Carry it into the next period',
  ours: 'Our books are wrong',
} as const satisfies Partial<Record<Resolution, string>>;
type Sayable = keyof typeof MEANINGS;
const SAYABLE = Object.keys(MEANINGS) as Sayable[];

/** The fields of an act, with what was said already. */
export function fieldsOf(name: ActOnMany, said: URLSearchParams, reasons: ReasonRules): Field[] {
  const value = (field: string) => said.get(field) ?? undefined;
  const comment = (label: string, required: boolean): Field => ({
    ...{ type: 'textarea', name: 'comment', label, value: value('comment'), maxLength: 1_000 },
    required,
  });
  switch (name) {
    case 'resolve':
      return [
        {
          ...{ type: 'select', name: 'decision', label: 'What becomes of it, and why', value: value('decision') ?? '' },
          options: [{ value: '', label: 'choose' }, ...decisions(reasons)],
          required: true,
        },
        {
          ...{ type: 'text', name: 'reference', label: 'Reference of the claim or the correction' },
          ...{ value: value('reference'), maxLength: 200 },
          hint: 'A claim and an error of ours need one, such as CLM-7.',
        },
        {
          ...{ type: 'date', name: 'followUp', label: 'Ask again on', value: value('followUp') },
          hint: 'A claim needs a day.',
        },
        comment('Comment', false),
        ...(needsFiles(reasons) ? [PROOF] : []),
        ...said.getAll('attached').map((one): Field => ({ type: 'hidden', name: 'attached', value: one })),
      ];
    case 'assign':
      return [
        {
          ...{ type: 'text', name: 'assignee', label: 'Who works on it', value: value('assignee'), maxLength: 100 },
          hint: '- takes it back from its assignee.',
          required: true,
        },
      ];
    case 'comment':
      return [comment('Comment', true)];
    case 'reopen':
      return [comment('Why it is opened again', true)];
    case 'approve':
      return [];
  }
}

/** A code with each resolution that it goes with, and when a second person is needed. */
function decisions(reasons: ReasonRules) {
  return SAYABLE.flatMap((resolution) =>
    codesOf(reasons, resolution).map((code) => ({
      value: `${resolution}:${code}`,
      label: `${MEANINGS[resolution]} · ${code.replaceAll('_', ' ')}${conditions(reasons, code)}`,
    })),
  );
}

function conditions(reasons: ReasonRules, code: string): string {
  const rule = reasons[code];
  if (rule === undefined) return '';
  const limits = Object.entries(rule.approveAbove).map(([currency, minor]) =>
    currency === ANY_CURRENCY ? money(minor) : `${currency} ${money(minor)}`,
  );
  const parts = [
    ...(rule.needs.length === 0 ? [] : [`needs ${rule.needs.join(', ').replaceAll('_', ' ')}`]),
    ...(limits.length === 0 ? [] : [`second person above ${limits.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const PROOF: Field = {
  ...{ type: 'file', name: 'attachment', label: 'A file that proves it' },
  hint: 'Its name and sha256 are kept, not its bytes.',
};

export function needsFiles(reasons: ReasonRules): boolean {
  return Object.values(reasons).some(({ needs }) => needs.includes('attachment'));
}

/** The act that the fields make. @throws TallyhookError when one of them is missing or means nothing */
export function wantedOf(name: ActOnMany, said: URLSearchParams): Wanted {
  switch (name) {
    case 'resolve':
      return resolveOf(said);
    case 'assign':
      return { act: 'assign', to: assigneeOf(said) };
    case 'comment':
      return { act: 'comment', text: required(said, 'comment', 'Write the comment.') };
    case 'reopen':
      return { act: 'reopen', reason: required(said, 'comment', 'Say why it is opened again.') };
    case 'approve':
      return { act: 'approve' };
  }
}

function resolveOf(said: URLSearchParams): Wanted {
  const [word, code] = required(said, 'decision', 'Choose what becomes of it.').split(':');
  const resolution = SAYABLE.find((one) => one === word);
  if (resolution === undefined || code === undefined) throw missing('Choose what becomes of it.');
  return {
    ...{ act: 'resolve', resolution, reasonCode: code, lines: [] },
    reference: textIn(said, 'reference', 200) ?? null,
    followUp: textIn(said, 'followUp') ?? null,
    comment: textIn(said, 'comment') ?? null,
    attachments: said.getAll('attached').flatMap(attachmentOf),
  };
}

function assigneeOf(said: URLSearchParams): string | null {
  const text = required(said, 'assignee', 'Say who works on it, or - to take it back.');
  if (text === '-') return null;
  const name = keptName(text);
  const problem = nameProblem(name);
  if (problem !== null) throw missing(`The assignee ${problem}.`);
  return name;
}

function required(said: URLSearchParams, name: string, message: string): string {
  const text = textIn(said, name);
  if (text === undefined) throw missing(message);
  return text;
}

function missing(message: string): TallyhookError {
  return new TallyhookError(message, { kind: 'usage' });
}

/** An attachment on its way through the forms: `sha256 name`. */
function attachmentOf(text: string): Attachment[] {
  const [, sha256, name] = /^([0-9a-f]{64}) (.{1,255})$/u.exec(text) ?? [];
  return sha256 === undefined || name === undefined ? [] : [{ name, sha256 }];
}

/** What the forms carry of a file that proves something: its digest and its name. */
export async function attachedText({ name, path }: UploadedFile): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return `${hash.digest('hex')} ${name.slice(0, 255)}`;
}
