import { TallyhookError } from '../../../domain/error.ts';
import { EVENT_KINDS } from '../../../domain/events/event.ts';
import { obstacleOf, obstacleStep, obstacleText } from '../../../domain/forwarding/forward-obstacle.ts';
import { SHOWN_ROW_STATES } from '../../../domain/forwarding/forward-row.ts';
import { duration } from '../../../domain/text/quantity-text.ts';
import { outboxColumns } from '../../../lists/outbox.ts';
import type { KnownTarget, OutboxFilter } from '../../../store/outbox.ts';
import { localTime } from '../../../time/local-time.ts';
import { addressOf, textIn, wordsIn } from '../asked.ts';
import { choice, dayFields, daysIn, environmentField, environmentIn, filtersForm, optionsOf, textField } from '../filters.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Block, Page } from '../page.ts';
import type { Answer, Context, Route } from '../route.ts';
import { doOrAsk } from './asking.ts';

// What does our application have, what is dead?

export const forwardingRoutes: readonly Route[] = [
  { method: 'GET', path: '/forwarding', act: 'read', weight: 'light', handle: list },
  { method: 'POST', path: '/forwarding/retry', act: 'outbox.retry', weight: 'light', handle: retry },
  { method: 'POST', path: '/forwarding/drop', act: 'outbox.drop', weight: 'light', handle: drop },
  { method: 'POST', path: '/forwarding/enable', act: 'target.enable', weight: 'light', handle: enable },
  { method: 'GET', path: '/forwarding/:id', act: 'read', weight: 'light', handle: show },
];
