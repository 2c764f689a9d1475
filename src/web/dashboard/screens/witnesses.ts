import { amountOfMinor, formatAmount } from '../../../domain/money/amount.ts';
import { type Fields, showValue } from '../../../domain/records/fields.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { fieldLabel, moneyColumns, statusMark, witnessedMoney } from '../../../lists/records.ts';
import { outcomeText } from '../../../lists/stuck.ts';
import type { RecordDetail } from '../../../store/records.ts';
import type { PlacedLine } from '../../../store/statements.ts';
import { besideBlock, factsBlock, textBlock } from '../blocks.ts';
import { listTable } from '../list-blocks.ts';
import type { BesideBlock, Block, Shown } from '../page.ts';
import { rowAddress } from './statement-lines.ts';

// Who says what of one record, in status and money: webhooks, the service, statements.

/** The three witnesses beside each other. */
export function witnesses(record: RecordDetail, lines: readonly PlacedLine[]): BesideBlock {
  const { kind, reported, reportedTime, confirmed, confirmedAtMs, dueAtMs, check, money } = record;
  const events = new Set(record.observations.flatMap(({ eventId }) => (eventId === null ? [] : [eventId])));
  return besideBlock([
    {
      ...{ title: 'Webhooks', lead: 'What was reported to us.', tone: statusMark(kind, reported) ?? 'quiet' },
      blocks: [
        factsBlock([
          ['status', statusCell(kind, reported)],
          ['dated', reportedTime === null ? null : timeOf(reportedTime)],
          ...moneyFacts(money.reported),
          ['events', [...events].slice(0, 10).map((id) => ({ text: `#${id}`, href: `/events/${id}` }))],
        ]),
      ],
    },
    {
      ...{
        title: 'The service',
        lead: 'What its status endpoint answers.',
        tone: statusMark(kind, confirmed) ?? 'quiet',
      },
      blocks: [
        factsBlock([
          ['status', statusCell(kind, confirmed)],
          ['confirmed', { ms: confirmedAtMs }],
          ...moneyFacts(money.confirmed),
          ['last check', check === null ? 'none so far' : outcomeText(check)],
          ['next check', { ms: dueAtMs }],
        ]),
      ],
    },
    {
      ...{
        title: 'Statements',
        lead: 'What the files of wallet and bank say.',
        tone: lines.length === 0 ? 'quiet' : 'good',
      },
      blocks:
        lines.length === 0
          ? [textBlock('No line of a statement names it.', { tone: 'quiet' })]
          : [factsBlock(lines.map(lineFact))],
    },
  ]);
}

/** A line as one fact: `refund`: `-40.00 USD`, and below it where it stands. */
function lineFact({ account, statement, line }: PlacedLine): readonly [string, Shown] {
  const type = line.type === null ? line.typeText : line.type.replaceAll('_', ' ');
  return [
    type ?? 'line',
    {
      ...{ amount: formatAmount(amountOfMinor(line.amount)), currency: line.currency, as: 'effect' },
      ...{ href: rowAddress(statement, line.row), note: `${line.date}, ${account.name}, row ${line.row}` },
    },
  ];
}

function statusCell(kind: RecordKind, status: string | null): Shown {
  if (status === null) return 'none so far';
  const tone = statusMark(kind, status);
  return { text: status, as: 'status', tone };
}

export function timeOf(text: string): Shown {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : { ms };
}

function moneyFacts(money: Fields): (readonly [string, Shown])[] {
  const currency = typeof money.currency === 'string' ? money.currency : null;
  return Object.entries(money).flatMap(([name, value]) => {
    const amount = showValue(value);
    return name === 'currency' || amount === null ? [] : [[fieldLabel(name), { amount, currency }] as const];
  });
}

/** The money by each witness; nothing while no witness gave any. */
export function moneyTable(record: RecordDetail): Block {
  return listTable(moneyColumns(), witnessedMoney(record), {
    ...{ id: 'money', caption: 'Money, by each witness' },
    tone: ({ reported, confirmed }) =>
      reported !== null && confirmed !== null && reported !== confirmed ? 'warn' : undefined,
    empty: { text: 'No witness gave any money so far.', next: 'The next status check asks the service for it.' },
  });
}
