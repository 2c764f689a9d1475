import { checkBooks } from '../business/books-check.ts';
import { checkWebhookUrl, type MerchantOptions } from '../business/merchant-options.ts';
import { addMerchant, rotateKeys } from '../business/merchants.ts';
import { addRule } from '../chaos/rules.ts';
import { asObject, defined, readControl } from '../wire/control-input.ts';
import { refuseControl } from '../wire/refusal.ts';
import { type PlantedFault, type Rule, type RuleInput, ruleSchema } from '../world/chaos-rules.ts';
import { formatMoney } from '../world/money.ts';
import type { Environment, KeyPair } from '../world/records.ts';
import { parseDuration, type Settings, type SettingsInput, settingsSchema } from '../world/settings.ts';
import { restoreSnapshot, takeSnapshot } from '../world/snapshot.ts';
import type { Entry } from '../world/state.ts';
import type { Webhook, WebhookState } from '../world/webhook.ts';
import type { World } from '../world/world.ts';
import { webhookFilter } from './input.ts';
import { noSuch, type Whose } from './records.ts';
import { StatementControls } from './statements.ts';

export interface MerchantView {
  readonly id: string;
  readonly name: string;
  readonly keys: Record<Environment, KeyPair>;
  readonly retiredKeys: Record<Environment, KeyPair>;
  readonly webhookUrls: Record<Environment, string | null>;
}

/** The controls: changes that no request of the service can make. The same in code, over HTTP and in the CLI. */
export class Controls extends StatementControls {
  private readonly firstState: () => void;

  constructor(world: World, firstState: () => void) {
    super(world);
    this.firstState = firstState;
  }

  /** The sandbox time. */
  now(): Date {
    return new Date(this.world.clock.now());
  }

  /** Moves time forward ("90s", "2h", or milliseconds). Resolves when the due jobs ran and their webhooks were attempted. */
  async advance(by: string | number): Promise<Date> {
    const ms = parseDuration(by);
    if (ms === null) throw refuseControl(422, `"${by}" is not a duration`, 'Write 90s, 5m, 2h or 1d; at most 400d.');
    await this.world.clock.advance(ms);
    return this.now();
  }

  /** Resolves when every job due now ran and every webhook due now was attempted. */
  async idle(): Promise<void> {
    await this.world.clock.advance(0);
  }

  merchants(): MerchantView[] {
    return this.world.state.merchants.map(({ id, name, keys, webhookUrls }) => ({
      id,
      name,
      keys: { test: keys.test.current, live: keys.live.current },
      retiredKeys: { test: keys.test.retired, live: keys.live.retired },
      webhookUrls: { ...webhookUrls },
    }));
  }

  addMerchant(options: MerchantOptions = {}): MerchantView {
    const { id } = addMerchant(this.world, options);
    return this.merchants().find((merchant) => merchant.id === id) as MerchantView;
  }

  rotateKeys(whose: Whose = {}): KeyPair {
    const { merchant, environment } = this.scope(whose);
    return rotateKeys(this.world, merchant, environment);
  }

  setWebhookUrl(url: string | null, whose: Whose = {}): void {
    if (url !== null) checkWebhookUrl(url);
    const { merchant, environment } = this.scope(whose);
    merchant.webhookUrls[environment] = url;
    this.world.changes++;
  }

  /** The delivery log, oldest first. */
  webhooks(
    filter: { state?: WebhookState | undefined; event?: string | undefined; reference?: string | undefined } = {},
  ): Webhook[] {
    readControl(webhookFilter, filter);
    return [...this.world.state.webhooks.values()].filter(
      ({ state, event, reference }) =>
        (filter.state ?? state) === state &&
        (filter.event ?? event) === event &&
        (filter.reference ?? reference) === reference,
    );
  }

  /** Sends a webhook of the log once more. Resolves with the webhook when it was attempted. */
  async redeliver(id: string): Promise<Webhook> {
    const webhook = this.world.state.webhooks.get(id);
    if (!webhook) throw noSuch('webhook', id, 'webhooks');
    this.world.webhooks.redeliver(webhook);
    await this.world.webhooks.drained();
    return webhook;
  }

  chaosRules(): readonly Rule[] {
    return this.world.state.chaos.rules;
  }

  /** Adds a rule, or replaces the one with its `id`. Throws with every wrong field. */
  addChaos(rule: RuleInput): Rule {
    return addRule(this.world, readControl(ruleSchema, rule));
  }

  /** Removes one rule, or all. Throws when there is no such rule. The log of planted faults is kept. */
  clearChaos(id?: string): void {
    const { chaos } = this.world.state;
    if (id !== undefined && !chaos.rules.some((rule) => rule.id === id)) throw noSuch('chaos rule', id, 'chaos');
    chaos.rules = id === undefined ? [] : chaos.rules.filter((rule) => rule.id !== id);
    this.world.changes++;
  }

  /** The planted faults, oldest first. */
  plantedFaults(): readonly PlantedFault[] {
    return this.world.state.chaos.log;
  }

  settings(): Settings {
    return this.world.settings;
  }

  changeSettings(change: SettingsInput): Settings {
    this.world.settings = readControl(settingsSchema, { ...this.world.settings, ...defined(asObject(change)) });
    this.world.changes++;
    return this.world.settings;
  }

  /** The ledger: accounts, kept entries, and problems (none, unless the sandbox has a defect). */
  books(): {
    accounts: Record<string, string>;
    entries: (Omit<Entry, 'amount'> & { amount: string })[];
    problems: string[];
  } {
    const { accounts, entries } = this.world.state.books;
    return {
      accounts: Object.fromEntries([...accounts].map(([key, amount]) => [key, formatMoney(amount)])),
      entries: entries.map((entry) => ({ ...entry, amount: formatMoney(entry.amount) })),
      problems: checkBooks(this.world),
    };
  }

  snapshot(): string {
    return takeSnapshot(this.world);
  }

  restore(snapshot: string): void {
    try {
      restoreSnapshot(this.world, snapshot);
    } catch (error) {
      throw refuseControl(
        422,
        `The snapshot was refused: ${(error as Error).message}`,
        'Use a text made by GET /sandbox/snapshot.',
      );
    }
  }

  /** Restores the start of the sandbox: same keys, opening balances, settings and chaos rules, no records. */
  reset(): void {
    const { world } = this;
    world.webhooks.forget();
    world.clock.replace(world.clock.now(), []);
    this.firstState();
  }
}
