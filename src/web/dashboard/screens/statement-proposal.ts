import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { STATEMENT_KINDS } from '../../../domain/statements/lines.ts';
import { confirmedProfile, guessesIn } from '../../../reconcile/proposal/confirm.ts';
import { foldBlock, getForm, postForm } from '../blocks.ts';
import { type Asked, ENVIRONMENT, text, word } from '../filters.ts';
import { asOptions } from '../forms.ts';
import type { Block, Field, TableBlock } from '../page.ts';

// How a file is read, as forms: the guesses of a proposal beside the first rows, and the profile as text.

/** Characters of a profile; a file of settings may be larger, and no profile is. */
const MOST_PROFILE = 100_000;

/** The file as it stands, beside the guesses. */
export function firstRowsTable(rows: readonly (readonly string[])[]): TableBlock {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return {
    ...{ kind: 'table', id: 'rows', caption: 'The first rows of the file' },
    columns: [{ name: 'Row', as: 'head' }, ...Array.from({ length: width }, (_, at) => ({ name: String(at + 1) }))],
    rows: rows.map((row, at) => ({
      cells: [at + 1, ...Array.from({ length: width }, (_, column) => (row[column] ?? '').slice(0, 80))],
    })),
    empty: { text: 'The file has no rows.', next: 'Export it again, with the days that you need.' },
  };
}

/** What the person says of the file before a proposal. */
export const SAID = { kind: word('Kind', STATEMENT_KINDS), account: text('Account', 100), ...ENVIRONMENT };

/** Whose statement it is decides how much can be seen of it: what the person says is no guess. */
export function otherProposal(id: string, { account, kind, environment }: Asked<typeof SAID>): Block {
  return getForm('again', `/statements/new/${id}`, {
    fields: [
      {
        ...{ type: 'select', name: 'kind', label: 'Whose statement it is', value: kind ?? '' },
        options: [
          { value: '', label: 'as guessed' },
          ...STATEMENT_KINDS.map((one) => ({ value: one, label: KINDS[one] })),
        ],
      },
      { type: 'text', name: 'account', label: 'Your name for the account', value: account, maxLength: 100 },
      {
        ...{ type: 'select', name: 'environment', label: 'Environment', value: environment ?? '' },
        options: [{ value: '', label: 'as guessed' }, ...asOptions(ENVIRONMENTS)],
      },
    ],
    buttons: [{ label: 'Propose again', as: 'plain' }],
  });
}

const KINDS: Readonly<Record<(typeof STATEMENT_KINDS)[number], string>> = {
  wallet: 'wallet: your account at the service',
  settlement: 'settlement: which payments a payout is made of',
  bank: 'bank: your account at the bank',
  ledger: 'ledger: your own books',
};

export function proposalForm(id: string, profile: string): Block {
  return postForm('proposal', `/statements/new/${id}/look`, {
    as: 'filters',
    title: 'How it is read',
    fields: [
      { type: 'hidden', name: 'profile', value: profile },
      ...guessesIn(profile).map(
        ({ path, value, why }, at): Field => ({
          ...{ type: 'text', name: `guess-${at}`, label: path, value, maxLength: 200 },
          ...(why !== null && { hint: why }),
        }),
      ),
    ],
    buttons: [{ label: 'They are right: look what the file says' }],
    note: 'An empty value leaves the setting out. Every setting is described in docs/statements.md.',
  });
}

/** The profile of the form; the guesses that stand in it are replaced by what the person confirmed. */
export function profileOf(form: URLSearchParams): string {
  const text = (form.get('profile') ?? '').slice(0, MOST_PROFILE).replaceAll('\r\n', '\n');
  const guesses = guessesIn(text);
  if (guesses.length === 0 || !form.has('guess-0')) return text;
  return confirmedProfile(
    text,
    guesses.map(({ value }, at) => form.get(`guess-${at}`)?.trim() ?? value),
  );
}

/** The profile as text, for those who would write it. */
export function profileFold(id: string, text: string, isOpen: boolean): Block {
  return foldBlock(
    'How it is read, as a profile (YAML)',
    [
      postForm('mend', `/statements/new/${id}/look`, {
        fields: [{ type: 'textarea', name: 'profile', label: 'Profile', value: text, rows: 24 }],
        buttons: [{ label: 'Look again', as: 'plain' }],
      }),
    ],
    { id: 'profile', isOpen },
  );
}
