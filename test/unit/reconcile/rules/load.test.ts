import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadRules } from '../../../../src/reconcile/rules/load.ts';
import { rulesOf } from '../../../support/rules.ts';

const LEG = `  - name: records-bank
    ours: { records: [payout] }
    theirs: { statement: bank, types: [payout, payout_reversal] }
    due: { default: { business_day: 1 }, statuses: { reversed: { hour: 48 } } }
    passes: [session_id, reference, amount_and_date]
`;
const RULES = `version: 1\nname: ours\nlegs:\n${LEG}`;

async function problemsOf(text: string, beside?: Readonly<Record<string, string>>): Promise<string[]> {
  const error = await rulesOf(text, beside).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'RulesError', kind: 'configuration' });
  return (error as Error).message
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

const scheduleOf = (...entries: string[]) =>
  `${RULES}schedule:\n${entries.map((entry) => `  - { kind: payout, currency: NGN, ${entry} }\n`).join('')}`;

test('a leg of our own, with what is left out', async () => {
  const { legs, schedule, cutOffMinutes, name } = await rulesOf(RULES);
  expect({ name, schedule, cutOffMinutes }).toEqual({ name: 'ours', schedule: [], cutOffMinutes: null });
  expect(legs).toEqual([
    {
      name: 'records-bank',
      ours: { records: ['payout'] },
      theirs: { statement: 'bank', types: ['payout', 'payout_reversal'] },
      compare: { fee: { minor: 0n }, tax: { minor: 0n }, duty: { minor: 0n } },
      due: { default: { business_day: 1 }, statuses: { reversed: { hour: 48 } } },
      passes: ['session_id', 'reference', 'amount_and_date'],
      invoiced: null,
    },
  ]);
});

test('what needs no line is one of the records of the leg', async () => {
  const ours = (text: string) => RULES.replace('{ records: [payout] }', text);
  const { legs } = await rulesOf(ours('{ records: [payout, refund], optional: [refund] }'));
  expect(legs[0]?.ours).toEqual({ records: ['payout', 'refund'], optional: ['refund'] });
  expect(await problemsOf(ours('{ records: [payout], optional: [refund] }'))).toEqual([
    'line 5, legs[0].ours.optional[0] is "refund": must be one of the records of this leg.',
  ]);
});

test('fees are charged together only in a leg of records', async () => {
  const invoiced = (days: string) => RULES.replace('    passes:', `    invoiced: ${days}\n    passes:`);
  expect((await rulesOf(invoiced('previous_month'))).legs[0]?.invoiced).toBe('previous_month');
  const ofBatches = invoiced('month').replace('{ records: [payout] }', '{ batches: settlement }');
  expect(await problemsOf(ofBatches)).toContainEqual(
    expect.stringContaining('invoiced is "month": must be left out: only records have fees.'),
  );
});

test('every problem is named at once, with line, path, value and rule', async () => {
  const problems = await problemsOf(`version: 2
name: "two words"
cutoff: 18:00
legs:
  - name: all
    ours: { records: [payment] }
    theirs:
      statement: purse
      types:
        - refnd
    compare: { fee: { minor: 0.5 }, amount: 1 }
    due: { default: { days: 1 } }
    passes: [referense]
schedule:
  - from: 2026-02-30
    kind: payout
    currency: NGN
    percent: 1,5
    cap: 1e3
    duty: { treshold: 1, amount: 5, bearer: bank }
`);
  expect(problems).toEqual([
    'line 1, version is 2: must be 1.',
    'line 2, name is "two words": must be a name of up to 64 letters, digits, points, hyphens and underscores.',
    'line 3, cutoff: is not a setting. Did you mean cutOff?',
    'line 5, legs[0].name is "all": must not be refunds, payouts, collections, all: reconcile has these words.',
    'line 6, legs[0].ours.records[0] is "payment": must be one of refund, payout, collection.',
    'line 8, legs[0].theirs.statement is "purse": must be one of wallet, settlement, bank, ledger.',
    expect.stringMatching(
      /^line 10, legs\[0\]\.theirs\.types\[0\] is "refnd": must be one of .* Did you mean refund\?$/,
    ),
    'line 11, legs[0].compare.amount is "1": must be exact.',
    'line 11, legs[0].compare.fee.minor is 0.5: must be a whole number from 0 to 1000000.',
    'line 12, legs[0].due.default.days: is not a setting.',
    'line 12, legs[0].due.default is a map: must have one of hour and business_day.',
    expect.stringMatching(
      /^line 13, legs\[0\]\.passes\[0\] is "referense": must be one of .* Did you mean reference\?$/,
    ),
    'line 15, schedule[0].from is "2026-02-30": must be a day such as 2026-10-01.',
    'line 18, schedule[0].percent is "1,5": must be a per cent from 0 to 100 such as 1.5: plain digits, at most 8 decimals.',
    'line 19, schedule[0].cap is "1e3": must be an amount such as 12.50: plain digits, at most two decimals.',
    'line 20, schedule[0].duty.threshold is missing: must be an amount such as 12.50: plain digits, at most two decimals.',
    'line 20, schedule[0].duty.bearer is "bank": must be one of merchant, customer.',
    'line 20, schedule[0].duty.treshold: is not a setting. Did you mean threshold?',
  ]);
});

test.each([
  [
    'two legs of one name',
    `${RULES}${LEG.replace('[payout, payout_reversal]', '[other]')}`,
    'line 9, legs[1].name is "records-bank": is the name of legs[0] already.',
  ],
  [
    'a line in two legs',
    `${RULES}${LEG.replace('records-bank', 'more').replace(', payout_reversal', '')}`,
    'line 11, legs[1].theirs.types[0] is "payout": stands in legs[0] already: a line is in one leg.',
  ],
  [
    'two sides',
    RULES.replace('[payout] }', '[payout], batches: settlement }'),
    'line 5, legs[0].ours is a map: must have exactly one of records, batches and topUps.',
  ],
  [
    'a map over several lines, named by its first',
    RULES.replace('{ records: [payout] }', '\n      records: [payout]\n      batches: settlement'),
    'line 5, legs[0].ours is a map: must have exactly one of records, batches and topUps.',
  ],
  [
    'a term of two units',
    RULES.replace('hour: 48', 'hour: 48, business_day: 2'),
    'line 7, legs[0].due.statuses.reversed is a map: must have one of hour and business_day.',
  ],
  [
    'a status that no payout has',
    RULES.replace('reversed: {', 'processing: {'),
    /^line 7, legs\[0\]\.due\.statuses\.processing is a map: must be one of pending, /,
  ],
  [
    'a pass that finds nothing',
    RULES.replace('session_id', 'group'),
    /^line 8, legs\[0\]\.passes\[0\] is "group": can find nothing for records: theirs are reference, /,
  ],
  [
    'a pass twice',
    RULES.replace('amount_and_date', 'reference'),
    'line 8, legs[0].passes[2] is "reference": stands here already.',
  ],
  [
    'a suggestion before a key',
    RULES.replace('[session_id, reference, amount_and_date]', '[amount_and_date, reference]'),
    'line 8, legs[0].passes[1] is "reference": must stand before the passes that only suggest.',
  ],
  [
    'a statement against itself',
    RULES.replace('records: [payout]', 'topUps: wallet')
      .replace('bank,', 'wallet,')
      .replace('statuses: { reversed: { hour: 48 } }', 'statuses: {}'),
    'line 6, legs[0].theirs.statement is "wallet": must not be the statement of our side.',
  ],
  ['no legs', 'version: 1\nname: none\nlegs: []', 'line 3, legs is a list: must name at least one of legs.'],
  [
    'a cut-off of another day',
    `${RULES}cutOff: "25:00"`,
    /^line 9, cutOff is "25:00": must be a time of day such as 18:00, or 24:00/,
  ],
  [
    'a day with two rules',
    scheduleOf('from: 2026-01-01', 'from: 2027-01-01'),
    'line 11, schedule[1] is a map: shares days with schedule[0] (payout, every channel, NGN): each day has one rule.',
  ],
  [
    'a shared last day, in other letters',
    scheduleOf('from: 2026-02-01, channel: bank', 'from: 2026-01-01, to: 2026-02-01, channel: bank').replace(
      'NGN',
      'ngn',
    ),
    'line 11, schedule[1] is a map: shares days with schedule[0] (payout, bank, NGN): each day has one rule.',
  ],
  [
    'an end before its beginning',
    scheduleOf('from: 2026-02-01, to: 2026-01-31'),
    'line 10, schedule[0].to is "2026-01-31": must not be before from (2026-02-01).',
  ],
  [
    'a least above the most',
    scheduleOf('from: 2026-02-01, minimum: 10.01, cap: 10'),
    'line 10, schedule[0].minimum is "10.01": must not be more than cap.',
  ],
  [
    'three decimals',
    scheduleOf('from: 2026-02-01, fixed: 1.005'),
    /^line 10, schedule\[0\]\.fixed is "1\.005": must be an amount/,
  ],
  [
    '101 per cent',
    scheduleOf('from: 2026-02-01, percent: 100.01'),
    /^line 10, schedule\[0\]\.percent is "100\.01": must be a per cent/,
  ],
  ['no map', '- 1', 'the file is a list: must be a map of settings.'],
  ['a key twice', `${RULES}name: again`, 'line 9, column 1: is not valid YAML: the name occurs twice at this level.'],
])('%s', async (_name, text, problem) => {
  const problems = await problemsOf(text);
  expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
});

test('one day after another, other channels, kinds and currencies share no day', async () => {
  const entries = ['from: 2026-02-01', 'from: 2026-01-01, to: 2026-01-31', 'from: 2026-01-01, channel: bank'];
  const text = scheduleOf(...entries);
  const more = text.slice(text.indexOf('schedule:\n') + 10);
  const { schedule } = await rulesOf(`${text}${more.replaceAll('NGN', 'KES')}${more.replaceAll('payout', 'refund')}`);
  expect(schedule).toHaveLength(9);
});

test('amounts and per cents are the digits that are written, also where a double would round', async () => {
  const { schedule } = await rulesOf(
    scheduleOf(
      'from: 2026-01-01, to: 2026-01-31, fixed: 90071992547409.93, percent: 0.10000001, cap: 9007199254740993',
      'from: 2026-02-01, to: 2026-02-28, fixed: "90071992547409.93", percent: &p 1.50, tax: { percent: *p }',
    ),
  );
  expect(schedule.map(({ fixed, percent, cap, tax }) => [fixed, percent, cap, tax])).toEqual([
    [9007199254740993n, '0.10000001', 900719925474099300n, null],
    [9007199254740993n, '1.50', null, { percent: '1.50' }],
  ]);
});

test('a calendar is a file beside the rules, and counts in the digest', async () => {
  const text = `${RULES}calendar: days/../holidays.txt\n`;
  const holidays =
    '# Nigeria\n2026-10-01 Independence Day\r\n- 2026-12-25 # Christmas\n\n- "2026-12-26"\n2027-01-01,New Year';
  const rules = await rulesOf(text.replace('days/../', ''), { 'holidays.txt': holidays });
  expect([...rules.holidays]).toEqual(['2026-10-01', '2026-12-25', '2026-12-26', '2027-01-01']);
  const whole = `${text.replace('days/../', '')}${holidays}`;
  expect(rules).toMatchObject({ text: whole, digest: createHash('sha256').update(whole).digest('hex') });
  expect(await problemsOf(text)).toEqual([
    expect.stringMatching(/^calendar is ".*\/holidays\.txt": cannot be read: it does not exist\.$/),
  ]);
  expect(await problemsOf(text, { 'holidays.txt': '2026-10-01\n01/10/2026\n2026-02-29' })).toEqual([
    'calendar, line 2 is "01/10/2026": must be a day such as 2026-10-01.',
    'calendar, line 3 is "2026-02-29": must be a day such as 2026-10-01.',
  ]);
});

test('a file that is not there, and a statement in its place', async () => {
  await expect(loadRules('/nowhere/rules.yaml')).rejects.toThrow('cannot be read: it does not exist');
  await expect(loadRules(process.execPath)).rejects.toThrow(
    'larger than 1 MiB: --rules names the rules, not a statement',
  );
});
