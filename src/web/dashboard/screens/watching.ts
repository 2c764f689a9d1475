import { alertText } from '../../../alert/message.ts';
import { ALERT_CAUSES, SEVERITIES } from '../../../domain/alerts/alert-cause.ts';
import { ACTS } from '../../../domain/audit/acts.ts';
import type { AuditEntry } from '../../../domain/audit/entry.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { byteCount } from '../../../domain/text/quantity-text.ts';
import { alertColumns, alertStateOf, noticeColumns } from '../../../lists/alerts.ts';
import { auditColumns } from '../../../lists/audit.ts';
import { channelColumns } from '../../../lists/channels.ts';
import { incidentColumns } from '../../../lists/incidents.ts';
import { jobColumns, jobViews, needsAttention } from '../../../lists/jobs.ts';
import { incidentsIn } from '../../../why/incident.ts';
import { textIn, wordsIn } from '../asked.ts';
import { choice, dayFields, daysIn, filtersForm, optionsOf, textField } from '../filters.ts';
import { listTable, pageOfList, pagesBlock } from '../list-blocks.ts';
import type { Block, Page, Shown } from '../page.ts';
import type { Context, Redirect, Route } from '../route.ts';
import { wordingIn } from '../wording.ts';

// Did the night's work run, who was told, who did what, and how well do webhooks arrive?

export const watchingRoutes: readonly Route[] = [
  { method: 'GET', path: '/jobs', act: 'read', weight: 'light', handle: jobs },
  { method: 'GET', path: '/alerts', act: 'read', weight: 'light', handle: alerts },
  { method: 'GET', path: '/alerts/:id', act: 'read', weight: 'light', handle: alert },
  { method: 'POST', path: '/alerts/:id/silence', act: 'alert.silence', weight: 'light', handle: silence },
  { method: 'GET', path: '/audit', act: 'read', weight: 'light', handle: audit },
  { method: 'GET', path: '/health', act: 'read', weight: 'light', handle: health },
];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function jobs({ archive, config, nowMs }: Context): Promise<Page> {
  const views = jobViews(config, await archive.jobs(), nowMs);
  const { time } = wordingIn(config.timeZone);
  return {
    title: 'Jobs',
    question: "Did the night's work run?",
    commands: ['tallyhook schedule list', 'tallyhook schedule run JOB'],
    regions: ['jobs'],
    blocks: [
      ...views.flatMap(({ job, remark }): Block[] =>
        remark === null ? [] : [{ kind: 'notice', tone: 'warn', text: `${job}: ${remark}.` }],
      ),
      listTable(jobColumns(config.schedule.timeZone, time), views, {
        ...{ id: 'jobs', caption: 'Jobs, their next and latest runs', empty: { text: 'There are no jobs.' } },
        tone: (view) => (needsAttention(view) ? 'bad' : undefined),
      }),
    ],
  };
}

async function alerts({ archive, query, nowMs, config }: Context): Promise<Page> {
  const causes = wordsIn(query, 'cause', ALERT_CAUSES);
  const severities = wordsIn(query, 'severity', SEVERITIES);
  const closed = query.get('closed') !== null;
  const filter = { closed, ...(causes !== undefined && { causes }), ...(severities !== undefined && { severities }) };
  const found = await pageOfList(
    query,
    (page) => archive.alerts(filter, page),
    () => archive.countAlerts(filter),
  );
  return {
    title: 'Alerts',
    question: 'What is not well, and who was told?',
    commands: [`tallyhook alerts list${optionsOf(query, ['cause', 'severity'])}${closed ? ' --closed' : ''}`],
    regions: ['alerts'],
    blocks: [
      filtersForm('/alerts', [
        choice(query, 'cause', 'Cause', ALERT_CAUSES),
        choice(query, 'severity', 'Severity', SEVERITIES),
        { type: 'checkbox', name: 'closed', label: 'Those that have recovered, too', value: 'yes', checked: closed },
      ]),
      listTable(alertColumns({ nowMs, zone: config.timeZone }), found.rows, {
        ...{ id: 'alerts', caption: 'Alerts, the newest first', without: ['Id'], head: 'Cause' },
        links: { Cause: ({ id }) => `/alerts/${id}` },
        empty: { text: closed ? 'There was no alert.' : 'No alert is open.' },
      }),
      pagesBlock('/alerts', query, found),
    ],
  };
}

function numberOf(id: string): number {
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw noAlert(id);
}

function noAlert(id: string): TallyhookError {
  return new TallyhookError(`There is no alert ${id}.`, { kind: 'not_found', hint: 'Find it in the list of alerts.' });
}

async function alert({ archive, params: { id = '' }, nowMs, config, may }: Context): Promise<Page> {
  const found = await archive.alert(numberOf(id));
  if (found === null) throw noAlert(id);
  const context = { nowMs, zone: config.timeZone };
  const { what, why, run } = alertText(found, context);
  const { cause, severity, openedAtMs, seenAtMs, closedAtMs, silencedUntilMs, openings, notices } = found;
  const blocks: Block[] = [
    { kind: 'notice', tone: closedAtMs === null ? 'warn' : 'good', text: `${what} ${why}`, next: run },
    {
      kind: 'facts',
      facts: [
        ['state', alertStateOf(found, context)],
        ['severity', severity],
        ['opened', { ms: openedAtMs }],
        ['last seen', { ms: seenAtMs }],
        ['recovered', { ms: closedAtMs }],
        ['times', openings],
        ['silenced until', { ms: silencedUntilMs }],
      ],
    },
    listTable(noticeColumns(), notices, {
      ...{ id: 'notices', caption: 'Who was told' },
      empty: { text: 'No notice was sent.', next: 'Set a channel up under alerts of the configuration.' },
    }),
  ];
  if (may('alert.silence'))
    blocks.push({
      ...{ kind: 'form', id: 'silence', title: 'Silence', method: 'POST', action: `/alerts/${id}/silence` },
      fields: [
        {
          ...{ type: 'select', name: 'hours', label: 'Tell nothing of it for', value: '4' },
          options: [
            { value: '4', label: '4 hours' },
            { value: '24', label: 'a day' },
            { value: '72', label: '3 days' },
            { value: '0', label: 'no longer: tell it again' },
          ],
        },
      ],
      buttons: [{ label: 'Silence' }],
      note: 'It is still judged and listed.',
    });
  return {
    title: `Alert ${id}: ${cause}`,
    question: 'What happened, why does it matter, what now?',
    commands: [`tallyhook alerts show ${id}`],
    trail: [{ text: 'Alerts', href: '/alerts' }],
    regions: ['alerts'],
    blocks,
  };
}

async function silence({ operations, params: { id = '' }, form, nowMs, visitor }: Context): Promise<Redirect> {
  const text = form.get('hours') ?? '';
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720)
    throw new TallyhookError(`${JSON.stringify(text)} hours mean nothing here.`, {
      kind: 'usage',
      hint: 'Choose one of the list.',
    });
  const untilMs = text === '0' ? null : nowMs + Number(text) * HOUR_MS;
  if ((await operations.alerts.silence({ id: numberOf(id), untilMs, by: visitor.name })) === null) throw noAlert(id);
  return {
    to: `/alerts/${id}`,
    said: untilMs === null ? 'It is told again.' : `Nothing of it is told for ${text} hours.`,
  };
}

async function audit({ archive, query, config }: Context): Promise<Page> {
  const who = textIn(query, 'who');
  const subject = textIn(query, 'subject');
  const acts = wordsIn(query, 'act', ACTS);
  const filter = {
    ...daysIn(query, config.timeZone),
    ...(who !== undefined && { who }),
    ...(subject !== undefined && { subject }),
    ...(acts !== undefined && { acts }),
  };
  const found = await pageOfList(
    query,
    async (page) => (await archive.auditEntries(filter, page)).map((entry) => ({ ...entry, id: entry.seq })),
    () => archive.countAuditEntries(filter),
  );
  const head = await archive.auditHead();
  return {
    title: 'Audit',
    question: 'Who did what; does it verify?',
    commands: [
      `tallyhook audit list${optionsOf(query, ['who', 'act', 'subject', 'since', 'until'])}`,
      'tallyhook audit verify',
    ],
    regions: ['exceptions'],
    blocks: [
      ...(head === null
        ? []
        : [
            {
              kind: 'facts' as const,
              facts: [
                ['head', { text: head.hash, as: 'digest' as const }],
                ['entries', head.seq],
                ['of', { ms: Date.parse(head.at) }],
              ] as const,
            },
          ]),
      filtersForm('/audit', [
        textField(query, 'who', 'Who'),
        choice(query, 'act', 'Act', ACTS),
        textField(query, 'subject', 'Subject'),
        ...dayFields(query),
      ]),
      listTable(auditColumns(), found.rows, {
        ...{ id: 'entries', caption: 'Entries, the latest first', head: 'Act' },
        more: entryBlocks,
        empty: { text: query.size === 0 ? 'Nothing was entered yet.' : 'No entry matches.' },
      }),
      pagesBlock('/audit', query, found),
    ],
  };
}

function entryBlocks({ before, after, hash, previous }: AuditEntry): Block[] {
  const digest = (text: string | null): Shown => (text === null ? null : { text, as: 'digest' });
  const facts: readonly (readonly [string, Shown])[] = [
    ['before', before],
    ['after', after],
    ['hash', digest(hash)],
    ['previous', digest(previous)],
  ];
  return [{ kind: 'facts', facts }];
}

const SPANS = { day: DAY_MS, week: 7 * DAY_MS, month: 31 * DAY_MS } as const;

async function health(context: Context): Promise<Page> {
  const { archive, query, nowMs, config, serve } = context;
  const span = (Object.keys(SPANS) as (keyof typeof SPANS)[]).find((one) => one === query.get('span')) ?? 'week';
  const { channels, system } = await context.look();
  const sinceMs = nowMs - SPANS[span];
  const incidents = await incidentsIn(
    archive,
    { sinceMs, untilMs: nowMs + 1 },
    { nowMs, zone: config.timeZone, serve: serve() },
  );
  const { databaseBytes, logBytes, disk } = system.storage;
  return {
    title: 'Health',
    question: 'Do webhooks arrive, in time, and is there room?',
    commands: ['tallyhook health', `tallyhook incidents --since ${SPANS[span] / DAY_MS}d`],
    regions: ['events', 'jobs'],
    blocks: [
      {
        ...{ kind: 'links', label: 'Span of the incidents' },
        links: Object.keys(SPANS).map((one) => ({ text: one, href: `/health?span=${one}`, isCurrent: one === span })),
      },
      {
        kind: 'cards',
        cards: [
          { name: 'Requests refused so far', value: { count: system.refused.count }, href: '/refused' },
          { name: 'Deliveries that wait in the log', value: { count: system.waiting.deliveries } },
          { name: 'Database', value: byteCount(databaseBytes), note: `log ${byteCount(logBytes)}` },
          ...(disk === null
            ? []
            : [
                {
                  name: 'Free on the disk',
                  value: byteCount(disk.freeBytes),
                  note: `of ${byteCount(disk.totalBytes)}`,
                },
              ]),
        ],
      },
      listTable(channelColumns(), channels, {
        ...{ id: 'channels', caption: 'Channels, by the records first seen in the last 7 days', head: 'Kind' },
        empty: { text: 'No delivery came yet.' },
      }),
      listTable(incidentColumns(nowMs), incidents, {
        ...{ id: 'incidents', caption: `Incidents of the last ${span}`, head: 'Kind' },
        tone: ({ toMs }) => (toMs === null ? 'bad' : undefined),
        empty: { text: `There was no incident in the last ${span}.` },
      }),
    ],
  };
}
