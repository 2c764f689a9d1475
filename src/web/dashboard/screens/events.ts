import { keyTimestamp } from '../../../domain/events/event.ts';
import { indentedJson } from '../../../domain/text/json-text.ts';
import { maskedBody } from '../../../domain/text/privacy.ts';
import { eventColumns, eventStateText, moveText } from '../../../lists/events.ts';
import { findingColumns } from '../../../lists/findings.ts';
import type { EventDetail, Variant } from '../../../store/events.ts';
import { recordAddress } from '../address.ts';
import { addressOf, rowNamed } from '../asked.ts';
import { doOrAsk } from '../asking.ts';
import { besideBlock, factsBlock, linksBlock, noticeBlock, sectionBlock } from '../blocks.ts';
import { EVENT_FILTERS, eventFilterIn } from '../event-filter.ts';
import { AFTER } from '../filters.ts';
import { actForm } from '../forms.ts';
import { listPage, listTable } from '../list-blocks.ts';
import type { BesideBlock, Block, Page } from '../page.ts';
import { type Answer, type Context, lightForm, lightPage, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';

// What exactly came, was it authentic, what did it change?

export const eventsRoutes: readonly Route[] = [
  lightPage('/events', 'read', list, { ...EVENT_FILTERS, ...AFTER }),
  lightPage('/events/:id', 'read', (context) => show(context, false)),
  lightForm('/events/:id/reveal', 'reveal', reveal),
];

async function list(context: Context): Promise<Page> {
  const { query, archive, config, may } = context;
  const filter = eventFilterIn(query, config.timeZone);
  const { reference, states = ['observed'] } = filter;
  const isByIndex = reference !== undefined || !states.includes('observed');
  return listPage(context, {
    ...{ title: 'Events', question: 'What exactly came, and when?', regions: ['events'] },
    ...{ path: '/events', filters: EVENT_FILTERS, command: 'tallyhook events list', filter },
    list: { read: archive.events, count: archive.countEvents, isByIndex },
    columns: eventColumns(),
    table: () => ({
      ...{ id: 'events', caption: 'Events, the newest first', head: 'Event' },
      links: { Event: ({ id }) => `/events/${id}` },
    }),
    none: { text: 'No event came yet.', next: 'Send a sample: tallyhook trigger refund.success' },
    noMatch: 'No event matches.',
    below: may('replay') ? [replayLink(query)] : [],
  });
}

/** The same events, to be handed on again. */
function replayLink(query: URLSearchParams): Block {
  const filter = new URLSearchParams(query);
  filter.delete('after');
  const href = addressOf('/forwarding/replay', filter);
  return linksBlock('What can be done', [{ text: 'Hand news of these on again', href }]);
}

function eventOf({ params, archive }: Context): Promise<EventDetail> {
  return rowNamed(params.id, { what: 'event', list: '/events' }, (id) => archive.event(id));
}

/** Shows the personal data of one event whole, once, and enters who asked. */
async function reveal(context: Context): Promise<Answer> {
  const { operations, visitor, params } = context;
  await eventOf(context);
  const rows = [`event:${params.id}`];
  return doOrAsk(context, { act: 'reveal', order: { rows } }, async () => {
    await operations.access.reveal({ rows, by: visitor.name });
    return show(context, true);
  });
}

async function show(context: Context, isRevealed: boolean): Promise<Page> {
  const { may, nowMs, config } = context;
  const event = await eventOf(context);
  const { id, record, findings } = event;
  const times = wordingIn(config.timeZone);
  const isMasked =
    !isRevealed && [event, ...event.contents].some((one) => bodyText(one, true) !== bodyText(one, false));
  const blocks: Block[] = [verdict(event), factsBlock(factsOf(event))];
  if (findings.length > 0)
    blocks.push(
      listTable(findingColumns({ reveal: isRevealed, nowMs, times }), findings, {
        ...{ id: 'findings', caption: 'Open findings of its record', without: ['Env', 'Record'], head: 'Code' },
        links: { Code: (finding) => `/findings/${finding.id}` },
        empty: null,
      }),
    );
  blocks.push(
    sectionBlock('contents', event.contents.length === 0 ? 'Content' : 'Contents', [contents(event, isRevealed)]),
  );
  if (isMasked && may('reveal'))
    blocks.push(
      actForm('reveal', `/events/${id}/reveal`, {
        ...{ label: 'Show personal data', as: 'plain' },
        confirm:
          'Account numbers, names and addresses are shown whole, and it is entered in the audit that you saw them.',
      }),
    );
  return {
    title: `Event ${id}: ${event.event}`,
    question: 'What exactly came, was it authentic, what did it change?',
    commands: [`tallyhook events show ${id}`],
    trail: [
      { text: 'Events', href: '/events' },
      ...(record === null ? [] : [{ text: `${record.kind} ${record.reference}`, href: recordAddress(record) }]),
    ],
    blocks,
  };
}

function verdict(event: EventDetail): Block {
  const { quarantine, variants, keyId, merchantSignature } = event;
  const signed =
    merchantSignature === 'verified' ? 'its merchantSignature verified, too' : 'it had no merchantSignature';
  const text = `Authentic: signed with the key pair ${keyId}; ${signed}.`;
  const what = moveText(event);
  if (quarantine !== null)
    return noticeBlock('warn', `${text} It makes no observation: ${quarantine.replaceAll('_', ' ')}.`);
  if (variants > 0)
    return noticeBlock('warn', `${text} It came with ${variants + 1} different contents; none has privilege.`);
  return noticeBlock('good', what === null ? text : `${text} ${what}.`);
}

function factsOf(event: EventDetail): Extract<Block, { kind: 'facts' }>['facts'] {
  const { environment, reference, receivedAtMs, lastReceivedAtMs, deliveries, sentAt, status, record } = event;
  const updated = keyTimestamp(event);
  const at = updated.kind === 'unreadable' ? null : Date.parse(updated.text);
  return [
    ['environment', environment],
    ['reference', { text: reference, as: 'id', ...(record !== null && { href: recordAddress(record) }) }],
    ['status', status],
    ['state', eventStateText(event)],
    ['updated at', at === null || Number.isNaN(at) ? { text: event.updatedAt, as: 'digest' } : { ms: at }],
    ['received', { ms: receivedAtMs }],
    ['deliveries', deliveries],
    ['last received', { ms: lastReceivedAtMs }],
    ['sent at (not signed)', sentAt],
  ];
}

type Content = Pick<Variant, 'body' | 'bodyDigest' | 'prunedAtMs'>;

/** All contents that came under the key of this event, beside each other. */
function contents(event: EventDetail, isRevealed: boolean): BesideBlock {
  const all = [
    { ...event, title: 'First content' },
    ...event.contents.map((one) => ({ ...one, title: `Variant ${one.id}` })),
  ];
  return besideBlock(
    all.map((content) => ({
      title: content.title,
      blocks: [
        factsBlock([
          ['received', { ms: content.receivedAtMs }],
          ['signed with', content.keyId],
          ['deliveries', content.deliveries],
          ['sha256', { text: content.bodyDigest, as: 'digest' }],
        ]),
        body(content, isRevealed),
      ],
    })),
  );
}

function body(content: Content, isRevealed: boolean): Block {
  const { prunedAtMs } = content;
  if (prunedAtMs !== null)
    return noticeBlock('quiet', 'Its body was pruned; its digest stays.', {
      next: 'A backup from before may hold it.',
    });
  const text = bodyText(content, !isRevealed);
  const note = text === bodyText(content, false) ? 'exact' : 'masked';
  return { kind: 'body', title: `${content.body.byteLength} bytes`, text: indentedJson(text), note };
}

function bodyText({ body }: Content, isMasked: boolean): string {
  const text = Buffer.from(body).toString('utf8');
  return isMasked ? maskedBody(text) : text;
}
