import { checked } from '../check.ts';
import { planTargets } from '../news-rows.ts';
import { Shop } from '../shop/shop.ts';
import { payout, refund, START_MS, TestDatabase } from '../test-database.ts';

/* A shop whose every text of a stranger is an attack on the page that shows it. */

/** Each would run, break out of its place, or turn the writing around it, where it is not a text node. */
export const PAYLOADS = [
  '<script>window.pwned=1</script>',
  '"><img src=x onerror=window.pwned=1>',
  "';window.pwned=1;//",
  '</textarea></select></title><svg onload=window.pwned=1>',
  'javascript:window.pwned=1',
  '<%= 7*7 %>{{7*7}}',
  'a\u202egnp.exe\u202c\u0007\u001b[31m',
  `${'W'.repeat(180)}`,
] as const;

const PROFILE = {
  ...{ version: 1, name: 'wallet', kind: 'wallet', account: 'wallet', environment: 'test', currency: 'NGN' },
  columns: {
    ...{ date: 'Date', reference: 'Reference', sessionId: 'Session', type: 'Type', text: 'Text' },
    counterparty: 'Counterparty',
  },
  ...{ dateFormat: 'yyyy-MM-dd', amount: { signed: 'Amount' }, types: { Payout: 'payout' } },
};

export interface HostileShop {
  readonly db: TestDatabase;
  readonly shop: Shop;
  readonly exceptions: readonly string[];
}

/** Webhooks, statements, decisions and comments that are full of payloads, reconciled. */
export async function hostileShop(): Promise<HostileShop> {
  const db = new TestDatabase();
  db.keepAndApply(
    ...PAYLOADS.map((text, at) =>
      payout(`P-${at}${text}`.slice(0, 200), 'success', {
        data: { sessionid: text, narration: text, account_name: text, customer: { email: text } },
        updatedAt: '2026-10-20T10:00:00.000Z',
      }),
    ),
    ...PAYLOADS.slice(0, 3).map((text, at) => refund(`R-${at}${text}`, 'processing', { data: { note: text } })),
  );
  await hostileTraffic(db);
  const shop = Shop.at(db.folder);
  shop.file('wallet.yaml', `${JSON.stringify(PROFILE)}\n`);
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = PAYLOADS.map((text, at) => {
    const reference = at % 2 === 0 ? `P-${at}${text}`.slice(0, 200) : `X-${at}${text}`;
    return ['2026-10-21', cell(reference), cell(text), 'Payout', cell(text), cell(text), `-${100 + at}.00`].join(',');
  });
  // Paid once, and twice in the file: the second line is taken by its key, and not confirmed.
  const [paid = ''] = rows;
  const header = 'Date,Reference,Session,Type,Text,Counterparty,Amount';
  await shop.take('wallet', '<img src=x onerror=window.pwned=1>.csv', `${[header, ...rows, paid].join('\n')}\n`);
  await shop.reconcile({ from: '2026-10-20', to: '2026-10-30' });
  const listed = (await shop.listed()) as { readonly id: string }[];
  const exceptions = listed.map(({ id }) => id);
  for (const [at, id] of exceptions.entries()) {
    const text = PAYLOADS[at % PAYLOADS.length] ?? '';
    await shop.act({ id, act: 'comment', by: 'ada', text });
  }
  return { db, shop, exceptions };
}

/** News with these texts for an application, requests that were refused at such paths, and deliveries set aside for such reasons. */
async function hostileTraffic(db: TestDatabase): Promise<void> {
  await planTargets(db.path);
  for (const [at, text] of PAYLOADS.entries())
    await checked(db, `P-${at}${text}`.slice(0, 200), 'success', {
      ...{ kind: 'payout', nowMs: START_MS },
      data: { sessionid: text, narration: text, account_name: text, bank_name: text },
    });
  const span = db.database.prepare(`
    INSERT INTO refused_spans (likeness, reason, path, environments, count, first_at, last_at, last_path)
    VALUES ('other', 'no_signature', NULL, 'live', 1, ${START_MS}, ${START_MS}, ?)`);
  const aside = db.database.prepare(`
    INSERT INTO aside (seq, place, set_aside_at, reason, environment, key_id, received_at, bytes, merchant_signature)
    VALUES (8, ?, ${START_MS}, ?, 'test', 'test-1', ${START_MS}, x'00', 'absent')`);
  for (const [at, text] of PAYLOADS.entries()) {
    span.run(`/webhooks/${text}`);
    aside.run(at, text);
  }
}
