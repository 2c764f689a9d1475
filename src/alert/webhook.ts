import type { Secret } from '../domain/secrets/secret.ts';
import type { SendNotice } from './send.ts';

/** A chat channel that takes `{"text": …}`, as Slack, Mattermost, Rocket.Chat and others do. */
export function webhookChannel({ url }: { readonly url: Secret }): SendNotice {
  return async ({ text }, signal) => {
    const { sendOut } = await import('./outgoing.ts'); // loaded only where this channel is configured
    await sendOut(url, { method: 'POST', body: { text: withoutMarkup(text) }, signal });
  };
}

/** An @ that may begin a mention, such as `@everyone`; not that of an e-mail address. */
const MENTION = /(?<![\p{L}\p{N}._+-])@(?=[\p{L}\p{N}_])/gu;

/**
 * The three signs begin links and mentions of everyone; the chat shows what they stand for. Other chats take `@name`: a blank without
 * width behind the @ keeps it from being one.
 */
function withoutMarkup(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return shown.replace(MENTION, '@\u200b');
}
