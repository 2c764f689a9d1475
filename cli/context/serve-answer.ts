import type { z as Zod } from 'zod';
import type { Config } from '../../src/config/load.ts';
import { presentOutage } from '../../src/confirm/judgement.ts';
import type { ServeReport } from '../../src/confirm/serve-report.ts';
import type { Outage } from '../../src/domain/alerts/outage.ts';
import { NODE_ROLES } from '../../src/domain/cluster/node-role.ts';
import { storeOf } from '../../src/store/configured-store.ts';

/** What the admin listener of the configuration answers. */
export type ServeAnswer =
  /** `serve` of this database; `reason` when it is not ready. */
  | { readonly is: 'serve'; readonly url: string; readonly reason: string | null; readonly report: ServeReport }
  /** `serve` of another database, such as the one that this is a copy of. */
  | { readonly is: 'other_serve'; readonly url: string; readonly pid: number }
  | { readonly is: 'other_program'; readonly url: string; readonly status: number }
  /** Nothing listens there. */
  | { readonly is: 'nothing'; readonly url: string }
  /** It does not answer in time, or cannot be reached. */
  | { readonly is: 'silent'; readonly url: string; readonly error: unknown }
  /** `admin.port` is 0, any free one. */
  | { readonly is: 'unknown' };

/** A process that answers at all does so in milliseconds. */
const TIMEOUT_MS = 2_000;

const answerSchema = (z: typeof Zod) =>
  z.object({
    reason: z.string().nullish(),
    serve: z.object({
      pid: z.number(),
      database: z.string().nullable(),
      roles: z.array(z.enum(NODE_ROLES)).default([...NODE_ROLES]), // a serve of an earlier version does everything
      behindFault: z.string().nullable().default(null), // a serve of an earlier version says none
      outage: z
        .object({
          fault: z.string(),
          fromMs: z.number(),
          lastAtMs: z.number(),
          deliveries: z.number(),
          keptAgainAtMs: z.number().nullable(),
        })
        .nullable(),
    }),
  });

/** Asks `/readyz` of the configured admin listener: it knows what the database may be unable to keep. */
export async function askServe(config: Config): Promise<ServeAnswer> {
  const { admin } = config;
  if (admin.port === 0) return { is: 'unknown' };
  const url = `http://${reachable(admin.host)}:${admin.port}/readyz`;
  let status: number;
  let text: string;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    [status, text] = [response.status, await response.text()];
  } catch (error) {
    const { networkFault } = await import('../../src/service/calls/network-fault.ts');
    return networkFault(error).reason === 'refused' ? { is: 'nothing', url } : { is: 'silent', url, error };
  }
  const { z } = await import('zod'); // the help of a command that may ask loads none of it
  const { data } = answerSchema(z).safeParse(parsed(text));
  if (data === undefined) return { is: 'other_program', url, status };
  const report = data.serve;
  if (report.database !== storeOf(config).identity()) return { is: 'other_serve', url, pid: report.pid };
  return { is: 'serve', url, reason: data.reason ?? null, report };
}

/** What `serve` of this database reports; null when none answers. */
export async function serveReport(config: Config): Promise<ServeReport | null> {
  const answer = await askServe(config);
  return answer.is === 'serve' ? answer.report : null;
}

/** The outage that `serve` of this database reports: what it refuses or tells now, the database may be unable to keep. */
export async function outageNow(config: Config, nowMs: number): Promise<Outage | null> {
  return presentOutage({ serve: await serveReport(config) }, nowMs);
}

/** An address that stands for all of this machine's is asked over the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::' || host === '[::]') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
