import { isLoopback } from '../domain/requests/base-url.ts';
import { type CrossProblem, mapAt } from './cross-problem.ts';

/** Notices travel there, and the address of a chat channel is a secret in itself. */
export function alertAddresses(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const alerts = mapAt(tree, 'alerts');
  if (alerts.allowHttp === true || alerts.allowHttp === 'true') return [];
  const plain = ['webhook', 'heartbeat'].flatMap((channel) => {
    const { url } = mapAt(alerts, channel);
    const { protocol, hostname } = (typeof url === 'string' ? URL.parse(url) : null) ?? {};
    if (protocol !== 'http:' || isLoopback(hostname ?? '')) return [];
    const rule = 'must start with https://, unless it is on this machine or alerts.allowHttp is true';
    return [{ path: ['alerts', channel, 'url'], rule }];
  });
  const { security, host } = mapAt(alerts, 'mail');
  if (security !== 'none' || (typeof host === 'string' && isLoopback(host))) return plain;
  const rule = 'must be starttls or tls, unless the server is on this machine or alerts.allowHttp is true';
  return [...plain, { path: ['alerts', 'mail', 'security'], rule }];
}

/** Reports are mailed over the server that mails alerts. */
export function reportMail(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const has = (value: unknown) => value !== undefined && value !== null;
  if (!has(mapAt(tree, 'reports').mail) || has(mapAt(tree, 'alerts').mail)) return [];
  return [{ path: ['reports', 'mail'], rule: 'needs the mail server of alerts.mail, which is not set' }];
}

/** A cause that is told nowhere would look as if it were told. */
export function alertChannels(tree: Readonly<Record<string, unknown>>): CrossProblem[] {
  const alerts = mapAt(tree, 'alerts');
  const isThere = (channel: unknown) =>
    (channel !== 'webhook' && channel !== 'mail') || (alerts[channel] !== undefined && alerts[channel] !== null);
  return Object.entries(mapAt(alerts, 'causes')).flatMap(([cause, settings]) => {
    const { channels } = Object(settings) as { channels?: unknown };
    const missing = (Array.isArray(channels) ? channels : []).filter((channel) => !isThere(channel));
    const rule = `names ${missing.join(' and ')}, which is not set up under alerts`;
    return missing.length === 0 ? [] : [{ path: ['alerts', 'causes', cause, 'channels'], rule }];
  });
}
