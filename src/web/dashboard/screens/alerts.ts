import { alertText } from '../../../alert/message.ts';
import { ALERT_CAUSES, SEVERITIES } from '../../../domain/alerts/alert-cause.ts';
import { TallyhookError } from '../../../domain/error.ts';
import { alertColumns, alertStateOf, noticeColumns } from '../../../lists/alerts.ts';
import { HOUR_MS } from '../../../time/clock.ts';
import { rowNamed } from '../asked.ts';
import { factsBlock, noticeBlock, postForm } from '../blocks.ts';
import { AFTER, askedIn, flag, words } from '../filters.ts';
import { given } from '../forms.ts';
import { listPage, listTable } from '../list-blocks.ts';
import type { Block, Page } from '../page.ts';
import { type Context, lightForm, lightPage, type Redirect, type Route } from '../route.ts';

// What is not well, and who was told?

const FILTERS = {
  cause: words('Cause', ALERT_CAUSES),
  severity: words('Severity', SEVERITIES),
  closed: flag('Those that have recovered, too'),
};

export const alertRoutes: readonly Route[] = [
  lightPage('/alerts', 'read', alerts, { ...FILTERS, ...AFTER }),
  lightPage('/alerts/:id', 'read', alert),
  lightForm('/alerts/:id/silence', 'alert.silence', silence),
];

async function alerts(context: Context): Promise<Page> {
  const { archive, query, nowMs, config } = context;
  const { cause: causes, severity: severities, closed = false } = askedIn(FILTERS, query, config.timeZone);
  return listPage(context, {
    ...{ title: 'Alerts', question: 'What is not well, and who was told?', regions: ['alerts'] },
    ...{ path: '/alerts', filters: FILTERS, command: 'tallyhook alerts list' },
    filter: { closed, ...given({ causes, severities }) },
    list: {
      read: (asked, page) => archive.alerts({ closed, ...asked }, page),
      ...{ count: archive.countAlerts, isByIndex: true },
    },
    columns: alertColumns({ nowMs, zone: config.timeZone }),
    table: () => ({
      ...{ id: 'alerts', caption: 'Alerts, the newest first', without: ['Id'], head: 'Cause' },
      links: { Cause: ({ id }) => `/alerts/${id}` },
    }),
    none: {
      text: 'No alert is open.',
      next: 'Those that have recovered are one filter away. See that one reaches you: tallyhook alerts test',
    },
    noMatch: 'No alert matches.',
  });
}

const ALERT = { what: 'alert', list: '/alerts?closed=yes' };

async function alert({ archive, params: { id = '' }, nowMs, config, may }: Context): Promise<Page> {
  const found = await rowNamed(id, ALERT, (number) => archive.alert(number));
  const context = { nowMs, zone: config.timeZone };
  const { what, why, run } = alertText(found, context);
  const { cause, severity, openedAtMs, seenAtMs, closedAtMs, silencedUntilMs, openings, notices } = found;
  const blocks: Block[] = [
    noticeBlock(closedAtMs === null ? 'warn' : 'good', `${what} ${why}`, { next: run }),
    factsBlock([
      ['state', alertStateOf(found, context)],
      ['severity', severity],
      ['opened', { ms: openedAtMs }],
      ['last seen', { ms: seenAtMs }],
      ['recovered', { ms: closedAtMs }],
      ['times', openings],
      ['silenced until', { ms: silencedUntilMs }],
    ]),
    listTable(noticeColumns(), notices, {
      ...{ id: 'notices', caption: 'Who was told' },
      empty: { text: 'No notice was sent.', next: 'Set a channel up under alerts of the configuration.' },
    }),
  ];
  if (may('alert.silence'))
    blocks.push(
      postForm('silence', `/alerts/${id}/silence`, {
        title: 'Silence',
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
      }),
    );
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
  await rowNamed(id, ALERT, (number) => operations.alerts.silence({ id: number, untilMs, by: visitor.name }));
  return {
    to: `/alerts/${id}`,
    said: untilMs === null ? 'It is told again.' : `Nothing of it is told for ${text} hours.`,
  };
}
