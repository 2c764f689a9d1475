import type { Config } from '../../../src/config/load.ts';
import { type Examined, failed, ok, skipped, warning } from '../../../src/store/examination.ts';
import { connectionFault } from './connection-fault.ts';

const TIMEOUT_MS = 5_000;
const START_IT =
  'Start it (tallyhook serve), under a service manager that restarts it. Until then every webhook is lost.';

/** Asks the admin listener of this configuration whether `serve` runs and is ready. */
export async function checkRunning({ admin }: Pick<Config, 'admin'>): Promise<Examined> {
  const name = 'serve';
  if (admin.port === 0) return skipped(name, 'admin.port is 0, any free one, so it cannot be asked');
  const url = `http://${reachable(admin.host)}:${admin.port}/readyz`;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    const { status, reason } = answerOf(text);
    if (response.status === 200 && status === 'ready') return ok(name, `runs and is ready (${url})`);
    if (status === 'not_ready') return failed(name, `runs and is not ready: ${reason}`, 'See its log.');
    const hint = 'Stop what listens on admin.port, or change it; then start serve.';
    return failed(name, `is not running: another program answers ${url} (${response.status})`, hint);
  } catch (error) {
    const { what } = connectionFault(error, START_IT);
    if (what.startsWith('nothing')) return failed(name, `is not running: ${what}, ${url}`, START_IT);
    return warning(name, `${url} did not answer: ${what}`, 'Is serve overloaded, or admin.host wrong? See its log.');
  }
}

/** An address that stands for all of this machine's is asked over the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::' || host === '[::]') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function answerOf(text: string): { status?: unknown; reason?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
