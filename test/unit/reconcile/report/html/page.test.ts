import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROOF, type ProofRow } from '../../../../../src/domain/statements/lines.ts';
import { groupAnchor } from '../../../../../src/reconcile/report/html/anchors.ts';
import { htmlPage, MOST_EXCEPTIONS } from '../../../../../src/reconcile/report/html/page.ts';
import type {
  ExceptionSum,
  Report,
  ReportedException,
  ShownReport,
} from '../../../../../src/reconcile/report/model.ts';
import { FILLED_EXCEPTIONS, FILLED_REPORT, FILLED_SHOWN } from '../../../../support/filled-report.ts';
import {
  all,
  byId,
  type Element,
  elements,
  hasClass,
  named,
  readHtml,
  tableOf,
  textOf,
} from '../../../../support/html.ts';
import { TOLD_EVIDENCE } from '../../../../support/page-evidence.ts';

async function pageOf(shown: ShownReport, evidence = TOLD_EVIDENCE): Promise<string> {
  let html = '';
  for await (const piece of htmlPage(shown, evidence)) html += piece;
  return html;
}

const withExceptions = (some: readonly ReportedException[], report: Report = FILLED_REPORT): ShownReport => ({
  ...{ report, signOff: null },
  async *exceptions() {
    yield* some;
  },
  async *carried() {},
});

/** `−1,234.50` as `-1234.50`: how the page writes an amount, undone. */
const plain = (shown: string) => shown.replaceAll(',', '').replace('−', '-').replace('+', '');

let html: string;
let page: Element;
beforeAll(async () => {
  html = await pageOf(FILLED_SHOWN);
  page = readHtml(html);
});

describe('the figures of the tables are those of the report', () => {
  it('balances, row by row, but for rows of 0.00, which are named', () => {
    for (const { account, currency, rows, explained, unexplained } of FILLED_REPORT.proof) {
      const [, ...shown] = tableOf(page, `Balance of ${account}, ${currency}`);
      const isLeftOut = (one: (typeof rows)[number]) =>
        !['opening', 'closing'].includes(one.name) && Number(one.ours) === 0 && Number(one.theirs) === 0;
      const expected = [
        ...rows.filter((one) => !isLeftOut(one)).map((one) => [one.ours, one.theirs, one.difference]),
        ...explained.map(({ effect }) => ['', '', effect]),
        ['', '', unexplained],
      ];
      expect(shown.map(([, ...figures]) => figures.map(plain))).toEqual(expected);
      const block = all(
        page,
        (one) => hasClass(one, 'block') && named(one, 'h3').map(textOf).join() === `Balance of ${account}, ${currency}`,
      );
      for (const { name } of rows.filter(isLeftOut))
        expect(textOf(block[0] as Element)).toContain(PROOF[name as ProofRow].name.toLowerCase());
    }
  });

  it('exceptions by code and by age, added up', () => {
    const { byCode, byAge } = FILLED_REPORT.exceptions;
    const figures = ({ count, open, variance, effect }: ExceptionSum) => [`${count}`, `${open}`, variance, effect];
    const [, ...codes] = tableOf(page, 'Exceptions by code, NGN');
    const total = ['6', '3', '16.13', '-731.13']; // by hand
    expect(codes.map((cells) => cells.slice(1).map(plain))).toEqual([...byCode.map(figures), total]);
    expect(codes.map(([name]) => name)).toEqual([...byCode.map(({ code }) => code), 'Total']);
    const [, ...ages] = tableOf(page, 'Exceptions by age, NGN');
    expect(ages.map((cells) => cells.slice(1).map(plain))).toEqual([...byAge.map(figures), total]);
  });

  it('exceptions that repeat others stand apart, and each count leads to those that it counts', async () => {
    const [, charge] = FILLED_EXCEPTIONS as [ReportedException, ReportedException];
    const again = { ...charge, id: 'x-again', account: 'a-settlement', sameAs: charge.id };
    const sum = { ...{ environment: charge.environment, currency: 'NGN', count: 1, open: 0 }, variance: '15.00' };
    const repeated = [{ ...sum, effect: '0.00', effectOutside: '-15.00' }];
    const exceptions = { ...FILLED_REPORT.exceptions, repeated };
    const read = readHtml(await pageOf(withExceptions([again, charge], { ...FILLED_REPORT, exceptions })));
    const [, ...rows] = tableOf(read, 'Repeated by settlement statements, in no sum above');
    expect(rows.map((cells) => cells.map(plain))).toEqual([['NGN', '1', '0', '15.00', '0.00', '-15.00']]);
    const targets = named(read, 'a').map(({ attributes }) => attributes.get('href'));
    expect([charge, again].map((one) => targets.includes(`#${groupAnchor(one)}`))).toEqual([true, false]);
  });

  it('exceptions that repeat others and move a balance of their own are said to be in its proof', async () => {
    const sum = { ...{ environment: 'live' as const, currency: 'NGN', count: 1, open: 0 }, variance: '15.00' };
    const notesWith = async (effect: string, effectOutside: string) => {
      const repeated = [{ ...sum, effect, effectOutside }];
      const report = { ...FILLED_REPORT, exceptions: { ...FILLED_REPORT.exceptions, repeated } };
      return (await pageOf(withExceptions([], report))).includes('part of the proof of its own account');
    };
    expect([await notesWith('0.00', '-15.00'), await notesWith('-15.00', '0.00')]).toEqual([false, true]);
  });

  it('the opening balance of the summary says by whom it is', () => {
    const [header] = tableOf(page, 'Balances');
    expect(header?.slice(1, 4)).toEqual(['Opening by the statement', 'Closing by us', 'Closing by the statement']);
  });

  it('what is from before, by code and age, one by one, and what is still owed of it', () => {
    const [, ...codes] = tableOf(page, 'From before by code, NGN');
    expect(codes[0]?.map(plain)).toEqual(['duplicate_external', '1', '0', '0.00', '-50.00']);
    expect(tableOf(page, 'Claims from before that are still owed')[1]).toEqual(['NGN', '1', '50.00']);
    const [, ...items] = tableOf(page, 'From before: wallet-main, NGN');
    expect(items.map((cells) => cells.map(plain))).toEqual([
      ['P-61', 'duplicate_external', '2026-09-19', '2026-09', '–', '50.00', '-50.00', 'resolved', 'claim'],
      ['Total', '', '', '', '', '', '-50.00', '', ''],
    ]);
    expect(tableOf(page, 'Control totals from before')[1]?.map(plain)).toEqual(['NGN', '1', '-50.00']);
  });

  it('match rate, transit and reserves', () => {
    const { legs, byDay } = FILLED_REPORT.matchRate;
    const [, ...rates] = tableOf(page, 'Match rate');
    expect(rates.map((cells) => cells.slice(2))).toEqual(
      legs.map((leg) => [`${leg.matched}`, `${leg.unmatched}`, `${leg.rate}%`, `${leg.notDue}`, `${leg.noStatement}`]),
    );
    const [, ...days] = tableOf(page, 'Match rate by day, records-wallet');
    expect(days).toEqual(
      byDay
        .filter(({ leg }) => leg === 'records-wallet')
        .map((one) => [one.date, `${one.matched}`, `${one.unmatched}`, `${one.rate}%`]),
    );
    const [, ...uncompared] = tableOf(page, 'Compared with nothing');
    expect(uncompared.map((cells) => cells.map(plain))).toEqual([
      ['top up', 'wallet-main NGN', '2', '250.00', 'a bank statement'],
    ]);
    const [, ...transit] = tableOf(page, 'In transit at the end of each day, NGN');
    expect(transit.map(([day, count, amount]) => [day, count, plain(amount ?? '')])).toEqual(
      FILLED_REPORT.inTransit.byDay.map((one) => [one.date, `${one.collections}`, one.amount]),
    );
    const [, ...reserved] = tableOf(page, 'Reserved for refunds at the end of 2026-10-31, NGN');
    expect(reserved.map((cells) => plain(cells.at(-1) ?? ''))).toEqual(['500.00', '1250.50', '1750.50']);
  });

  it('control totals, which stand last', () => {
    const [, ...totals] = tableOf(page, 'Control totals');
    expect(totals.map((cells) => cells.slice(1).map(plain))).toEqual(
      FILLED_REPORT.controlTotals.map((one) =>
        [
          one.lines,
          one.moved,
          one.closingOurs,
          one.closingTheirs,
          one.unexplained,
          one.exceptions,
          one.variance,
          one.effect,
        ].map(String),
      ),
    );
    const captions = named(page, 'caption').map(textOf);
    expect(captions.at(-1)).toBe('Control totals');
  });

  it('every digest of what they rest on', () => {
    const { rules, profiles, files, exceptions } = FILLED_REPORT.digests;
    for (const digest of [
      rules.sha256,
      exceptions,
      ...profiles.map(({ sha256 }) => sha256),
      ...files.map(({ sha256 }) => sha256),
    ])
      expect(html).toContain(digest);
    expect(html).toContain(FILLED_SHOWN.signOff?.digest);
    expect(html).toContain(FILLED_SHOWN.signOff?.head);
  });

  it('who prepared and who approved', () => {
    const signed = all(page, (one) => hasClass(one, 'signatures')).map(textOf);
    expect(signed).toEqual(['Prepared by Ada Obi 2026-11-03 10:12 Approved by Bola Ade 2026-11-04 11:00']);
  });
});

describe('every chart', () => {
  it('stands beside a table with its figures, and has a name', () => {
    const drawn = all(page, (one) => hasClass(one, 'block')).filter((block) => named(block, 'svg').length > 0);
    expect(drawn.length).toBe(11);
    for (const block of drawn) {
      expect(named(block, 'table').length).toBe(1);
      for (const svg of named(block, 'svg')) {
        expect(svg.attributes.get('role')).toBe('img');
        expect(textOf(byId(page, svg.attributes.get('aria-labelledby') ?? ''))).not.toBe('');
      }
    }
  });

  it('says in words what the table says', () => {
    const words = named(byId(page, 'balance-proof-2'), 'text').map(textOf);
    for (const amount of [
      '100,000.00',
      '+250,000.00',
      '−150,000.00',
      '1,318.75',
      '−756.13',
      '−300.00',
      '−50.00',
      '212.62',
    ])
      expect(words).toContain(amount);
  });
});

describe('a number leads to the bank line and the webhook in three steps', () => {
  const follow = (link: Element) => byId(page, (link.attributes.get('href') ?? '').slice(1));
  const link = (element: Element, text: RegExp) => named(element, 'a').find((one) => text.test(textOf(one))) as Element;

  it('from a count by code, over its exception, to the story', () => {
    const row = named(byId(page, 'exceptions-by-code-1'), 'tr').find((one) =>
      textOf(one).startsWith('fee_mismatch'),
    ) as Element;
    const list = follow(link(row, /^1$/));
    expect(named(list, 'summary').map(textOf).join()).toContain('C-1031');
    const story = follow(link(list, /^Story of C-1031$/));
    expect(textOf(story)).toMatch(/Statement 2026-10-20 .*Webhook 2026-10-20 14:05:03 .*Service 2026-10-20 15:00:00/);
    expect(named(story, 'a').map(textOf)).toEqual(['fee_mismatch', 'tax_mismatch']); // and back
    expect(textOf(follow(link(story, /tax/)))).toContain('tax 2.07, schedule says 0.94'.replace('tax', 'Tax'));
  });

  it('from what explains a balance', () => {
    expect(textOf(follow(link(byId(page, 'balance-proof-2'), /^Exceptions \(4\)$/)))).toBe('wallet-main, NGN');
  });

  it('every link leads to one place on the page', () => {
    const ids = [...elements(page)].flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const one of named(page, 'a')) expect(ids).toContain(one.attributes.get('href')?.replace(/^#/, ''));
  });
});

describe('it needs nothing but itself', () => {
  it('no script, no address, no style but the one that its policy names by digest', () => {
    for (const { name, attributes } of elements(page)) {
      expect(['script', 'link', 'img', 'iframe', 'object', 'form', 'base', 'use', 'image']).not.toContain(name);
      for (const attribute of attributes.keys())
        expect(attribute).not.toMatch(/^(?:on|style$|src|srcset$|action$|xlink)/);
      if (attributes.has('href')) expect(attributes.get('href')).toMatch(/^#/);
    }
    const [style = ''] = named(page, 'style').map((one) => one.children.join(''));
    expect(style).not.toMatch(/url\(|@import/);
    const digest = createHash('sha256').update(style).digest('base64');
    const policy = all(page, ({ attributes }) => attributes.get('http-equiv') === 'Content-Security-Policy');
    expect(policy.map(({ attributes }) => attributes.get('content'))).toEqual([
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    ]);
  });

  it('the same report gives the same bytes', async () => {
    expect(await pageOf(FILLED_SHOWN)).toBe(html);
  });
});

it('headings leave out no level, and landmarks are named', () => {
  const levels = [...elements(page)].flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
  expect(levels.filter((level) => level === 1)).toEqual([1]);
  for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
  expect(named(page, 'main').length).toBe(1);
  for (const section of named(page, 'section')) byId(page, section.attributes.get('aria-labelledby') ?? '');
});

describe('hostile texts stay text', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '\u202egnp.exe\u2066\u200f',
    '<%= process.env %>',
    'a'.repeat(1_000),
    '</style></details></section>',
    '&lt;b&gt;\ud800\u0000\u0007\u001b[31m',
    '#of-1',
    'javascript:alert(1)',
  ];
  const [first] = FILLED_EXCEPTIONS as [ReportedException];

  it.each(hostile)('%j as every text of an exception', async (text) => {
    const texts = {
      reference: text,
      what: text,
      nextStep: text,
      comment: text,
      assignee: text,
      account: text,
      leg: text,
      sub: text,
    };
    const read = readHtml(await pageOf(withExceptions([{ ...first, ...texts, ours: text, theirs: text }])));
    expect(named(read, 'script').length + named(read, 'img').length + named(read, 'b').length).toBe(4); // Next, and three witnesses
    const shown = text.toWellFormed().replace(/[\p{Cc}\u202e\u2066\u200f]/gu, '\ufffd');
    expect(all(read, (one) => hasClass(one, 'reference')).map(textOf)).toEqual([shown]);
    for (const one of elements(read)) for (const name of one.attributes.keys()) expect(name).not.toMatch(/^on/);
  });

  it('as the name of an account, a file, a rule and a person', async () => {
    const text = '<script>alert(1)</script>"';
    const [proof, ...others] = FILLED_REPORT.proof as [Report['proof'][number]];
    const { digests } = FILLED_REPORT;
    const read = readHtml(
      await pageOf(
        withExceptions(FILLED_EXCEPTIONS, {
          ...FILLED_REPORT,
          proof: [{ ...proof, account: text }, ...others],
          prepared: { who: text, at: '2026-11-03T09:12:00.000Z' },
          digests: {
            ...digests,
            rules: { ...digests.rules, name: text },
            files: digests.files.map((file) => ({ ...file, name: text })),
          },
        }),
      ),
    );
    expect(named(read, 'script')).toEqual([]);
    expect(textOf(all(read, (one) => hasClass(one, 'signatures'))[0] as Element)).toContain(text);
  });
});

it('a month without anything says so', async () => {
  const read = readHtml(
    await pageOf(
      withExceptions([], {
        ...FILLED_REPORT,
        ...{
          proof: [],
          inTransit: { byAge: [], byDay: [], batches: [] },
          reserved: [],
          carried: { byCode: [], byAge: [], repeated: [], claims: [], items: [], more: 0 },
          waiting: [],
          atRisk: [],
          late: [],
          controlTotals: [],
        },
        fees: { charged: [], audit: null, claimed: [] },
        exceptions: { byCode: [], byAge: [], byResolution: [], repeated: [] },
        matchRate: { legs: [], byDay: [] },
        uncompared: [],
        ...{ prepared: null, approved: null },
        digests: { ...FILLED_REPORT.digests, files: [] },
      }),
    ),
  );
  expect(all(read, (one) => hasClass(one, 'nothing')).map(textOf)).toEqual([
    'No statement covers these days, so there is no balance to prove.',
    'There is no exception.',
    'No statement covers these days, so nothing could be matched.',
    'Nothing is in transit.',
    'Nothing is reserved.',
    'Nothing was charged.',
    'Nothing came late.',
    'There are no lines and no exceptions.',
  ]);
  expect(all(read, (one) => hasClass(one, 'verdicts')).map(textOf)).toEqual(['No balance to prove No exception']);
  expect(all(read, (one) => hasClass(one, 'blank')).length).toBe(2); // lines to sign on
});

it('a balance that is not explained is said first', async () => {
  const proof = FILLED_REPORT.proof.map((one, at) => (at === 0 ? { ...one, unexplained: '-0.01' } : one));
  const read = readHtml(await pageOf(withExceptions([], { ...FILLED_REPORT, proof })));
  expect(textOf(all(read, (one) => hasClass(one, 'verdicts'))[0] as Element)).toMatch(/^1 of 3 balances not explained/);
});

it('shows the first 5,000 exceptions, and says how many there are', async () => {
  const [first] = FILLED_EXCEPTIONS as [ReportedException];
  const many = Array.from({ length: MOST_EXCEPTIONS + 2 }, (_, at) => ({
    ...first,
    id: `x-${String(at).padStart(24, '0')}`,
    reference: `C-${at}`,
  }));
  const large = await pageOf(withExceptions(many));
  expect(large.match(/<li class="one">/g)?.length).toBe(5_000);
  expect(large).toContain('The first 5,000 of 5,002 exceptions are on this page.');
  expect(Buffer.byteLength(large)).toBeLessThan(10_000_000);
});
