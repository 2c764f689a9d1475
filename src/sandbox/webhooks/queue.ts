import { planShipments } from '../chaos/webhooks.ts';
import { encodeWebhookJson } from '../wire/json.ts';
import { type KeyPair, scopeKey } from '../world/records.ts';
import type { Announcement, Webhook, Webhooks } from '../world/webhook.ts';
import type { World } from '../world/world.ts';
import { signatureHeaders, WebhookSender } from './sender.ts';

const LANES = 64;

/**
 * Webhooks on their way: planned by chaos, kept in the log, sent lane by lane (a reference always takes the same lane,
 * so its events leave in order), and tried again on the retry schedule of the sandbox's clock.
 */
export class WebhookQueue implements Webhooks {
  private readonly world: World;
  private readonly sender = new WebhookSender();
  private readonly lanes: Webhook[][] = Array.from({ length: LANES }, () => []);
  private readonly busy = new Set<number>();
  /** What `reorder` holds back, oldest first. */
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

  /** Runs a `deliver` job. A webhook held for reordering may have left before its time was up. */
  deliver(id: string): void {
    const webhook = this.world.state.webhooks.get(id);
    if (!webhook || (webhook.state !== 'queued' && webhook.state !== 'held')) return;
    this.held.delete(webhook);
    webhook.state = 'queued';
    this.enqueue(webhook);
  }

  /** Sends a webhook once more, whatever became of it. */
  redeliver(webhook: Webhook): void {
    this.held.delete(webhook);
    webhook.state = 'queued';
    this.enqueue(webhook);
  }

  /** Picks up what a snapshot left between the log and the wire. */
  resume(): void {
    const scheduled = new Set(this.world.clock.jobs().map(({ data }) => data.webhook));
    for (const webhook of this.world.state.webhooks.values()) {
      if (webhook.state === 'held') this.held.add(webhook);
      if (webhook.state === 'queued' && !scheduled.has(webhook.id)) this.enqueue(webhook);
    }
  }

  /** Resolves when nothing is being sent. */
  drained(): Promise<void> {
    if (this.busy.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** Forgets what waits to be sent (reset, restore); what is on the wire ends unseen. */
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
    const number = laneOf(webhook.reference);
    this.lanes[number]?.push(webhook);
    if (this.busy.has(number)) return;
    this.busy.add(number);
    // After the answer to the request that caused it: a merchant may look the reference up only once it knows it.
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
    // After a reset its id may be another's: what was on the wire then must not schedule that one.
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

  /** What `reorder` held back leaves once a later webhook of the same scope was attempted. */
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
