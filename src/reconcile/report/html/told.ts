import type { Stated } from '../../../domain/events/stated.ts';
import { money } from '../../../domain/money/amount.ts';
import { showValue } from '../../../domain/records/fields.ts';
import type { RecordKind } from '../../../domain/records/lifecycle.ts';
import { MONEY_FIELDS } from '../../../domain/records/witness-money.ts';
import type { EventSummary } from '../../../store/events.ts';
import type { ObservationSummary, RecordDetail } from '../../../store/records.ts';
import type { PlacedLine } from '../../../store/statements.ts';
import { countOf, grouped, signed, worded } from '../words.ts';

/*
 * The story behind a reference, as three witnesses tell it: the statement, the webhooks, the service. No text of a bank and no
 * field that names a person is in it, and no number of a row of the database.
 */

export const TELLERS = ['Statement', 'Webhook', 'Service'] as const;
export type Teller = (typeof TELLERS)[number];

export interface Told {
  readonly by: Teller;
  /** A time, or a day; null: that witness said nothing. */
  readonly at: string | null;
  readonly text: string;
  /** Where it can be looked up. */
  readonly where: string;
}

/** Webhooks, and lines, of one reference on a page: a payment has a handful. */
export const MOST_TOLD = 20;

type Time = (ms: number) => string;

export function toldByLine({ account, line }: PlacedLine, file: string): Told {
  const { row, date, type, typeText, currency, amount } = line;
  const charges = (['fee', 'tax', 'duty'] as const).flatMap((name) => {
    const charged = line[name];
    return charged === null ? [] : [`${name} ${grouped(money(charged))}`];
  });
  const what = type === null ? `${typeText} (no known type)` : type.replaceAll('_', ' ');
  return {
    by: 'Statement',
    at: date,
    text: [`${what} ${signed(money(amount))} ${currency}`, ...charges].join(', '),
    where: `row ${row} of ${file}, account ${account.name}`,
  };
}

/** A webhook, by what it says (null: it was not read as this record) and how it was received. */
export function toldByWebhook(
  event: EventSummary,
  said: Stated | null,
  { kind, time }: { kind: RecordKind | null; time: Time },
): Told {
  const { merchantSignature, keyId, deliveries, updatedAt, variants } = event;
  const content = kind === null || said === null ? (event.status ?? 'no status') : statedText(kind, said);
  const copies = deliveries === 1 ? '' : `, delivered ${deliveries} times`;
  const others = variants === 0 ? '' : `, and ${countOf(variants, 'other content')} under the same key`;
  const signature =
    merchantSignature === 'verified' ? `signed by ${keyId}` : `signed by ${keyId}, without merchantSignature`;
  return {
    by: 'Webhook',
    at: time(event.receivedAtMs),
    text: `${event.event}: ${content}${others}`,
    where: `${signature}${copies}${isTime(updatedAt) ? `, updated_at ${updatedAt}` : ''}`,
  };
}

/** Without a time of the service the key of an event holds a digest in its place. */
function isTime(text: string): boolean {
  return /^\d{4}-/.test(text);
}

/** The latest answers of the service: the last of each status check run, equal ones counted. */
export function toldByService({ kind, observations, firstSeenAtMs }: RecordDetail, asAtMs: number, time: Time): Told[] {
  const answers = observations.filter(
    ({ witness, answeredAtMs }) => witness === 'api' && (answeredAtMs ?? 0) <= asAtMs,
  );
  const listed = observations.filter(({ witness }) => witness === 'list');
  const told = [...Map.groupBy(answers, ({ stated }) => statedText(kind, stated))].map(([content, equal]): Told => {
    const last = equal.at(-1) as ObservationSummary;
    const before = equal.length === 1 ? '' : `, as in ${countOf(equal.length - 1, 'answer')} before`;
    return {
      by: 'Service',
      at: time(last.answeredAtMs ?? firstSeenAtMs),
      text: `answered ${content}${before}`,
      where: `sha256 of the answer ${last.digest ?? 'unknown'}`,
    };
  });
  return [
    ...told.slice(-MOST_TOLD),
    ...listed.map(
      ({ stated }): Told => ({
        by: 'Service',
        at: stated.time,
        text: `in its list: ${statedText(kind, stated)}`,
        where: 'list of refunds',
      }),
    ),
  ];
}

/** What is missing is told, too. */
export function silent(by: Teller): Told {
  const text = {
    Statement: 'no line of a statement names it',
    Webhook: 'no webhook was received',
    Service: 'no answer about it is kept',
  } satisfies Record<Teller, string>;
  return { by, at: null, text: text[by], where: '' };
}

function statedText(kind: RecordKind, { status, facts, details }: Stated): string {
  const said = MONEY_FIELDS[kind].flatMap((name) => {
    const value = facts[name] ?? details[name] ?? null;
    return value === null
      ? []
      : [
          `${worded(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).toLowerCase()} ${grouped(showValue(value) ?? '')}`,
        ];
  });
  return [status ?? 'no status', ...said].join(', ');
}
