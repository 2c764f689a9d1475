import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../../../src/package-root.ts';
import { loadProfile, readProfile } from '../../../../src/reconcile/profile/load.ts';
import { ProfileError } from '../../../../src/reconcile/profile/problem.ts';
import { proposeProfile } from '../../../../src/reconcile/proposal/propose.ts';
import { SAMPLES } from '../../../support/statements/samples.ts';
import { profileOf, readWhole, withFile } from '../../../support/statements/statement.ts';

const proposed = (content: string | Uint8Array, name: string) =>
  withFile(content, (path) => proposeProfile(path, { account: 'main', kind: 'wallet' }), name);
const confirmed = (text: string) => text.replaceAll('confirm: ', '');

describe('a proposal is refused with every guess, and reads the file once they are confirmed', () => {
  test.each(SAMPLES)('$layout', async ({ layout, content, file }) => {
    const { text, guesses } = await proposed(content, file);
    const refused = await Promise.resolve()
      .then(() => readProfile(text, 'p.yaml'))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProfileError);
    const lines = text.split('\n');
    const marks = lines.flatMap((line, index) =>
      /(?<!\. Each )"confirm: (?!\.\.\.)/.test(line) && !line.startsWith('#') ? [index + 1] : [],
    );
    const named = (refused as ProfileError).problems.map(({ path }) => Number(/^line (\d+),/.exec(path)?.[1]));
    expect(new Set(named)).toEqual(new Set(marks));
    expect(guesses.length).toBeGreaterThan(8);
    // What only a person can know of two layouts: whole amounts are minor units, and which of five amounts moves the balance.
    const known = text
      .replace('unit: "confirm: major"', layout === 'minor-units' ? 'unit: minor' : 'unit: major')
      .replace('signed: "confirm: 4"', 'signed: 8');
    const read = await readWhole(content, readProfile(confirmed(known), 'p.yaml'));
    const shipped = await readWhole(content, loadProfile(packageFile(`templates/profiles/${layout}.yaml`)));
    expect(read.unparsed).toEqual([]);
    expect(read.lines.map(({ date, amount, reference }) => [date, amount, reference])).toEqual(
      shipped.lines.map(({ date, amount, reference }) => [date, amount, reference]),
    );
  });
});

test('what was said is no guess, and each guess has its reason', async () => {
  const { text, guesses } = await proposed(
    'Date;Reference;Amount;Balance\n31/10/2026;A1;"1.234,56";"1.234,56"\n',
    'wallet.csv',
  );
  expect(parse(text)).toMatchObject({
    account: 'main',
    kind: 'wallet',
    name: 'confirm: wallet',
    number: { decimal: 'confirm: ,', group: 'confirm: .' },
  });
  const why = Object.fromEntries(guesses.map((guess) => [guess.path, guess.why]));
  expect(why.dateFormat).toContain('it fits 1 of 1 dates, such as "31/10/2026"');
  expect(why['file.delimiter']).toBe('100 % of the rows have 4 cells with it');
  expect(why.account).toBeUndefined();
  for (const { path, why } of guesses) expect([path, why.length > 3]).toEqual([path, true]);
});

test.each([
  [
    'headings in French, below a preface',
    'Relevé de compte;;;;\nDate opération;Libellé;Référence;Montant;Solde\n13/10/2026;Vente;C-1;1.234,56;2.234,56\n',
    { date: 'Date opération', text: 'Libellé', reference: 'Référence' },
    { skipRows: 1, signed: 'Montant', amount: 123_456n },
  ],
  [
    'headings in a language of which no word is known: by what stands below them',
    'Dag,Kod,Namn,Belopp\n2026-10-01,AB-1001,Kund ett,100.00\n2026-10-02,AB-1002,Kund ett,-20.50\n',
    { date: 'Dag', reference: 'Kod', type: 'Namn' },
    { skipRows: 0, signed: 'Belopp', amount: 10_000n },
  ],
])('%s', async (_, content, columns, { skipRows, signed, amount }) => {
  const { text } = await proposed(content, 'bank.csv');
  const profile = parse(confirmed(text));
  expect(profile).toMatchObject({ file: { header: 'true', skipRows: String(skipRows) }, columns, amount: { signed } });
  const { lines, unparsed } = await readWhole(content, readProfile(confirmed(text), 'p.yaml'));
  expect({ unparsed, first: lines[0]?.amount }).toEqual({ unparsed: [], first: amount });
});

describe('a file of one currency with an indicator of debit and credit beside its amounts', () => {
  test.each([
    [
      'a header that says nothing, and money in alone',
      'Relevé de compte;;;\nMontants en EUR;;;\nDate opération;Référence;Montant;Ind.\n01/10/2026;C-1;10,00;C\n02/10/2026;C-2;2,50;C\n',
      ['EUR', 'row 2 says so: "Montants en EUR"'],
      { column: 'Ind.', debit: ['D'], credit: ['C'] },
      [1_000n, 250n],
    ],
    [
      'Sens',
      'Relevé de compte en XOF;;;;\nDate opération;Libellé;Référence;Montant;Sens\n13/10/2026;Vente;C-1;1.234,56;C\n14/10/2026;Frais;C-2;34,56;D\n',
      ['XOF', 'row 1 says so: "Relevé de compte en XOF"'],
      { column: 'Sens', debit: ['D'], credit: ['C'] },
      [123_456n, -3_456n],
    ],
    [
      'Débit/Crédit, a sign for the currency',
      'Montants en €;;;\nDate;Référence;Montant;Débit/Crédit\n13/10/2026;C-1;5,00;Crédit\n14/10/2026;C-2;1,00;Débit\n',
      ['EUR', 'row 1 says so: "Montants en €"'],
      { column: 'Débit/Crédit', debit: ['Débit'], credit: ['Crédit'] },
      [500n, -100n],
    ],
  ])('%s', async (_, content, [currency, why], sign, amounts) => {
    const { text, guesses } = await proposed(content, 'releve.csv');
    const profile = parse(confirmed(text));
    expect([profile.currency, profile.amount.sign]).toEqual([currency, sign]);
    expect(guesses.find(({ path }) => path === 'currency')?.why).toContain(why);
    const { lines, unparsed } = await readWhole(content, readProfile(confirmed(text), 'p.yaml'));
    expect({ unparsed, amounts: lines.map(({ amount }) => amount) }).toEqual({ unparsed: [], amounts });
  });

  test('amounts that have signs keep them', async () => {
    const { text } = await proposed(
      'Date opération;Référence;Montant;D/C\n01/10/2026;C-1;10,00;C\n02/10/2026;C-2;-2,50;D\n',
      'releve_EUR.csv',
    );
    expect(parse(confirmed(text))).toMatchObject({ currency: 'EUR', amount: { signed: 'Montant' } });
  });

  test('a currency that the file does not name is asked for', async () => {
    const { guesses } = await proposed('Date,Reference,Amount\n2026-10-01,A1,1.00\n', 'wallet.csv');
    expect(guesses.find(({ path }) => path === 'currency')?.why).toContain('which one is it?');
  });
});

describe('a file in French', () => {
  const profileFor = async (content: string | Uint8Array, name: string) => {
    const { text, unused } = await withFile(content, (path) => proposeProfile(path), name);
    return {
      profile: parse(confirmed(text)),
      unused,
      read: await readWhole(content, readProfile(confirmed(text), 'p')),
    };
  };

  test('a wallet: every column, its types, its balances and its days', async () => {
    const lines = [
      'Relevé du portefeuille;NGN;Du;01/10/2026;Au;31/10/2026',
      'Solde initial;5.000.000,00',
      '',
      'Date;Heure;Référence;Séance;ID transaction;Lot;Nature;Libellé;Débit;Crédit;Frais;TVA;Timbre;Solde',
      '01/10/2026;08:53:31;COB-3;;TX3;;Encaissement;;;46.593,32;811,99;60,90;;5.046.593,32',
      '01/10/2026;14:13:14;PAG-1;SES2;;;Décaissement;;14.980,53;;25,00;1,88;50,00;5.031.612,79',
      '02/10/2026;10:00:00;PAG-1;SES2;;;Décaissement annulé;;;14.980,53;;;;5.046.593,32',
      '02/10/2026;11:00:00;;;;L-1;Règlement;;46.593,32;;;;;5.000.000,00',
      'Solde final;5.000.000,00',
    ];
    const { profile, unused, read } = await profileFor(Buffer.from(lines.join('\n'), 'latin1'), 'portefeuille-10.csv');
    expect(profile).toMatchObject({
      columns: {
        ...{ date: 'Date', time: 'Heure', reference: 'Référence', sessionId: 'Séance', text: 'Libellé' },
        ...{ transactionReference: 'ID transaction', group: 'Lot', type: 'Nature' },
      },
      amount: { debitCredit: { debit: 'Débit', credit: 'Crédit' } },
      ...{ fee: 'Frais', tax: 'TVA', duty: 'Timbre' },
      balance: { running: 'Solde', opening: { row: '2', column: '2' }, closing: { row: '-1', column: '2' } },
      covers: { from: { row: '1', column: '4' }, to: { row: '1', column: '6' } },
    });
    expect(read.unparsed).toEqual([]);
    expect(read.lines.map(({ type }) => type)).toEqual(['collection', 'payout', 'payout_reversal', 'settlement']);
    expect(unused).toEqual([]);
  });

  test('a bank: its text is its type, too, and its document the reference', async () => {
    const { profile, unused } = await profileFor(
      'Ancien solde,,,,"1.000,00"\nDate,Libellé,Document,Montant,Solde\n02/10/2026,REGLEMENT DU JOUR,,"20,00","1.020,00"\n05/10/2026,VIREMENT EMIS,REC-5,"-20,00","1.000,00"\nNouveau solde,,,,"1.000,00"\n',
      'banque-10.csv',
    );
    expect(profile).toMatchObject({
      kind: 'bank',
      columns: { text: 'Libellé', type: 'Libellé', reference: 'Document' },
      types: { 'REGLEMENT DU JOUR': 'settlement', 'VIREMENT EMIS': 'transfer' },
      balance: { opening: { row: '1', column: '5' }, closing: { row: '-1', column: '5' } },
    });
    expect(unused).toEqual([]);
  });

  test('your own books: a debit is money in where sales stand there, and no column is dropped silently', async () => {
    const { profile, unused, read } = await profileFor(
      'Date\tEcriture\tRéférence\tNature\tDébit\tCrédit\tDevise\n1/10/2026\t1\tC-1\tVente\t33603,85\t\tNGN\n2/10/2026\t2\tP-1\tDécaissement\t\t100,00\tNGN\n',
      'grand-livre-10.csv',
    );
    expect(profile).toMatchObject({
      kind: 'ledger',
      amount: { debitCredit: { debit: 'Crédit', credit: 'Débit' } },
      types: { Vente: 'collection', Décaissement: 'payout' },
    });
    expect(read.lines.map(({ amount }) => amount)).toEqual([3_360_385n, -10_000n]);
    expect(unused).toEqual(['Ecriture']);
  });

  test('a settlement: a text of which each word is a type', async () => {
    const { profile, unused } = await profileFor(
      'Date,Référence,Motif,Brut,Commission,Montant net\n2026-10-02,C-1,Vente,186.27,7.26,179.01\n',
      'reglements.csv',
    );
    expect(profile).toMatchObject({
      kind: 'settlement',
      columns: { type: 'Motif' },
      types: { Vente: 'collection' },
    });
    expect([profile.fee, profile.gross, profile.net, unused]).toEqual(['Commission', 'Brut', 'Montant net', []]);
  });
});

describe('columns of money out and in', () => {
  const amountOf = async (content: string) => parse(confirmed((await proposed(content, 'tili.csv')).text)).amount;

  test('are found by their data, whatever their headers: no line fills both', async () => {
    const named = await amountOf('Date,Reference,Otot,Panot\n2026-10-01,A1,1.00,\n2026-10-02,A2,,2.00\n');
    expect(named).toEqual({ debitCredit: { debit: 'Otot', credit: 'Panot' } });
    const zeros = await amountOf('Date,Reference,Otot,Panot\n2026-10-01,A1,1.00,0.00\n2026-10-02,A2,0.00,2.00\n');
    expect(zeros).toEqual({ debitCredit: { debit: 'Otot', credit: 'Panot' } });
    const half = await amountOf('Date,Reference,Panot,Debit\n2026-10-01,A1,1.00,\n2026-10-02,A2,,2.00\n');
    expect(half).toEqual({ debitCredit: { debit: 'Debit', credit: 'Panot' } });
  });

  test('are found without a header, too, and the balance behind them', async () => {
    const lines = ['2026-10-01,A-10001,1.00,,9.00', '2026-10-02,A-10002,,2.00,11.00', '2026-10-03,A-10003,,4.00,15.00'];
    const profile = parse(confirmed((await proposed(`${lines.join('\n')}\n`, 'tili.csv')).text));
    expect(profile.amount).toEqual({ debitCredit: { debit: '3', credit: '4' } });
    expect(profile.balance).toEqual({ running: '5' });
  });

  test('are none where a line fills both', async () => {
    const both = await amountOf('Date,Reference,Otot,Panot\n2026-10-01,A1,1.00,5.00\n2026-10-02,A2,,2.00\n');
    expect(both.debitCredit).toBeUndefined();
  });

  test('stay as the header says where a bank names the other side of them', async () => {
    const bank = 'Date,Reference,Type,Debit,Credit\n2026-10-01,A1,Payout,,5.00\n2026-10-02,A2,Fee,1.00,\n';
    expect(await amountOf(bank)).toEqual({ debitCredit: { debit: 'Debit', credit: 'Credit' } });
  });
});

describe('what the header alone would get wrong', () => {
  const profileFor = async (content: string) => {
    const { text, unused } = await proposed(content, 'export.csv');
    return { ...parse(confirmed(text)), unused };
  };

  test('the date of a batch is the date, and its lot the group', async () => {
    const lines = ['2026-10-01|L-1|R-1|10.00', '2026-10-02|L-1|R-2|20.00', '2026-10-03|L-2|R-3|30.00'];
    const profile = await profileFor(`batch_date|lot|reference|amount\n${lines.join('\n')}\n`);
    expect(profile.columns).toEqual({ date: 'batch_date', group: 'lot', reference: 'reference' });
    expect(profile).toMatchObject({ dateFormat: 'yyyy-MM-dd', unused: [] });
  });

  test('words of reversals have the type that the sign of their lines says, and Groupe is the group', async () => {
    const lines = ['01/10/2026;R-1;G-1;Vente;100,00', '02/10/2026;R-1;G-1;Extourne;-100,00'];
    const profile = await profileFor(`Date;Référence;Groupe;Nature;Montant\n${lines.join('\n')}\n`);
    expect(profile.columns.group).toBe('Groupe');
    expect(profile.types).toEqual({ Vente: 'collection', Extourne: 'collection_reversal' });
  });

  test('a reference is the reference, whatever stands before it', async () => {
    const { columns, unused } = await profileFor('id,date,reference,amount\ntxn_1,2026-10-01,R-1,10.00\n');
    expect([columns.reference, unused]).toEqual(['reference', ['id']]);
    expect((await profileFor('id,date,amount\ntxn_1,2026-10-01,10.00\n')).columns.reference).toBe('id');
  });

  test('what a word moved is told by whatever column has the amount', async () => {
    const net = await profileFor('date,reference,type,gross,fee,net\n2026-10-01,R-1,charge,10.00,1.00,9.00\n');
    expect(net.types).toEqual({ charge: 'collection' });
    const sides = ['2026-10-01,R-1,charge,10.00,C', '2026-10-02,R-2,charges,1.00,D'];
    const bySide = await profileFor(`date,reference,type,amount,Dr/Cr\n${sides.join('\n')}\n`);
    expect(bySide.types).toEqual({ charge: 'collection', charges: 'fee' });
  });

  test('net is not held against itself: only against gross less charges', async () => {
    const without = await profileFor('Date;Référence;Frais;Net\n01/10/2026;R-1;2,00;98,00\n');
    expect([without.amount, without.net]).toEqual([{ signed: 'Net' }, undefined]);
    const withGross = await profileFor('Date;Référence;Brut;Frais;Net\n01/10/2026;R-1;100,00;2,00;98,00\n');
    expect([withGross.amount, withGross.net, withGross.gross]).toEqual([{ signed: 'Net' }, 'Net', 'Brut']);
  });

  test.each([
    [
      'stands behind it',
      'Date;Référence;Net;Montant\n01/10/2026;R-1;98,00;98,00\n',
      { amount: { signed: 'Montant' }, net: 'Net', gross: undefined },
    ],
    [
      'stands behind it, and is more than net by what no column says',
      'Date;Référence;Net;Montant\n01/10/2026;R-1;98,00;100,00\n',
      { amount: { signed: 'Montant' }, net: undefined, gross: undefined },
    ],
    [
      'is net and the fee',
      'Date;Référence;Net;Frais;Montant\n01/10/2026;R-1;98,00;2,00;100,00\n02/10/2026;R-2;5,00;;5,00\n',
      { amount: { signed: 'Net' }, net: 'Net', gross: 'Montant' },
    ],
    [
      'stands before it, and is more in some line',
      'Date;Référence;Montant;Net\n01/10/2026;R-1;100,00;98,00\n02/10/2026;R-2;5,00;5,00\n',
      { amount: { signed: 'Net' }, net: undefined, gross: undefined },
    ],
    [
      'is what the balance moves by',
      'Date;Référence;Montant;Net;Solde\n1/10/2026;R-1;9,00;8,00;9,00\n2/10/2026;R-2;7,00;6,00;16,00\n',
      { amount: { signed: 'Montant' }, net: undefined, gross: undefined },
    ],
  ])('of an amount beside net, the amount %s', async (_, content, { amount, net, gross }) => {
    const profile = await profileFor(content);
    expect([profile.amount, profile.net, profile.gross]).toEqual([amount, net, gross]);
  });

  test.each([
    ['the oldest line first', ['1\t110.00\t10.00', '2\t90.00\t-20.00', '3\t95.00\t5.00']],
    ['the newest line first', ['3\t95.00\t5.00', '2\t90.00\t-20.00', '1\t110.00\t10.00']],
  ])('a running balance is told by its data, with %s', async (_, days) => {
    const lines = days.map((line) => `2026-10-0${line}`);
    const profile = await profileFor(`Date\tLEFT\tMOVE\n${lines.join('\n')}\n`);
    expect([profile.amount, profile.balance, profile.unused]).toEqual([{ signed: 'MOVE' }, { running: 'LEFT' }, []]);
  });

  test('amounts of which none is the sum of the others stay as they stand', async () => {
    const lines = ['1\t110.00\t10.00', '2\t90.00\t-20.00', '3\t96.00\t5.00'].map((line) => `2026-10-0${line}`);
    const profile = await profileFor(`Date\tLEFT\tMOVE\n${lines.join('\n')}\n`);
    expect(profile.amount).toEqual({ signed: 'LEFT' });
  });
});

test('columns that no setting names are listed in a comment of the profile', async () => {
  const { text, unused } = await proposed(
    'Date,Reference,"Odd\nname",Amount,,Other\n2026-10-01,A1,x y,1.00,z,\n',
    'wallet.csv',
  );
  expect(unused).toEqual(['Odd name', 'column 5', 'Other']);
  expect(text).toContain('\n# not used: Odd name, column 5, Other\nversion: 1\n');
  expect((await proposed('Date,Reference,Amount\n2026-10-01,A1,1.00\n', 'wallet.csv')).text).not.toContain('not used');
});

test('a date that two forms fit is named as such', async () => {
  const { guesses } = await proposed('Date,Reference,Amount\n01/10/2026,A1,1.00\n', 'wallet.csv');
  expect(guesses.find(({ path }) => path === 'dateFormat')).toMatchObject({
    value: 'dd/MM/yyyy',
    why: expect.stringContaining('MM/dd/yyyy would fit, too'),
  });
});

test('of two date forms that fit, the days before the table decide', async () => {
  const lines = 'Date,Reference,Amount\n10/05/2026,A,1.00\n10/12/2026,B,1.00\n';
  const form = async (above: string) =>
    (await proposed(`${above}\n${lines}`, 'wallet.csv')).guesses.find(({ path }) => path === 'dateFormat');
  expect(await form('Date range: 10/01/2026-10/31/2026')).toEqual({
    path: 'dateFormat',
    value: 'MM/dd/yyyy',
    why: 'it fits 2 of 2 dates, such as "10/05/2026"; dd/MM/yyyy would fit, too: but not for "10/31/2026"',
  });
  expect(await form('From 01/05/2026 to 31/05/2026')).toMatchObject({ value: 'dd/MM/yyyy' });
});

test('Japanese in its own encoding is told from letters with accents', async () => {
  const encodingOf = async (content: Buffer) =>
    (await proposed(content, 'wallet.csv')).guesses.find(({ path }) => path === 'file.encoding')?.value;
  // 取引日,お支払金額
  const header = Buffer.from('8ee688f893fa2c82a88e7895a58be08a7a0a', 'hex');
  expect(await encodingOf(Buffer.concat([header, Buffer.from('2026/10/01,"12,000"\n')]))).toBe('shift_jis');
  const accents = 'Größe,Käufer,Übertrag,Straße,préféré,àéîõü\n2026-10-01,ä,ö,ü,ß,1.00\n';
  expect(await encodingOf(Buffer.from(accents, 'latin1'))).toBe('windows-1252');
});

test('the example of a date form is a date that it fits', async () => {
  const rows = ['13-Sept-2026,A', '01-Oct-2026,B', '02-Oct-2026,C'].map((row) => `${row},1.00\n`).join('');
  const { guesses } = await proposed(`Date,Reference,Amount\n${rows}`, 'wallet.csv');
  const { why } = guesses.find(({ path }) => path === 'dateFormat') ?? {};
  expect(why).toBe('it fits 2 of 3 dates, such as "01-Oct-2026"');
});

test('whatever is in the file, the proposal is YAML', async () => {
  const odd = [
    'Date,Reference,Type,Amount\n2026-10-01,A,"pay: #1 ""x""\n",1.00\n2026-10-02,B,a.b,2.00\n',
    'x',
    '\n\n',
    ',,,\n',
    'Date\n',
    '"a',
    '\0\0\0',
  ];
  for (const content of odd) {
    const { text } = await proposed(content, 'odd name: #1.csv');
    expect(parse(text)).toMatchObject({ version: 1 });
  }
  expect(profileOf()).toMatchObject({ version: 1 });
});

test.each([
  [
    'From,2026-10-01,To,2026-10-31\n',
    { from: { row: 'confirm: 1', column: 'confirm: 2' }, to: { row: 'confirm: 1', column: 'confirm: 4' } },
  ],
  [
    'Period from,2026-10-01\nPeriod to,2026-10-31\n',
    { from: { row: 'confirm: 1', column: 'confirm: 2' }, to: { row: 'confirm: 2', column: 'confirm: 2' } },
  ],
  ['From,our bank\nTo,2026-10-31\n', undefined],
  ['From,01/10/2026,To,31/10/2026\n', undefined],
])('days that a file says it covers are proposed: %j', async (above, covers) => {
  const { text } = await proposed(`${above}Date,Reference,Type,Amount\n2026-10-02,A1,Payment,5.00\n`, 'wallet.csv');
  expect(parse(text).covers).toEqual(covers);
});
