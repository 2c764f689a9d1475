import { WireNumber } from '../wire/json.ts';
import { isWebhookRule, type WebhookRule } from '../world/chaos-rules.ts';
import { formatMoney, money, moneyToken, parseMoney } from '../world/money.ts';
import type { Announcement, Webhook } from '../world/webhook.ts';
import type { World } from '../world/world.ts';
import { applies, noteFault } from './rules.ts';

/** One webhook to send: its body, delay and faults. Without chaos an event is one shipment. */
export interface Shipment {
  readonly body: Record<string, unknown>;
  readonly delayMs: number;
  readonly dropped: boolean;
  /** After `delayMs` the webhook waits for the next one of its scope, at most this long; null: it does not wait. */
  readonly holdMs: number | null;
  readonly wrongKey: Webhook['wrongKey'];
  readonly corrupt: boolean;
  readonly copy: Webhook['copy'];
  readonly faults: readonly string[];
}

/** UTC+1, the zone of a timestamp without a zone. */
const LAGOS_OFFSET_MS = 3_600_000;
const DECIMAL_FIELDS = /^(amount|fee|fees|stamp_duty|requested_amount|total_reserved|.*_reserved|pending_.*)$/;

/** The webhooks to send for one event, after chaos. Every fault is logged with the event and its reference. */
export function planShipments(world: World, announcement: Announcement): Shipment[] {
  const { event, reference } = announcement;
  let plan: Shipment = {
    body: announcement.body,
    delayMs: 0,
    dropped: false,
    holdMs: null,
    wrongKey: null,
    corrupt: false,
    copy: null,
    faults: [],
  };
  const copies: { readonly copy: 'duplicate' | 'variant'; readonly delayMs: number }[] = [];
  const struck = world.state.chaos.rules
    .filter(isWebhookRule)
    .filter((rule) => applies(world, rule, { event, reference }))
    .toSorted((a, b) => Number(b.do === 'tie') - Number(a.do === 'tie')); // tie first: other rules change the new stamp
  // a dropped webhook has no other fault
  const dropped = struck.find((rule) => rule.do === 'drop');
  for (const rule of dropped ? [dropped] : struck) {
    const { plan: change, note } = strike(rule, plan, announcement);
    plan = { ...plan, ...change, faults: [...plan.faults, rule.do] };
    if (rule.do === 'duplicate') {
      for (let copy = 1; copy <= rule.times; copy++) copies.push({ copy: 'duplicate', delayMs: rule.gap * copy });
    }
    if (rule.do === 'variant') copies.push({ copy: 'variant', delayMs: 0 });
    noteFault(world, rule, { target: event, reference, note });
  }
  if (plan.dropped) return [plan];
  return [
    plan,
    ...copies.map(({ copy, delayMs }) => ({
      ...plan,
      copy,
      delayMs: plan.delayMs + delayMs,
      body: copy === 'variant' ? withOtherAmount(plan.body) : plan.body,
    })),
  ];
}

function strike(
  rule: WebhookRule,
  plan: Shipment,
  announcement: Announcement,
): { plan: Partial<Shipment>; note: string } {
  switch (rule.do) {
    case 'drop':
      return { plan: { dropped: true }, note: 'never sent' };
    case 'delay':
      return { plan: { delayMs: plan.delayMs + rule.by }, note: `sent ${rule.by} ms late` };
    case 'duplicate':
      return { plan: {}, note: `sent ${rule.times + 1} times` };
    case 'reorder':
      return { plan: { holdMs: rule.hold }, note: 'sent after the next one' };
    case 'tie': {
      const stamp = announcement.previousUpdatedAt ?? wholeSecond(announcement.updatedAt);
      return { plan: { body: withData(plan.body, { updated_at: stamp }) }, note: `updated_at ${stamp} as before` };
    }
    case 'variant':
      return { plan: {}, note: 'sent again with another amount under the same key' };
    case 'wrong_key':
      return {
        plan: { wrongKey: { key: rule.key, attempts: rule.attempts } },
        note: `signed with the ${rule.key} key`,
      };
    case 'corrupt':
      return { plan: { corrupt: true }, note: 'body altered after signing' };
    case 'stringify':
      return { plan: { body: mapValues(plan.body, asText) }, note: 'numbers as strings' };
    case 'numberify':
      return { plan: { body: mapValues(plan.body, asNumber) }, note: 'strings as numbers' };
    case 'zoneless':
      return { plan: { body: mapValues(plan.body, withoutZone) }, note: 'timestamps without a zone (UTC+1)' };
  }
}

function withData(body: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  return { ...body, data: { ...(body.data as Record<string, unknown>), ...change } };
}

function withOtherAmount(body: Record<string, unknown>): Record<string, unknown> {
  const { amount } = body.data as { amount: string | WireNumber };
  const more = money(amount instanceof WireNumber ? amount.token : amount) + money('1.00');
  return withData(body, {
    amount: amount instanceof WireNumber ? new WireNumber(moneyToken(more)) : formatMoney(more),
  });
}

type Change = (key: string, value: unknown) => unknown;

function mapValues(body: Record<string, unknown>, change: Change): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const isObject = typeof value === 'object' && value !== null && !(value instanceof WireNumber);
      return [key, isObject ? mapValues(value as Record<string, unknown>, change) : change(key, value)];
    }),
  );
}

const asText: Change = (_key, value) => (value instanceof WireNumber ? value.token : value);

const asNumber: Change = (key, value) => {
  const amount = typeof value === 'string' && DECIMAL_FIELDS.test(key) ? parseMoney(value) : null;
  return amount === null ? value : new WireNumber(moneyToken(amount));
};

const withoutZone: Change = (key, value) =>
  typeof value === 'string' && key.endsWith('_at') && value.endsWith('Z')
    ? new Date(Date.parse(value) + LAGOS_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
    : value;

const wholeSecond = (stamp: string): string => `${stamp.slice(0, 19)}.000000Z`;
