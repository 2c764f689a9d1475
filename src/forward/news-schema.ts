import { ENVIRONMENTS } from '../domain/environment.ts';
import { RECORD_FIELDS } from '../domain/events/stated.ts';
import { FINDING_CODES } from '../domain/findings/finding.ts';
import { LIFECYCLES, RECORD_KINDS, type RecordKind } from '../domain/records/lifecycle.ts';
import { MONEY_FIELDS } from '../domain/records/witness-money.ts';

/** A JSON Schema of draft 2020-12, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema of the bodies that targets get, from the same tables as the bodies. Members that are not named are allowed,
 * and so are statuses and findings: a later version may add them. A test keeps `docs/news.schema.json` equal to it.
 */
export function newsSchema(): Schema {
  const confirmed = RECORD_KINDS.map((kind) => [kind, confirmedNews(kind)]);
  const received = [...RECORD_KINDS, 'unknown' as const].map((kind) => [`${kind}Received`, receivedNews(kind)]);
  const data = RECORD_KINDS.map((kind) => [`${kind}Data`, recordData(kind)]);
  const members = Object.fromEntries([...confirmed, ...received]);
  const names = [...Object.keys(members), 'test'];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'News of Tallyhook',
    description:
      'The body of a request to a target, and what onConfirmed gets. Later versions may add members, types, statuses and findings.',
    oneOf: names.map((name) => ref(name)),
    $defs: { ...members, test: testNews(), ...Object.fromEntries(data), time: TIME },
  };
}

function confirmedNews(kind: RecordKind): Schema {
  const statuses: string[] = LIFECYCLES[kind].ranks.flat();
  return news(`The service confirmed another status of a ${kind}.`, {
    type: {
      ...matching(`^${kind}\\..`, 'Kind and confirmed status.'),
      examples: statuses.map((status) => `${kind}.${status}`),
    },
    kind: { const: kind },
    confirmed: { ...text('The status of this move.'), examples: statuses },
    confirmedAt: { ...text('When the service confirmed it.'), format: 'date-time' },
    data: ref(`${kind}Data`),
    n: { type: 'integer', minimum: 1, description: 'Rises with each move of the record, with gaps.' },
  });
}

function receivedNews(kind: RecordKind | 'unknown'): Schema {
  const of = kind === 'unknown' ? 'an event of no known kind' : `an event of a ${kind}`;
  const schema = news(`With when: received. Tallyhook carried out ${of}; nothing is confirmed by it.`, {
    type: { ...text("The event's own name."), not: { const: TEST_TYPE } },
    kind: { const: kind },
    confirmed: textOrNull('The status that the service last confirmed.'),
    confirmedAt: { ...textOrNull('When it did.'), format: 'date-time' },
    data: kind === 'unknown' ? { type: 'null' } : { anyOf: [ref(`${kind}Data`), { type: 'null' }] },
    n: { type: 'null' },
    updatedAt: text("The event's updated_at, as in its key."),
  });
  return schema;
}

function testNews(): Schema {
  const none = { type: 'null' };
  const about = { type: { const: TEST_TYPE }, kind: { const: 'unknown' } };
  const nothing = { confirmed: none, confirmedAt: none, data: none, n: none };
  return news('Sent by tallyhook forward test; about no record.', { ...about, ...nothing });
}

const TEST_TYPE = 'tallyhook.test';

/** News in the documented order of its members; `body` alone may be missing. */
function news(description: string, own: Readonly<Record<string, Schema>>): Schema {
  const { type, kind, confirmed, confirmedAt, data, n, ...last } = own;
  const ids = { type: 'array', items: { type: 'string', pattern: '^msg_' } };
  const properties = {
    id: matching('^msg_', 'The webhook-id: the same at every attempt.'),
    type,
    environment: { enum: ENVIRONMENTS },
    kind,
    reference: text('The reference of the record.'),
    reported: textOrNull('The status by webhooks, when the body was built.'),
    confirmed,
    confirmedAt,
    previous: textOrNull('The confirmed status before this move; of a received event the reported one before it.'),
    findings: {
      type: 'array',
      items: { type: 'string', examples: FINDING_CODES },
      description: "Codes of the record's open findings, sorted.",
    },
    data,
    supersedes: { ...ids, description: 'Earlier news that this one replaces, because it failed.' },
    missing: { ...ids, description: 'Earlier news that was given up or dropped since the last delivered one.' },
    replayed: { type: 'boolean', description: 'A person replayed it: do it again when n is the last that you took.' },
    n,
    ...last,
  };
  const body = { type: ['string', 'null'], contentEncoding: 'base64', description: 'With includeBody: the event.' };
  return {
    type: 'object',
    description,
    properties: { ...properties, body },
    required: Object.keys(properties),
  };
}

function recordData(kind: RecordKind): Schema {
  const { facts, details, times } = RECORD_FIELDS[kind];
  const money = texts(MONEY_FIELDS[kind]);
  return object({
    facts: texts(Object.keys(facts)),
    details: texts(Object.keys(details)),
    amount: object({
      amount: textOrNull('Decimal text, by the service where it gave it, else as all observations agree.'),
      currency: textOrNull('Three letters.'),
      by: { enum: ['service', 'agreed', null] },
      disputed: { type: 'boolean', description: 'The service gave it, and another observation differs.' },
    }),
    money: object({ reported: money, confirmed: money }),
    fee: textOrNull("The service's fee, exact."),
    times: object(Object.fromEntries(Object.keys(times).map((name) => [name, ref('time')]))),
  });
}

/** A time that the service gave: its text, and the instant where it can be read. */
const TIME: Schema = {
  anyOf: [object({ text: text('As the service gave it.'), utc: textOrNull('In UTC.') }), { type: 'null' }],
};

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function texts(names: readonly string[]): Schema {
  return object(Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'] }])));
}

function text(description: string): Schema {
  return { type: 'string', description };
}

function textOrNull(description: string): Schema {
  return { type: ['string', 'null'], description };
}

function matching(pattern: string, description: string): Schema {
  return { type: 'string', pattern, description };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
