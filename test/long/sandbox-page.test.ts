import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Currency, PaymentOption } from '../../src/sandbox/index.ts';
import { brokenAmounts, type Checkouts, openCheckouts, pageProblems } from '../support/checkout-browser.ts';

let checkouts: Checkouts;
const pictures = mkdtempSync(join(tmpdir(), 'checkout-'));
beforeAll(async () => {
  checkouts = await openCheckouts();
});
afterAll(async () => {
  await checkouts.close();
  console.log(`pictures of the checkout page: ${pictures}`);
});

const NAMES: Record<PaymentOption, string> = { card: 'Card', bank_transfer: 'Bank transfer', momo: 'Mobile money' };
const CURRENCIES: Record<PaymentOption, Currency> = { card: 'USD', bank_transfer: 'NGN', momo: 'KES' };
const BUTTONS = { success: /^Pay /, failed: 'Let it fail', cancelled: 'Cancel' } as const;

for (const width of [280, 320, 375, 768, 1440]) {
  for (const dark of [false, true]) {
    for (const option of ['card', 'bank_transfer', 'momo'] as const) {
      for (const [status, button] of Object.entries(BUTTONS)) {
        const reference = `${width}-${dark ? 'dark' : 'light'}-${option}-${status}`;
        it(`${reference}: usable before and after, and returns with ${status}`, async () => {
          const currency = CURRENCIES[option];
          const page = await checkouts.open({ reference, width, dark, currency, amount: '123456789.00' });
          const complaints: string[] = [];
          page.on('console', (message) => complaints.push(message.text()));
          await page.getByRole('radio', { name: NAMES[option] }).check();
          if (option === 'card') await page.getByText('Test cards').click();
          expect([await pageProblems(page), await brokenAmounts(page)]).toEqual([[], []]);
          await page.screenshot({ path: join(pictures, `${reference}.png`), fullPage: true });
          await page.getByRole('button', { name: button }).click();
          await page.waitForURL(new RegExp(`reference=${reference}&status=${status}$`));
          await page.goto(`${checkouts.sandbox.url}/pay/${reference}`);
          expect([await pageProblems(page), await brokenAmounts(page)]).toEqual([[], []]);
          expect(complaints).toEqual([]);
          await page.close();
        });
      }
    }
  }
}
