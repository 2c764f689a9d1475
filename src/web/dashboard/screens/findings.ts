import { STUCK_ADVICE, stuckReason } from '../../../confirm/stuck.ts';
import { FINDING_CODES } from '../../../domain/findings/finding.ts';
import { RECORD_KINDS } from '../../../domain/records/lifecycle.ts';
import { expectedColumns } from '../../../lists/expected.ts';
import { evidenceColumns, findingAge, findingColumns, findingSentence } from '../../../lists/findings.ts';
import { stuckColumns, unconfirmedText } from '../../../lists/stuck.ts';
import { DAY_MS } from '../../../time/clock.ts';
import { FINDING_ADVICE } from '../../../why/finding-advice.ts';
import { evidenceOf } from '../../../why/finding-evidence.ts';
import { recordAddress } from '../address.ts';
import { numberIn, rowNamed } from '../asked.ts';
import { factsBlock, noticeBlock, textBlock } from '../blocks.ts';
import { AFTER, askedIn, ENVIRONMENT, filtersForm, flag, hidden, optionsOf, text, word, words } from '../filters.ts';
import { asOptions, given } from '../forms.ts';
import { listPage, listTable, PAGE_ROWS, pagesBlock } from '../list-blocks.ts';
import type { Page } from '../page.ts';
import { type Context, lightPage, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';

// What does not settle, since when, why?

/** Records first seen longer ago than this do not settle in time, as the command `stuck` has it. */
const AGES = { '1 day': 1, '3 days': 3, '7 days': 7, '30 days': 30 } as const;

const FINDINGS = {
  ...ENVIRONMENT,
  kind: words('Kind', RECORD_KINDS),
  code: words('Code', FINDING_CODES),
  reference: text('Reference', 255),
  closed: flag('Closed ones, too'),
};
const STUCK = {
  ...ENVIRONMENT,
  kind: word('Kind', RECORD_KINDS),
  older: hidden(word('First seen before', Object.keys(AGES) as (keyof typeof AGES)[])),
};
const EXPECTED = {
  ...ENVIRONMENT,
  kind: word('Kind', RECORD_KINDS),
  reference: text('Reference', 255),
  open: flag('Only those that did not come'),
};

export const findingsRoutes: readonly Route[] = [
  lightPage('/findings', 'read', findings, { ...FINDINGS, ...AFTER }),
  lightPage('/findings/:id', 'read', finding),
  lightPage('/stuck', 'read', stuck, { ...STUCK, ...AFTER }),
  lightPage('/expected', 'read', expected, { ...EXPECTED, ...AFTER }),
];

async function findings(context: Context): Promise<Page> {
  const { archive, query, nowMs, config } = context;
  const { code: codes, kind: kinds, closed = false, ...rest } = askedIn(FINDINGS, query, config.timeZone);
  return listPage(context, {
    ...{ title: 'Findings', question: 'What must a person or the service clear up?', regions: ['findings'] },
    ...{ path: '/findings', filters: FINDINGS, command: 'tallyhook findings list' },
    filter: { ...rest, closed, ...given({ codes, kinds }) },
    list: { read: archive.findings, count: archive.countFindings, isByIndex: true },
    columns: findingColumns({ reveal: false, nowMs, times: wordingIn(config.timeZone) }),
    table: () => ({
      ...{ id: 'findings', caption: 'Findings, the newest first', without: ['Id'], head: 'Record' },
      links: { Record: recordAddress, Code: ({ id }) => `/findings/${id}` },
      tone: ({ closedAtMs }) => (closedAtMs === null ? 'warn' : undefined),
    }),
    none: {
      text: 'No finding is open: everything that is known fits together.',
      next: 'What was expected and did not come, and what does not settle, have pages of their own.',
      links: [
        { text: 'Stuck', href: '/stuck' },
        { text: 'Expected', href: '/expected' },
      ],
    },
    noMatch: 'No finding matches.',
  });
}

async function finding({ archive, params: { id = '' }, nowMs, config }: Context): Promise<Page> {
  const found = await rowNamed(id, { what: 'finding', list: '/findings?closed=yes' }, (one) => archive.finding(one));
  const { code, kind, reference, subject, openedAtMs, closedAtMs, record } = found;
  const shown = { reveal: false };
  const advice = closedAtMs === null ? FINDING_ADVICE[code] : 'Nothing: it closed when it no longer applied.';
  return {
    title: `Finding ${id}: ${code}`,
    question: 'What does not fit, who says so, what now?',
    commands: [`tallyhook findings show ${id}`],
    trail: [
      { text: 'Findings', href: '/findings' },
      { text: `${kind} ${reference}`, href: recordAddress(found) },
    ],
    blocks: [
      noticeBlock(
        closedAtMs === null ? 'warn' : 'good',
        `${subject}: ${findingSentence(found, shown, wordingIn(config.timeZone))}`,
        { next: advice },
      ),
      factsBlock([
        ['record', { text: `${kind} ${reference}`, href: recordAddress(found) }],
        ['opened', { ms: openedAtMs }],
        ['age', findingAge(found, nowMs)],
        ['reported', record.reported],
        ['confirmed', record.confirmed],
      ]),
      listTable(evidenceColumns(shown), evidenceOf(found, record), {
        ...{ id: 'evidence', caption: 'What it rests on', without: ['Key'], head: 'Witness' },
        links: { Event: ({ observation: { eventId } }) => (eventId === null ? undefined : `/events/${eventId}`) },
        empty: { text: 'It rests on no single observation.', next: 'The story of its record has all of them.' },
      }),
    ],
  };
}

async function stuck({ archive, query, nowMs, config }: Context): Promise<Page> {
  const { older: age = '1 day', ...rest } = askedIn(STUCK, query, config.timeZone);
  const { kind } = rest;
  const filter = { firstSeenBeforeMs: nowMs - AGES[age] * DAY_MS, ...rest };
  const place = numberIn(query, 'after') ?? 0;
  const afterId = kind === undefined ? undefined : place;
  const records = await archive.stuck(filter, { limit: PAGE_ROWS + 1, ...(afterId !== undefined && { afterId }) });
  const rows = records.slice(0, PAGE_ROWS);
  const more = records.length > PAGE_ROWS;
  const unconfirmed = await archive.unconfirmed(filter);
  return {
    title: 'Stuck',
    question: 'What does not settle, since when, why?',
    commands: [`tallyhook stuck --older ${AGES[age]}d${optionsOf(STUCK, query)}`],
    regions: ['records'],
    blocks: [
      filtersForm('/stuck', STUCK, query, {
        older: {
          ...{ type: 'select', name: 'older', label: 'First seen before', value: age },
          options: asOptions(Object.keys(AGES)),
        },
      }),
      ...unconfirmed.map((one) => textBlock(unconfirmedText(one), { tone: 'warn' })),
      listTable(stuckColumns(nowMs), rows, {
        ...{ id: 'stuck', caption: 'Records that are not settled', without: ['Id'], head: 'Record' },
        links: { Record: recordAddress },
        more: (record) => [textBlock(STUCK_ADVICE[stuckReason(record)])],
        empty: {
          text: 'Nothing is stuck: every record of that age is settled.',
          next: 'Take a filter away, or ask for younger ones.',
        },
        note: more && kind === undefined ? 'There are more. Choose a kind to page through them.' : undefined,
      }),
      pagesBlock('/stuck', query, {
        ...{ rows, next: more && kind !== undefined ? (rows.at(-1)?.id ?? null) : null },
        total: more ? await archive.countStuck(filter) : rows.length,
      }),
    ],
  };
}

async function expected(context: Context): Promise<Page> {
  const { archive, query, config } = context;
  return listPage(context, {
    ...{ title: 'Expected', question: 'What did we ask for, and did it come?', regions: ['records', 'findings'] },
    ...{ path: '/expected', filters: EXPECTED, command: 'tallyhook track list' },
    filter: askedIn(EXPECTED, query, config.timeZone),
    list: { read: archive.expectations, count: archive.countExpectations, isByIndex: true },
    columns: expectedColumns(wordingIn(config.timeZone)),
    table: () => ({
      ...{ id: 'expected', caption: 'What is tracked', without: ['Id'], head: 'Record' },
      links: { Record: recordAddress },
    }),
    none: {
      text: 'Nothing is tracked.',
      next: 'Expect a payment: tallyhook track add REFERENCE --amount 50.00 --currency USD',
    },
    noMatch: 'Nothing that is tracked matches.',
  });
}
