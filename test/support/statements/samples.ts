import { spreadsheet } from './spreadsheet.ts';

/** A file of each layout in templates/profiles/, and what its lines say, computed by hand. */
export interface Sample {
  readonly layout: string;
  readonly file: string;
  readonly content: string | Uint8Array;
  /** `date type amount principal reference` of each line, amounts in minor units. */
  readonly lines: readonly string[];
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly covers: { readonly from: string; readonly to: string };
}

const october = (from: string, to: string) => ({ from: `2026-10-${from}`, to: `2026-10-${to}` });

export const SAMPLES: readonly Sample[] = [
  {
    layout: 'iso-signed',
    file: 'wallet.csv',
    content:
      'Date,Reference,Type,Amount,Fee,VAT,Balance,Narration\n2026-10-01,ORD-1,Collection,97.85,2.00,0.15,1097.85,"Order 1, ""blue"""\n2026-10-02,RFD-1,Refund,-50.00,,,1047.85,\n2026-10-02,PO-1,Payout,-20,0.5,0.04,1027.85,\n',
    lines: [
      '2026-10-01 collection 9785 10000 ORD-1',
      '2026-10-02 refund -5000 5000 RFD-1',
      '2026-10-02 payout -2000 1946 PO-1',
    ],
    opening: 100_000n,
    closing: 102_785n,
    covers: october('01', '02'),
  },
  {
    layout: 'debit-credit-semicolon',
    file: 'bank.csv',
    content: Buffer.from(
      'Opening balance;;;;;;1.000,00\r\nDate;Value date;Code;Batch;Details;Debit;Credit\r\n01.10.2026;02.10.2026;SETTLE;B-1;R\u00e8glement;;2.934,55\r\n03.10.2026;;FEE;;Charges;10,50;\r\nClosing balance;;;;;;3.924,05\r\n',
      'latin1',
    ),
    lines: ['2026-10-01 settlement 293455 293455 -', '2026-10-03 fee -1050 1050 -'],
    opening: 100_000n,
    closing: 392_405n,
    covers: october('01', '03'),
  },
  {
    layout: 'minor-units',
    file: 'books.csv',
    content:
      'created_at|reference|txn_id|kind|direction|amount|currency\n2026-10-01T09:30:00+01:00|ORD-1|T1|payment|credit|9785|NGN\n2026-10-01T23:30:00Z|ORD-2|T2|payment|credit|9007199254740993|NGN\n2026-10-02T00:00:00Z|RFD-1|T3|refund|debit|5000|kes\n',
    lines: [
      '2026-10-01 collection 9785 9785 ORD-1',
      '2026-10-02 collection 9007199254740993 9007199254740993 ORD-2',
      '2026-10-02 refund -5000 5000 RFD-1',
    ],
    opening: null,
    closing: null,
    covers: october('01', '02'),
  },
  {
    layout: 'parentheses',
    file: 'wallet.csv',
    content:
      'Posted,Order,Category,Value\n"Oct 1, 2026",ORD-1,Sale,"1,097.85"\n"Oct 12, 2026",ORD-1,Refund,(50.00)\n"Oct 12, 2026",,Fee,(10.5)\nRows,3,,\nTotal,,,"1,037.35"\n',
    lines: [
      '2026-10-01 collection 109785 109785 ORD-1',
      '2026-10-12 refund -5000 5000 ORD-1',
      '2026-10-12 fee -1050 1050 -',
    ],
    opening: null,
    closing: null,
    covers: october('01', '12'),
  },
  {
    layout: 'utf16-tab',
    file: 'wallet.txt',
    content: Buffer.from(
      '\ufeffDate\tTime\tSession\tBeneficiary\tType\tAmount\r\n01/10/2026\t09:30:00\tS-1\tAd\u00e1\tTRF\t1 500.00-\r\n02/10/2026\t23:59\tS-1\tAd\u00e1\tREV\t1\u00a0500.00\r\n',
      'utf16le',
    ),
    lines: ['2026-10-01 payout -150000 150000 -', '2026-10-02 payout_reversal 150000 150000 -'],
    opening: null,
    closing: null,
    covers: october('01', '02'),
  },
  {
    layout: 'no-header',
    file: 'settlement.csv',
    content:
      '20261001,B-1,ORD-1,100.00,2.00,0.15,0.00,97.85\n20261001,B-1,ORD-2,100.00,2.00,0.15,0.00,97.85\n20261002,B-2,ORD-3,20000.00,300.00,22.50,50.00,19627.50\n',
    lines: [
      '2026-10-01 collection 9785 10000 ORD-1',
      '2026-10-01 collection 9785 10000 ORD-2',
      '2026-10-02 collection 1962750 2000000 ORD-3',
    ],
    opening: null,
    closing: null,
    covers: october('01', '02'),
  },
  {
    layout: 'spreadsheet',
    file: 'wallet.xlsx',
    content: spreadsheet(
      [
        ['From', { d: '46296' }, 'To', { d: '46326' }],
        [],
        ['Date', 'Reference', 'Type', 'Amount', 'Charges'],
        [{ d: '46297' }, 'ORD-1', 'Collection', { n: '79.31999999999999' }, { n: '2' }],
        [{ d: '46298.5' }, { n: '1000777' }, 'Refund', { n: '-0.3' }, null],
      ],
      'Statement',
    ),
    lines: ['2026-10-02 collection 7932 8132 ORD-1', '2026-10-03 refund -30 30 1000777'],
    opening: null,
    closing: null,
    covers: october('01', '31'),
  },
];
