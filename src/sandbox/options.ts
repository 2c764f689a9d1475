import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { MerchantOptions } from './business/merchant-options.ts';
import { readControl } from './wire/control-input.ts';
import type { RuleInput } from './world/chaos-rules.ts';
import type { ClockOptions } from './world/clock.ts';
import type { SettingsInput } from './world/settings.ts';

/** How a sandbox starts. Everything is optional. */
export interface SandboxOptions {
  /** Makes keys, references and chaos repeatable. Default: that of the state file, else random. */
  readonly seed?: number;
  /** Where the first merchant's test webhooks go; null: nowhere. Default: nowhere, or where the state file says. */
  readonly webhookUrl?: string | null;
  /** Where the first merchant's live webhooks go. */
  readonly liveWebhookUrl?: string | null;
  /** The merchants to begin with; `webhookUrl` and `liveWebhookUrl` above are the first one's. Default: one. */
  readonly merchants?: readonly MerchantOptions[];
  readonly settings?: SettingsInput;
  /** Chaos rules from the start. */
  readonly chaos?: readonly RuleInput[];
  /** `manual` moves only by `advance`; `running` follows real time. Default: running. */
  readonly clock?: ClockOptions['mode'];
  /** Sandbox seconds per real second. Default: 1. */
  readonly speed?: number;
  /** Where time begins. Default: now. */
  readonly startAt?: Date;
  /** Default 127.0.0.1, and a free port. */
  readonly host?: string;
  readonly port?: number;
  /** `{checkout_url}` when people reach the page under another address. Default: the sandbox's own. */
  readonly checkoutUrl?: string;
  /** Host names besides loopback under which the controls answer. */
  readonly controlHosts?: readonly string[];
  /** Default: random. Never derived from the seed: a web page could know that. */
  readonly controlToken?: string;
  /** Keeps everything in this file across restarts. Default: memory only. */
  readonly stateFile?: string;
  readonly logger?: FastifyBaseLogger;
}

const MOST_SPEED = 1_000_000;

const webUrl = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a full http:// or https:// address',
});
const optionsSchema = z.strictObject({
  seed: z.int().min(0).optional(),
  webhookUrl: z.string().nullish(),
  liveWebhookUrl: z.string().nullish(),
  merchants: z.array(z.looseObject({})).min(1).optional(),
  settings: z.looseObject({}).optional(),
  chaos: z.array(z.looseObject({})).optional(),
  clock: z.enum(['running', 'manual']).optional(),
  speed: z.number().positive().max(MOST_SPEED).optional(),
  startAt: z.date().optional(),
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  checkoutUrl: webUrl.optional(),
  controlHosts: z.array(z.string()).optional(),
  controlToken: z.string().min(1).optional(),
  stateFile: z.string().min(1).optional(),
  logger: z.unknown().optional(),
});

/** Throws a `Refusal` that names every option at fault. Merchants, settings and chaos rules are checked by their owners. */
export function checkOptions(options: SandboxOptions): void {
  readControl(optionsSchema, options);
}
