import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, RULES_OF_LOOKS } from '../support/browser.ts';
import { brokenAmounts, type Checkouts, openCheckouts, pageProblems } from '../support/checkout-browser.ts';
import { someOf } from '../support/random-runs.ts';

/** Every page and every state of the hosted checkout; each begins with a new session. */
const STATES: Record<string, (page: Page, checkouts: Checkouts, reference: string) => Promise<void>> = {
  'a card': (page) => page.getByText('Test cards').click(),
  'a bank transfer': (page) => page.getByRole('radio', { name: 'Bank transfer' }).check(),
  'a card with every field wrong': async (page) => {
    for (const label of ['Card number', 'Expiry', 'CVV']) await page.getByLabel(label).fill('x');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('alert').waitFor();
  },
  'an option that is not offered': async (page) => {
    await page.getByRole('radio', { name: 'Card' }).evaluate((radio) => radio.setAttribute('value', 'cheque'));
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('alert').waitFor();
  },
  ...Object.fromEntries(
    someOf(2, ['success', 'failed', 'cancelled', 'abandoned', 'reversed'] as const).map((status) => [
      `a payment that is ${status}`,
      async (page: Page, { sandbox }: Checkouts, reference: string) => {
        if (status === 'reversed') sandbox.moveCollection(reference, 'success');
        sandbox.moveCollection(reference, status);
        await page.reload();
      },
    ]),
  ),
  'a payment that is not there': async (page, { sandbox }) => void (await page.goto(`${sandbox.url}/pay/none`)),
  'the start page': async (page, { sandbox }) => void (await page.goto(`${sandbox.url}/`)),
  'the shop after the payment': async (page, { sandbox }, reference) =>
    void (await page.goto(`${sandbox.url}/checkout/shop?reference=${reference}&status=success`)),
};
const MOBILE_MONEY: typeof STATES = {
  'a phone that pays': async () => {},
  'a phone number that is none': async (page) => {
    await page.getByLabel('Phone number').fill('x');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('alert').waitFor();
  },
};

/** States that axe looks at in both themes: every kind of part is in one of them. `npm run test:long` looks at all states so. */
const IN_BOTH_LOOKS = someOf(4, [
  ...['a card with every field wrong', 'a payment that is success', 'a payment that is failed', 'the start page'],
  ...Object.keys({ ...STATES, ...MOBILE_MONEY }),
]);

// Where there is no Chromium the page is still tested over HTTP (sandbox-checkout.test.ts).
describe('the checkout page in a real browser', { tags: ['chromium'] }, () => {
  let checkouts: Checkouts;
  beforeAll(async () => {
    checkouts = await openCheckouts();
  });
  afterAll(() => checkouts?.close());

  it('on a phone: pays by card and returns to the merchant with reference and status', async () => {
    const page = await checkouts.open({ reference: 'PHONE', width: 360 });
    expect(await pageProblems(page)).toEqual([]);
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByRole('button', { name: /^Pay NGN/ }).click();
    expect(await page.getByRole('heading').textContent()).toBe('Thank you');
    const { search } = new URL(page.url());
    expect(search).toBe('?cart=9&reference=PHONE&status=success');
    await page.goto(`${checkouts.sandbox.url}/pay/PHONE`);
    expect(await page.getByRole('heading').textContent()).toBe('Payment received');
    expect(await pageProblems(page)).toEqual([]);
    await page.close();
  });

  it('on a desktop: shows only the chosen way to pay, and works from the keyboard alone', async () => {
    const page = await checkouts.open({ reference: 'DESK', width: 1280, dark: true });
    expect(await pageProblems(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Card' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Bank transfer' }).isChecked()).toBe(true);
    expect(await page.getByText('9900000001').isVisible()).toBe(true);
    expect(await page.getByLabel('Card number').isVisible()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=failed/);
    expect(checkouts.sandbox.collections().find(({ reference }) => reference === 'DESK')).toMatchObject({
      status: 'failed',
      channel: 'bank_transfer',
    });
    await page.close();
  });

  it('returns to a callback that sends people on to another origin', async () => {
    const page = await checkouts.open({ reference: 'ON', width: 360, callback: checkouts.callbackElsewhere });
    await page.getByRole('button', { name: /^Pay NGN/ }).click();
    await page.waitForURL(/^http:\/\/localhost:\d+\/thanks\?reference=ON&status=/);
    expect(await page.getByRole('heading').textContent()).toBe('Thank you');
    await page.close();
  });

  it('has a page to come back to before there is a shop', async () => {
    const callback = `${checkouts.sandbox.url}/checkout/shop`;
    const page = await checkouts.open({ reference: '<b>', width: 360, callback });
    await page.getByLabel('Card number').fill('4000000000000002');
    await page.getByRole('button', { name: /^Pay NGN/ }).click();
    await page.waitForURL(/status=success/);
    expect(await page.getByRole('heading').textContent()).toBe('Back in the shop');
    expect(await page.locator('dd').allTextContents()).toEqual(['<b>', 'success']);
    expect(await pageProblems(page)).toEqual([]);
    await page.close();
  });

  it('says what is wrong beside each field, keeps what was typed, and can be cancelled', async () => {
    const page = await checkouts.open({ reference: 'WRONG', width: 360 });
    await page.getByLabel('Card number').fill('12');
    await page.getByLabel('CVV').fill('x');
    await page.getByRole('button', { name: /^Pay NGN/ }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Not paid yet: 2 fields need another look.');
    expect(await page.title()).toMatch(/^Error: Pay NGN/);
    const number = page.getByRole('combobox', {
      name: 'Card number',
      description: 'Enter a card number of 12 to 19 digits.',
    });
    expect(await number.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    expect([await number.inputValue(), await page.getByLabel('CVV').inputValue()]).toEqual(['12', 'x']);
    expect(await pageProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/status=cancelled/);
    await page.close();
  });

  it('takes a whole payment from the keyboard: corrected, paid, and back in the shop', async () => {
    const page = await checkouts.open({ reference: 'KEYS', width: 1280 });
    const focused = () =>
      page.evaluate(() => {
        // biome-ignore lint/suspicious/noExplicitAny: no DOM library in this project
        const { activeElement } = (globalThis as any).document;
        return (activeElement.labels?.[0]?.textContent ?? activeElement.textContent).trim();
      });
    const stops: string[] = [];
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press('Tab');
      stops.push(await focused());
    }
    const pay = 'Pay NGN 1,265.00';
    expect(stops).toEqual(['Card', 'Card number', 'Expiry', 'CVV', 'Test cards', pay, 'Let it fail', 'Cancel']);
    for (let stop = 0; stop < 6; stop++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await focused()).toBe('Expiry');
    await page.keyboard.type('11/99');
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=success/);
    await page.goto(`${checkouts.sandbox.url}/pay/KEYS`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/reference=KEYS&status=success/);
    await page.close();
  });

  it.each(someOf(2, ['999999999999999.00', '25.00', '1234567.00', '99999999999.00']))(
    'keeps the amount %s in one line of a window of 280 px, before and after',
    async (amount) => {
      const reference = `NARROW-${amount.length}`;
      const page = await checkouts.open({ reference, amount, width: 280 });
      expect([await brokenAmounts(page), await pageProblems(page)]).toEqual([[], []]);
      checkouts.sandbox.moveCollection(reference, 'cancelled');
      await page.reload();
      expect([await brokenAmounts(page), await pageProblems(page)]).toEqual([[], []]);
      await page.close();
    },
  );

  describe('axe-core finds nothing on', () => {
    /** The violations and problems in a narrow light window, then in a wide dark one. */
    async function found(page: Page, state: string): Promise<string[]> {
      const ofLooks = IN_BOTH_LOOKS.includes(state) ? await axeViolations(page, RULES_OF_LOOKS) : [];
      const light = [...ofLooks, ...(await pageProblems(page))];
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      return [...light, ...(await axeViolations(page)), ...(await pageProblems(page))];
    }

    it.each(Object.keys(STATES))('%s', async (reference) => {
      const page = await checkouts.open({ reference, width: 320 });
      await STATES[reference]?.(page, checkouts, reference);
      expect(await found(page, reference)).toEqual([]);
      await page.close();
    });

    it.each(Object.keys(MOBILE_MONEY))('%s', async (reference) => {
      const page = await checkouts.open({ reference, currency: 'KES', paymentOptions: ['momo'], width: 320 });
      await MOBILE_MONEY[reference]?.(page, checkouts, reference);
      expect(await found(page, reference)).toEqual([]);
      await page.close();
    });
  });
});
