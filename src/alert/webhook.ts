import type { Secret } from '../domain/secret.ts';
import type { SendNotice } from './send.ts';

/** A chat channel that takes `{"text": …}`, as Slack, Mattermost, Rocket.Chat and others do. */
export function webhookChannel({ url }: { readonly url: Secret }): SendNotice {
  return async ({ text }, signal) => {
    const { sendOut } = await import('./outgoing.ts'); // loaded only where this channel is configured
    await sendOut(url, { method: 'POST', body: { text: withoutMarkup(text) }, signal });
  };
}

/** These three begin links and mentions of everyone; the chat shows what they stand for. */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
