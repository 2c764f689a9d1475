import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import type { MerchantOptions } from './business/merchant-options.ts';
import { readControl } from './wire/control-input.ts';
import type { RuleInput } from './world/chaos-rules.ts';
import type { ClockOptions } from './world/clock.ts';
import type { SettingsInput } from './world/settings.ts';

/** The options of `startSandbox`. All are optional. */
export interface SandboxOptions {
  /** Makes keys, references and chaos repeatable. Default: the seed of the state file, else random. */
  readonly seed?: number;
  /** Test webhook URL of the first merchant, null for none. Default: the URL in the state file, else none. */
  readonly webhookUrl?: string | null;
  /** Live webhook URL of the first merchant; as `webhookUrl`. */
  readonly liveWebhookUrl?: string | null;
  /** The merchants at the start. Default: one. */
  readonly merchants?: readonly MerchantOptions[];
  readonly settings?: SettingsInput;
  /** Chaos rules at the start. */
  readonly chaos?: readonly RuleInput[];
  /**
   * `manual` moves only by `advance`, and sends one webhook after another, in the order of the log; `running` follows real
   * time. Default: running.
   */
  readonly clock?: ClockOptions['mode'];
  /** Sandbox seconds per real second. Default: 1. */
  readonly speed?: number;
  /** The first sandbox time: a Date, or an ISO 8601 text with `Z` or an offset. Default: now. */
  readonly startAt?: Date | string;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** `{checkout_url}` when a proxy serves the page under another address. Default: the sandbox's own. */
  readonly checkoutUrl?: string;
  /** Host names besides loopback under which the controls answer. */
  readonly controlHosts?: readonly string[];
  /** Default: random. It is never derived from the seed, which a web page could guess. */
  readonly controlToken?: string;
  /** File that keeps the whole state across restarts. Default: memory only. */
  readonly stateFile?: string;
  readonly logger?: FastifyBaseLogger;
}

/** Sandbox seconds per real second: a day in 86 ms; a higher speed only moves the clock in larger steps. */
const MOST_SPEED = 1_000_000;

const webUrl = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a full http:// or https:// address',
});
const INSTANT_RULE = 'must be a Date, or a text such as 2026-03-01T09:00:00Z with Z or an offset';
const optionsSchema = z.strictObject({
  seed: z.int().min(0).optional(),
  webhookUrl: z.string().nullish(),
  liveWebhookUrl: z.string().nullish(),
  merchants: z.array(z.looseObject({})).min(1).optional(),
  settings: z.looseObject({}).optional(),
  chaos: z.array(z.looseObject({})).optional(),
  clock: z.enum(['running', 'manual']).optional(),
  speed: z.number().positive().max(MOST_SPEED).optional(),
  startAt: z.union([z.date(), z.iso.datetime({ offset: true, error: INSTANT_RULE })], INSTANT_RULE).optional(),
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  checkoutUrl: webUrl.optional(),
  controlHosts: z.array(z.string()).optional(),
  controlToken: z.string().min(1).optional(),
  stateFile: z.string().min(1).optional(),
  logger: z.unknown().optional(),
});

/** Throws a `Refusal` naming every wrong option. Merchants, settings and chaos rules have checks of their own. */
export function checkOptions(options: SandboxOptions): void {
  readControl(optionsSchema, options);
}
