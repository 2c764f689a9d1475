import { TallyhookError } from '../../../domain/error.ts';
import { SHOWN_ROW_STATES } from '../../../domain/forwarding/forward-row.ts';
import type { OutboxFilter } from '../../../store/outbox.ts';
import { addressOf } from '../asked.ts';
import { askedIn, boundsOf, DAYS, ENVIRONMENT, text, words } from '../filters.ts';
import { given } from '../forms.ts';
import type { Field } from '../page.ts';
import type { Context } from '../route.ts';

// Which news is listed, and which of it is chosen for an act.

/** Rows of one act: one transaction. */
const MOST_ROWS = 500;

export function newsAddress(webhookId: string): string {
  return `/forwarding/news/${encodeURIComponent(webhookId)}`;
}

export const OUTBOX_FILTERS = {
  target: text('Target'),
  state: words('State', SHOWN_ROW_STATES),
  ...{ ...ENVIRONMENT, ...DAYS },
  reference: text('Reference', 255),
};

/** The filter of news. @throws TallyhookError for one that means nothing */
export function outboxFilterIn(query: URLSearchParams, zone: string): OutboxFilter {
  const { target, state: states, environment, reference, ...days } = askedIn(OUTBOX_FILTERS, query, zone);
  return { ...boundsOf(days), ...given({ target, states, environment, reference }) };
}

/** The list goes with the choice; all of it can be chosen while that is one act. */
export function choiceFields(query: URLSearchParams, total: number | null): Field[] {
  const filter = new URLSearchParams(query);
  filter.delete('after');
  const carried: Field = { type: 'hidden', name: 'filter', value: filter.toString() };
  if (total === null || total > MOST_ROWS) return [carried];
  return [carried, { type: 'checkbox', name: 'all', value: '1', label: `All ${total} of this list` }];
}

/** The chosen rows; with `all` those of the filter as they stand now. @throws TallyhookError for none, and for more than one act takes */
export async function chosenIn({ form, archive, config }: Context): Promise<readonly string[]> {
  const hint = 'Choose fewer, set a filter, or use the command line: tallyhook outbox retry, tallyhook outbox drop';
  const ids = new Set(form.getAll('id').flatMap((text) => text.split(' ')));
  if (form.get('all') === '1') {
    const filter = outboxFilterIn(filterIn(form), config.timeZone);
    for (const { webhookId } of await archive.outbox(filter, { limit: MOST_ROWS + 1, order: 'oldest' }))
      ids.add(webhookId);
  }
  ids.delete('');
  if (ids.size > 0 && ids.size <= MOST_ROWS) return [...ids];
  const message =
    ids.size === 0 ? 'No row is chosen.' : `More than the ${MOST_ROWS} rows are chosen that are taken at once.`;
  throw new TallyhookError(message, {
    kind: 'usage',
    hint: ids.size === 0 ? 'Choose rows in the list, then act.' : hint,
  });
}

/** The list that the rows were chosen from. */
function filterIn(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams(form.get('filter') ?? '');
}

export function backTo({ form }: Context): string {
  return addressOf('/forwarding', filterIn(form));
}
