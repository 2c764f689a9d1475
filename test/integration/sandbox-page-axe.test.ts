import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, RULES_OF_LOOKS } from '../support/browser.ts';
import { type Checkouts, openCheckouts, pageProblems } from '../support/checkout-browser.ts';
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
    (['success', 'failed', 'cancelled', 'abandoned', 'reversed'] as const).map((status) => [
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

describe('axe-core finds nothing on', { tags: ['chromium'] }, () => {
  let checkouts: Checkouts;
  beforeAll(async () => {
    checkouts = await openCheckouts();
  });
  afterAll(() => checkouts?.close());

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
