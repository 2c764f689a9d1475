import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { GuideMonth } from '../guide/month.ts';
import { someOf } from '../random-runs.ts';
import { until } from '../wait.ts';
import { type LoggedIn, type OpenedDashboard, openedDashboard } from './opened.ts';

/*
 * The month of the guide, worked in a browser: what docs/month.md does on the command line, Ada and Ben do here on pages, by the keyboard alone:
 * that everything can be reached by it is held in dashboard-screens.test.ts. Nothing needs a script.
 */

const FILES = [
  { kind: 'wallet', account: 'wallet-2207', lines: 24 },
  { kind: 'settlement', account: 'settlements', lines: 13 },
  { kind: 'bank', account: 'bank-main', lines: 5 },
] as const;
/** Those that Ada brings in on pages; the others by commands. */
const ON_PAGES = someOf(1, FILES);

/** The commands that import a file as the guide does. */
const importing = ({ kind, account }: (typeof FILES)[number]) => [
  `tallyhook statements profile ${kind}-october.csv --account ${account} --kind ${kind} --environment live --out ${kind}.yaml`,
  `sed -i 's/confirm: //; s/-october"/-export"/' ${kind}.yaml`,
  `tallyhook statements import ${kind}-october.csv --profile ${kind}.yaml`,
];

/** What becomes of each exception of the month, as in the guide. */
const DECISIONS = [
  { about: 'PAY-502', decision: 'claim:service_error', reference: 'CLM-41', comment: 'paid out twice' },
  { about: 'ORD-1009', decision: 'accept:rounding', reference: '', comment: '' },
  { about: 'ORD-1007', decision: 'claim:service_error', reference: 'CLM-42', comment: '2 per cent charged' },
  { about: 'ORD-1012', decision: 'carry:next_period', reference: '', comment: 'the line follows' },
  { about: 'ORD-0871', decision: 'ours:booking_error', reference: 'JV-88', comment: 'an order of the old shop' },
] as const;
const FOLLOW_UP = '2026-12-17';
/** Those that Ada makes on pages; the others by commands. */
const DECIDED_ON_PAGES = someOf(2, DECISIONS);

export const PERIOD = '/periods/live/2026-10';

/** Between two looks at a page that is computed aside. */
const LOOK_MS = 50;

/** Waits until the page has this, also when it is computed aside. @throws Error with what the page shows instead */
async function has(page: Page, found: Locator, what: string): Promise<void> {
  const isUnderWay = page.getByRole('heading', { name: 'Under way' });
  const isThere = async () => {
    await found.or(isUnderWay).first().waitFor({ timeout: 60_000 });
    if ((await isUnderWay.count()) === 0) return true;
    await computed(page);
    await page.goto(page.url()).catch(() => {}); // the page may fetch itself again at that moment
    return false;
  };
  await until(isThere, what).catch(async (cause) => {
    const shown = await page.locator('main').innerText();
    throw new Error(`${page.url()} does not have ${what}, but:\n${shown}`, { cause });
  });
}

/** Waits until it is computed, with requests that no browser draws: by itself the page is fetched again after two seconds. */
async function computed(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const isComputed = async () => {
    await page.waitForTimeout(LOOK_MS);
    const answer = await fetch(page.url(), { headers: { cookie }, redirect: 'manual' });
    return !(await answer.text()).includes('Under way');
  };
  await until(isComputed, 'the page is computed');
}

const shows = (page: Page, text: string | RegExp) => has(page, page.getByText(text).first(), `the text ${text}`);

/** Uses it by the keyboard, once it is there. */
async function press(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  const found = page.getByRole(role, { name });
  await has(page, found, `the ${role} ${name}`);
  await found.press('Enter');
}

/** The month before anything is done in a browser: its webhooks came, its orders are tracked, and the service was asked. */
export interface WorkedMonth {
  readonly month: GuideMonth;
  readonly dashboard: OpenedDashboard;
  /** Ada has every role but that of the second person. */
  readonly ada: LoggedIn;
  readonly end: () => Promise<void>;
}

/** Opens the month of the guide, with its statements imported and its days reconciled by commands. */
export async function openMonth(folder: string): Promise<WorkedMonth> {
  const month = await GuideMonth.in(folder);
  let atMs = Date.parse('2026-11-03T08:00:00Z');
  for (const command of COMMANDS) {
    const { code, output } = await month.run(command, atMs);
    if (code !== 0 && code !== 3) throw new Error(`${command}\n${output}`);
    atMs += 60_000;
  }
  const dashboard = await openedDashboard(folder, month.variables);
  const ada = await dashboard.logIn('Ada', ['finance', 'operator', 'admin']);
  return {
    ...{ month, dashboard, ada },
    async end() {
      await dashboard.close();
      await month.end();
    },
  };
}

/** What the guide does until its first run. */
const COMMANDS = [
  'tallyhook track collection orders.csv --environment live',
  'tallyhook sweep',
  ...FILES.flatMap(importing),
  'tallyhook reconcile --from 2026-10-01 --to 2026-10-31',
];

/** Ada carries out commands, as a user who proves her name. @throws Error with what one printed that failed */
async function command(
  month: GuideMonth,
  { name, commandToken }: LoggedIn,
  commands: readonly string[],
): Promise<void> {
  for (const one of [`export TALLYHOOK_AS=${name} TALLYHOOK_TOKEN=${commandToken}`, ...commands]) {
    const { code, output } = await month.run(one, Date.now());
    if (code !== 0) throw new Error(`${one}\n${output}`);
  }
}

/** Ada brings the three files in: each is proposed, looked at, and imported. */
export async function bringFilesIn(page: Page, month: GuideMonth, ada: LoggedIn): Promise<void> {
  for (const { kind, account, lines } of ON_PAGES) {
    const file = `${kind}-october.csv`;
    await page.goto('/statements');
    await page.getByLabel('CSV or XLSX file').setInputFiles(join(month.folder, file));
    const known = page.getByLabel('How it is read');
    if ((await known.count()) > 0) await known.selectOption('');
    await press(page, 'button', 'Send and look at it');
    await shows(page, 'This is how the file seems to be read');
    await page.getByLabel('name', { exact: true }).fill(`${kind}-export`);
    await page.getByLabel('account', { exact: true }).fill(account);
    await press(page, 'button', 'They are right');
    await press(page, 'button', `Import ${lines} lines into ${account}`);
    await shows(page, `${file} is imported: ${lines} lines, ${lines} of them new`);
  }
  await command(month, ada, FILES.slice(ON_PAGES.length).flatMap(importing));
}

export async function reconcile(page: Page): Promise<void> {
  await page.goto(PERIOD);
  await press(page, 'button', 'Reconcile these days now');
  await shows(page, /^Reconciled: \d+ breaks?/);
}

/** Ada confirms the suggested match, and says what becomes of each exception. */
export async function decide(page: Page, month: GuideMonth, ada: LoggedIn): Promise<void> {
  await page.goto('/matches');
  await press(page, 'link', 'Decide');
  await page.getByLabel('How it is known').fill('the customer is named on the transfer');
  await press(page, 'button', 'They belong together');
  await shows(page, 'Row 18 of statement 1 belongs to collection ORD-1010');
  for (const { about, decision, comment, reference } of DECIDED_ON_PAGES) {
    await page.goto('/exceptions');
    await press(page, 'link', about);
    await press(page, 'button', 'Resolve');
    await page.getByLabel('What becomes of it, and why').selectOption(decision);
    if (reference !== '') await page.getByLabel('Reference of the claim or the correction').fill(reference);
    if (decision.startsWith('claim:')) await page.getByLabel('Ask again on').fill(FOLLOW_UP);
    await page.getByLabel('Comment').fill(comment);
    await press(page, 'button', 'Look at what would change');
    await press(page, 'button', 'Resolve: 1 exception');
    await shows(page, '1 exception resolved.');
  }
  const { output } = await month.run('tallyhook exceptions list --json', Date.now());
  const { exceptions } = JSON.parse(output) as { exceptions: { id: string; reference: string }[] };
  const byCommand = DECISIONS.slice(DECIDED_ON_PAGES.length).map(({ about, decision, reference, comment }) => {
    const id = exceptions.find((one) => one.reference === about)?.id;
    const [resolution, reasonCode] = decision.split(':');
    const text = reference === '' ? comment : `ref: ${reference}; ${comment}`;
    const followUp = resolution === 'claim' ? ` --follow-up ${FOLLOW_UP}` : '';
    return `tallyhook exceptions resolve ${id} --resolution ${resolution} --reason-code ${reasonCode} --comment '${text}'${followUp}`;
  });
  await command(month, ada, byCommand);
}

/** Ben approves what waits for a second person. */
export async function approveResolutions(page: Page): Promise<void> {
  await page.goto('/exceptions');
  await press(page, 'link', 'Wait for a second person');
  await page.getByRole('checkbox', { name: 'Choose' }).first().press('Space');
  await press(page, 'button', 'Approve');
  await press(page, 'button', 'Look at what would change');
  await press(page, 'button', 'Approve: 1 exception');
  await shows(page, '1 exception approved.');
}

/** Ada closes what is ready; she cannot approve it herself. */
export async function close(page: Page): Promise<void> {
  await page.goto(PERIOD);
  await shows(page, 'Nothing is missing: it can be closed.');
  await press(page, 'button', 'Close it');
  await shows(page, 'Period 2026-10 is closed. Another person approves it.');
  expect(await page.getByRole('button', { name: 'Approve it' }).count()).toBe(0);
}

/** Ada looks at what came after the close. */
export async function seeSince(page: Page): Promise<void> {
  await press(page, 'link', 'What came since');
  await shows(page, 'Nothing came since.');
}

/** Ben looks at the frozen page, approves and locks. */
export async function sign(page: Page): Promise<void> {
  await page.goto(PERIOD);
  await press(page, 'link', 'The report as it was frozen');
  await shows(page, /^Frozen at closing 1, and closed/);
  await press(page, 'link', 'The period');
  await press(page, 'button', 'Approve it');
  await shows(page, 'Period 2026-10 is approved.');
}
