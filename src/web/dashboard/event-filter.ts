import { EVENT_KINDS, EVENT_STATES } from '../../domain/events/event.ts';
import type { EventFilter } from '../../store/events.ts';
import { textIn, wordsIn } from './asked.ts';
import { daysIn, environmentIn, given } from './forms.ts';

/** What an address or a form may ask of events, as the options of the command are named. */
export const EVENT_FILTERS = ['environment', 'kind', 'state', 'event', 'reference', 'since', 'until'] as const;

/** The filter of events. @throws TallyhookError for one that means nothing */
export function eventFilterIn(asked: URLSearchParams, zone: string): EventFilter {
  const kinds = wordsIn(asked, 'kind', EVENT_KINDS);
  const states = wordsIn(asked, 'state', EVENT_STATES);
  const event = textIn(asked, 'event');
  const reference = textIn(asked, 'reference', 255);
  return {
    ...environmentIn(asked),
    ...daysIn(asked, zone),
    ...given({ kinds, states, reference }),
    ...(event !== undefined && { events: [event] }),
  };
}
