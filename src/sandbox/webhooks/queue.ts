import { planShipments } from '../chaos/webhooks.ts';
import { encodeWebhookJson } from '../wire/json.ts';
import { type KeyPair, scopeKey } from '../world/records.ts';
import type { Announcement, Webhook, Webhooks } from '../world/webhook.ts';
import type { World } from '../world/world.ts';
import { signatureHeaders, WebhookSender } from './sender.ts';

/**
 * Most webhooks sent at the same time while the clock runs; a reference always uses the same lane, so its events leave in
 * order. Under a manual clock all use the first: tests see every webhook in the order of the log.
 */
const LANES = 64;

/**
 * The webhook queue: each event becomes one or more webhooks (chaos), which are logged, sent lane by lane, and retried
 * on the schedule of the settings, in sandbox time.
 */
export class WebhookQueue implements Webhooks {
  private readonly world: World;
  private readonly sender = new WebhookSender();
  private readonly lanes: Webhook[][] = Array.from({ length: LANES }, () => []);
  private readonly busy = new Set<number>();
  /** Webhooks held by a `reorder` rule, oldest first. */
  private readonly held = new Set<Webhook>();
  private waiters: (() => void)[] = [];
  private closed = false;

  constructor(world: World) {
    this.world = world;
  }

  announce(announcement: Announcement): void {
    const { merchantId, environment, event, reference } = announcement;
    for (const shipment of planShipments(this.world, announcement)) {
      const webhook: Webhook = {
        id: this.world.nextId('whk'),
        merchantId,
        environment,
        event,
        reference,
        body: encodeWebhookJson(shipment.body),
        createdAt: this.world.stamp(),
        state: shipment.dropped ? 'dropped' : shipment.holdMs === null ? 'queued' : 'held',
        attempts: [],
        wrongKey: shipment.wrongKey,
        corrupt: shipment.corrupt,
        copy: shipment.copy,
        faults: shipment.faults,
        heldUntilMs: this.world.clock.now() + shipment.delayMs,
      };
      this.keep(webhook);
      if (shipment.dropped) continue;
      if (shipment.holdMs !== null) {
        this.held.add(webhook);
        this.world.clock.schedule(shipment.delayMs + shipment.holdMs, 'deliver', { webhook: webhook.id });
      } else this.sendAfter(webhook, shipment.delayMs + (this.world.settings.retryScheduleMs[0] ?? 0));
    }
  }

  /** A webhook that is no longer queued or held was sent before its job came. */
  deliver(id: string): void {
    const webhook = this.world.state.webhooks.get(id);
    if (!webhook || (webhook.state !== 'queued' && webhook.state !== 'held')) return;
    this.redeliver(webhook);
  }

  /** Sends a webhook once more, in any state. */
  redeliver(webhook: Webhook): void {
    this.held.delete(webhook);
    webhook.state = 'queued';
    this.enqueue(webhook);
  }

  resume(): void {
    const scheduled = new Set(this.world.clock.jobs().map(({ data }) => data.webhook));
    for (const webhook of this.world.state.webhooks.values()) {
      if (webhook.state === 'held') this.held.add(webhook);
      if (webhook.state === 'queued' && !scheduled.has(webhook.id)) this.enqueue(webhook);
    }
  }

  drained(): Promise<void> {
    if (this.busy.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  forget(): void {
    for (const lane of this.lanes) lane.length = 0;
    this.held.clear();
  }

  close(): void {
    this.closed = true;
    this.forget();
    this.sender.close();
  }

  private keep(webhook: Webhook): void {
    const { webhooks } = this.world.state;
    webhooks.set(webhook.id, webhook);
    if (webhooks.size <= this.world.settings.webhookLogLimit) return;
    for (const [id, old] of webhooks) {
      if (old.state === 'queued' || old.state === 'held') continue;
      webhooks.delete(id);
      break;
    }
  }

  private sendAfter(webhook: Webhook, delayMs: number): void {
    if (delayMs === 0) this.enqueue(webhook);
    else this.world.clock.schedule(delayMs, 'deliver', { webhook: webhook.id });
  }

  private enqueue(webhook: Webhook): void {
    if (this.closed) return;
    const number = this.world.clock.isManual ? 0 : laneOf(webhook.reference);
    this.lanes[number]?.push(webhook);
    if (this.busy.has(number)) return;
    this.busy.add(number);
    // The answer to the request goes out first: until then the merchant cannot look the reference up.
    setImmediate(() => void this.work(number));
  }

  private async work(number: number): Promise<void> {
    const lane = this.lanes[number] ?? [];
    for (let webhook = lane.shift(); webhook; webhook = lane.shift()) await this.attempt(webhook);
    this.busy.delete(number);
    if (this.busy.size > 0) return;
    const waiters = this.waiters;
    this.waiters = [];
    for (const waiter of waiters) waiter();
  }

  private async attempt(webhook: Webhook): Promise<void> {
    const { settings, clock } = this.world;
    const { merchant, environment } = this.world.scopeOf(webhook);
    const url = merchant.webhookUrls[environment];
    if (url === null) {
      webhook.state = 'no_url';
      this.world.changes++;
      return;
    }
    const body = Buffer.from(webhook.body);
    const headers = signatureHeaders(body, this.signingPair(webhook), clock.now(), settings);
    const sent = webhook.corrupt
      ? Buffer.from(webhook.body.replace(/\d(?=\D*$)/, (digit) => String(9 - Number(digit))))
      : body;
    const outcome = await this.sender.send(url, headers, sent, settings.webhookTimeoutMs);
    // After a reset another webhook may have this id; the outcome of the old one must not reach it.
    if (this.closed || this.world.state.webhooks.get(webhook.id) !== webhook) return;
    webhook.attempts.push({ at: this.world.wireStamp(), ...outcome });
    const { httpStatus } = outcome;
    const accepted =
      httpStatus !== null &&
      (settings.webhookAccepts === '200' ? httpStatus === 200 : httpStatus >= 200 && httpStatus < 300);
    const waitMs = settings.retryScheduleMs[webhook.attempts.length];
    if (accepted) webhook.state = 'delivered';
    else if (waitMs === undefined) webhook.state = 'exhausted';
    else clock.schedule(waitMs, 'deliver', { webhook: webhook.id });
    this.releaseHeld(webhook);
  }

  private signingPair(webhook: Webhook): KeyPair {
    const { merchant, environment } = this.world.scopeOf(webhook);
    const { wrongKey } = webhook;
    if (!wrongKey || webhook.attempts.length >= wrongKey.attempts) return merchant.keys[environment].current;
    if (wrongKey.key === 'old') return merchant.keys[environment].retired;
    return merchant.keys[environment === 'test' ? 'live' : 'test'].current;
  }

  /** Sends the webhooks held by `reorder` rules after the attempt of a later webhook of their scope. */
  private releaseHeld(after: Webhook): void {
    for (const webhook of this.held) {
      if (scopeKey(webhook) !== scopeKey(after)) continue;
      const isRipe = this.world.clock.now() >= webhook.heldUntilMs;
      if (isRipe && webhook.createdAt < after.createdAt) this.deliver(webhook.id);
    }
  }
}

function laneOf(reference: string): number {
  let hash = 0;
  for (let i = 0; i < reference.length; i++) hash = (Math.imul(hash, 31) + reference.charCodeAt(i)) | 0;
  return Math.abs(hash % LANES);
}
