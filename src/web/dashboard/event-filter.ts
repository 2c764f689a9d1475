import { EVENT_KINDS, EVENT_STATES } from '../../domain/events/event.ts';
import type { EventFilter } from '../../store/events.ts';
import { askedIn, boundsOf, DAYS, ENVIRONMENT, text, words } from './filters.ts';
import { given } from './forms.ts';

/** What an address or a form may ask of events, as the options of the command are named. */
export const EVENT_FILTERS = {
  ...ENVIRONMENT,
  kind: words('Kind', EVENT_KINDS),
  state: words('State', EVENT_STATES),
  ...DAYS,
  event: text('Event'),
  reference: text('Reference', 255),
};

/** The filter of events. @throws TallyhookError for one that means nothing */
export function eventFilterIn(asked: URLSearchParams, zone: string): EventFilter {
  const { environment, kind, state, event, reference, ...days } = askedIn(EVENT_FILTERS, asked, zone);
  const events = event === undefined ? undefined : [event];
  return { ...given({ environment, kinds: kind, states: state, events, reference }), ...boundsOf(days) };
}
