// Imports between the rooms point one way: http → controls → statements → business → webhooks → chaos → wire → world. This file wires
// them: it gives the world its webhook queue and its jobs, so that world/ imports neither webhooks/ nor business/.
import { randomBytes, randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { JOBS } from './business/jobs.ts';
import type { MerchantOptions } from './business/merchant-options.ts';
import { addMerchant } from './business/merchants.ts';
import { addRule } from './chaos/rules.ts';
import { Controls } from './controls/controls.ts';
import { buildServer } from './http/server.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { WebhookQueue } from './webhooks/queue.ts';
import { defined, readControl } from './wire/control-input.ts';
import { ruleSchema } from './world/chaos-rules.ts';
import type { Environment, KeyPair, Merchant } from './world/records.ts';
import { settingsSchema } from './world/settings.ts';
import { emptyState } from './world/state.ts';
import { keepState } from './world/state-file.ts';
import { World } from './world/world.ts';

/** A running sandbox: its addresses, its keys, and every control as a method. */
export class Sandbox extends Controls implements AsyncDisposable {
  readonly seed: number;
  readonly url: string;
  readonly checkoutUrl: string;
  readonly controlToken: string;
  private readonly app: FastifyInstance;
  private readonly saveState: () => Promise<void>;
  private closing: Promise<void> | undefined;

  constructor(parts: {
    world: World;
    firstState: () => void;
    app: FastifyInstance;
    url: string;
    checkoutUrl: string;
    controlToken: string;
    saveState: () => Promise<void>;
  }) {
    super(parts.world, parts.firstState);
    this.seed = parts.world.state.seed;
    this.url = parts.url;
    this.checkoutUrl = parts.checkoutUrl;
    this.controlToken = parts.controlToken;
    this.app = parts.app;
    this.saveState = parts.saveState;
  }

  /** The current key pairs of the first merchant. */
  get keys(): Readonly<Record<Environment, KeyPair>> {
    const { keys } = this.scope({}).merchant;
    return { test: keys.test.current, live: keys.live.current };
  }

  /** Stops listening and sending webhooks, then writes the state file if there is one. A second call does nothing more. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  /** Closes it at the end of its block: `await using sandbox = await startSandbox()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async stop(): Promise<void> {
    await this.app.close();
    this.world.close();
    await this.saveState();
  }
}

/**
 * A running sandbox: the payment service on this machine. Two sandboxes of one process share nothing.
 * Throws when an option is invalid or the port is taken.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const settings = readControl(settingsSchema, options.settings ?? {});
  const world = new World({
    seed: options.seed ?? randomInt(1, 2 ** 31),
    settings,
    clock: {
      mode: options.clock ?? 'running',
      speed: options.speed ?? 1,
      ...(options.startAt === undefined ? {} : { startMs: new Date(options.startAt).getTime() }),
    },
    jobs: JOBS,
    webhooks: (world) => new WebhookQueue(world),
  });
  const rules = (options.chaos ?? []).map((rule) => readControl(ruleSchema, rule));
  let firstUrls: Merchant['webhookUrls'] | undefined;
  let firstSeed = world.state.seed;
  const firstState = () => {
    world.state = emptyState(firstSeed); // a restored snapshot may have another seed
    world.settings = settings;
    const [first, ...others] = options.merchants ?? [{}];
    addMerchant(world, { ...first, ...urlsOf(options) });
    for (const merchant of others) addMerchant(world, merchant);
    for (const rule of rules) addRule(world, rule);
    Object.assign(world.state.merchants[0]?.webhookUrls ?? {}, firstUrls);
  };
  firstState();
  const saveState = await openStateFile(world, options, rules);
  // a reset keeps the seed and the webhook URLs of the state file
  firstSeed = world.state.seed;
  firstUrls = { ...(world.state.merchants[0] as Merchant).webhookUrls };

  const controlToken = options.controlToken ?? `sbx_${randomBytes(24).toString('hex')}`;
  const pageUrl = options.checkoutUrl?.replace(/\/+$/, '');
  let url = '';
  const app = buildServer({
    world,
    controls: new Controls(world, firstState),
    controlToken,
    hosts: options.controlHosts ?? [],
    baseUrl: () => url,
    checkoutUrl: () => pageUrl ?? url,
    logger: options.logger,
  });
  try {
    const listening = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 });
    url = listening.replace('//[::]:', '//[::1]:'); // clients cannot connect to the wildcard address
  } catch (error) {
    world.close();
    await saveState();
    throw error;
  }
  return new Sandbox({ world, firstState, app, url, checkoutUrl: pageUrl ?? url, controlToken, saveState });
}

/** Opens the state file; explicit options override what it holds. Returns the function that writes it for the last time. */
async function openStateFile(world: World, options: SandboxOptions, rules: readonly z.output<typeof ruleSchema>[]) {
  if (options.stateFile === undefined) return async () => {};
  const save = await keepState(world, { file: options.stateFile, seed: options.seed }, (error) =>
    options.logger?.error(error, 'sandbox state not written'),
  );
  const first = world.state.merchants[0];
  if (options.webhookUrl !== undefined && first) first.webhookUrls.test = options.webhookUrl;
  if (options.liveWebhookUrl !== undefined && first) first.webhookUrls.live = options.liveWebhookUrl;
  if (options.settings) world.settings = settingsSchema.parse({ ...world.settings, ...defined(options.settings) });
  if (options.chaos) {
    world.state.chaos.rules = [];
    for (const rule of rules) addRule(world, rule);
  }
  return save;
}

function urlsOf({ webhookUrl, liveWebhookUrl }: SandboxOptions): MerchantOptions {
  return {
    ...(typeof webhookUrl === 'string' ? { webhookUrl } : {}),
    ...(typeof liveWebhookUrl === 'string' ? { liveWebhookUrl } : {}),
  };
}

export type { BalanceView } from './business/balances.ts';
export { SIMULATOR_CARDS } from './business/cards.ts';
export type { MerchantOptions } from './business/merchant-options.ts';
export type { BatchView, ChargebackView } from './controls/bank.ts';
export { Controls, type MerchantView } from './controls/controls.ts';
export type { Whose } from './controls/records.ts';
export type { StatementRequest } from './controls/statements.ts';
export type { SandboxOptions } from './options.ts';
export { DIALECT_NAMES, type DialectName } from './statements/dialects.ts';
export { FILE_FAULTS, type FileChaos } from './statements/file-chaos.ts';
export { STATEMENT_KINDS, type StatementKind } from './statements/statement.ts';
export type { PlantedFileFault, StatementFile } from './statements/write.ts';
export { Refusal } from './wire/refusal.ts';
export type { CollectionView, PayoutView, RefundView } from './wire/views.ts';
export { BANKS } from './world/banks.ts';
export { type PlantedFault, RULE_NAMES, type Rule, type RuleInput } from './world/chaos-rules.ts';
export {
  COLLECTION_STATUSES,
  type CollectionStatus,
  CURRENCIES,
  type Currency,
  type Environment,
  type KeyPair,
  PAYOUT_STATUSES,
  type PaymentOption,
  type PayoutStatus,
  REFUND_STATUSES,
  type RefundStatus,
} from './world/records.ts';
export type { Settings, SettingsInput } from './world/settings.ts';
export { StateFileError } from './world/state-lock.ts';
export type { Webhook } from './world/webhook.ts';
export { WEBHOOK_STATES, type WebhookState } from './world/webhook.ts';
