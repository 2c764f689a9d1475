import { z } from 'zod';
import { numberFromText, reporting, timeZone } from '../../config/settings.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { unseenProblem } from '../../domain/persons/person.ts';
import { LINE_TYPES, STATEMENT_KINDS } from '../../domain/statements/lines.ts';
import { dateFormatProblem } from '../file/date-format.ts';
import { choice, currency, fileName, MAP, TEXT, text } from '../settings-file/kinds.ts';

// The one description of a statement profile: load.ts checks files against it, docs/statements.md explains it, and
// templates/profiles/profile.schema.json is generated from it for editors. Rules about two settings at once are in rules.ts.

const COLUMN = 'must be the text of the header, or the number of the column from 1';
const ONE_CHARACTER = 'must be one character';
/** Group separators that exports use. A space stands for the unbreakable ones, too, and each of those for the others. */
const GROUPS = [',', '.', ' ', "'", '’', '\u00a0', '\u202f'] as const;
const GROUP_RULE = `must be one of "," "." " " "'" "’", or null`;

/** Rows of the end of a file that its reader holds back, until it knows that they are the last ones. */
const MOST_END_ROWS = 1_000;

const oneCharacter = () => z.string(ONE_CHARACTER).refine((value) => value.length === 1, ONE_CHARACTER);
const whole = (least: number, most: number, standard: number, description: string) => {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .preprocess(numberFromText, z.int(rule).min(least, rule).max(most, rule))
    .default(standard)
    .meta({ description, default: standard });
};
const onOff = (standard: boolean, description: string) =>
  z
    .preprocess(
      (value) => (value === 'true' ? true : value === 'false' ? false : value),
      z.boolean('must be true or false'),
    )
    .default(standard)
    .meta({ description, default: standard });

/** A guess that was confirmed may keep its quotes: `"null"`. Empty text is none, too. */
const orNull = <Value extends z.ZodType>(schema: Value) =>
  z.preprocess((value) => (value === 'null' || value === '' ? null : value), schema.nullable());

/** A column by the text of its header, or by its number from 1. */
const column = () => z.union([text(), z.int(COLUMN).min(1, COLUMN)], COLUMN);
const optionalColumn = (description: string) => column().optional().describe(description);

/** A cell outside the table: rows from 1, from the end when negative. */
const cell = (description: string) =>
  z
    .strictObject(
      {
        row: z
          .preprocess(
            (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
            z.int('must be a whole number, negative from the end'),
          )
          .refine((row) => row !== 0, 'must not be 0: the first row is 1, the last -1')
          .refine(
            (row) => row >= -MOST_END_ROWS,
            `must be at least -${MOST_END_ROWS}: so many rows of the end are known`,
          )
          .meta({ description: 'Row from 1 as a spreadsheet shows it; -1 is the last one.' }),
        column: column().describe('Column by its header, or by its number from 1.'),
      },
      'must be a cell: {row: 1, column: 2}',
    )
    .optional()
    .describe(description);

/** The profile of one layout of one account. */
export const profileSchema = z.strictObject(
  {
    version: z.preprocess(numberFromText, z.literal(1, 'must be 1')).meta({ description: 'Version of this form: 1.' }),
    name: fileName().describe('Name of the profile; it stands for one content.'),
    kind: choice(STATEMENT_KINDS).describe(
      "wallet: the service's account of the merchant; settlement; bank; ledger: your own books.",
    ),
    account: text()
      .max(100, 'must be at most 100 characters long')
      .superRefine(reporting(unseenProblem))
      .describe('Whose lines these are: your name for the account.'),
    environment: choice(ENVIRONMENTS).describe('The environment of the account.'),
    currency: currency().optional().describe('Currency of every line; needed without columns.currency.'),
    file: z
      .strictObject(
        {
          format: choice(['csv', 'xlsx']).default('csv').describe('csv: text with separators; xlsx: a spreadsheet.'),
          sheet: z
            .union([text(), z.int().min(1)], 'must be the name of a sheet, or its number from 1')
            .default(1)
            .describe('Sheet of a spreadsheet, by name or number.'),
          encoding: z
            .string(TEXT)
            .refine(isEncoding, 'must be an encoding such as utf-8, windows-1252 or utf-16le')
            .default('utf-8')
            .describe('Encoding of the text.'),
          delimiter: z
            .preprocess((value) => (value === '\\t' || value === 'tab' ? '\t' : value), oneCharacter())
            .default(',')
            .meta({ description: 'What separates cells; tab for a tab.', default: ',' }),
          quote: orNull(oneCharacter())
            .default('"')
            .meta({ description: 'What encloses a cell; null for nothing.', default: '"' }),
          skipRows: whole(0, 1_000, 0, 'Rows before the header.'),
          header: onOff(true, 'Whether a row names the columns.'),
          footer: whole(0, MOST_END_ROWS, 0, 'Rows at the end that are no lines.'),
        },
        MAP,
      )
      .prefault({})
      .describe('How the file is laid out.'),
    zone: timeZone().default('Africa/Lagos').describe('Time zone of dates and times that carry none.'),
    columns: z
      .strictObject(
        {
          date: column().describe('Date of the line.'),
          valueDate: optionalColumn('Value date.'),
          time: optionalColumn('Time of day, HH:mm or HH:mm:ss.'),
          reference: optionalColumn('Your reference of the payment, refund or payout.'),
          sessionId: optionalColumn('Session id of a bank transfer.'),
          transactionReference: optionalColumn("The service's reference of the transaction."),
          group: optionalColumn('Settlement batch, or the two lines of a conversion.'),
          type: optionalColumn('The word that says what a line is; see types.'),
          currency: optionalColumn('Currency of the line.'),
          text: optionalColumn('Free text.'),
          counterparty: optionalColumn('The other party.'),
        },
        MAP,
      )
      .describe('Columns by the text of the header, or by number from 1.'),
    dateFormat: z
      .string(TEXT)
      .trim()
      .superRefine(reporting(dateFormatProblem))
      .optional()
      .describe('Form of dates: yyyy yy MM M MMM dd d HH mm ss a and separators, such as dd/MM/yyyy.'),
    amount: z
      .strictObject(
        {
          signed: optionalColumn('One column; a negative amount takes money away.'),
          debitCredit: z
            .strictObject(
              {
                debit: column().describe('Money out.'),
                credit: column().describe('Money in.'),
                negative: choice(['debit', 'reversal'])
                  .optional()
                  .describe(
                    'What a negative amount is. debit: money out is written with a minus; reversal: it takes a debit or credit back. Without it a negative amount is refused.',
                  ),
              },
              MAP,
            )
            .optional()
            .describe('Two columns, one of them filled.'),
          unsigned: optionalColumn('One column without sign; see sign.'),
          sign: z
            .strictObject(
              {
                column: column().describe('The column of the word.'),
                debit: z
                  .array(text(), 'must be a list of words')
                  .min(1, 'must be a list of words')
                  .describe('Words of money out.'),
                credit: z
                  .array(text(), 'must be a list of words')
                  .min(1, 'must be a list of words')
                  .describe('Words of money in.'),
              },
              MAP,
            )
            .optional()
            .describe('Which word makes an unsigned amount a debit or a credit.'),
        },
        MAP,
      )
      .describe('What moves the balance: signed, debitCredit, or unsigned with sign.'),
    number: z
      .strictObject(
        {
          decimal: choice(['.', ','], 'must be "." or ","').default('.').describe('What stands before the decimals.'),
          group: orNull(choice(GROUPS, GROUP_RULE))
            .default(null)
            .meta({ description: 'What may stand between groups of three digits.', default: null }),
          unit: choice(['major', 'minor']).default('major').describe('major: 10.50 is 10.50; minor: 1050 is 10.50.'),
          grouping: choice(['three', 'indian'])
            .optional()
            .describe('Groups: three (1,234,567.00, the default) or indian (12,34,567.00).'),
          negative: choice(['minus', 'parentheses', 'trailing', 'dr'])
            .default('minus')
            .describe('-5.00, (5.00), 5.00-, or 5.00 DR, where CR or nothing is positive.'),
          currencySign: text().optional().describe('What may stand beside each number, such as $ or NGN.'),
        },
        MAP,
      )
      .prefault({})
      .describe('How numbers are written.'),
    fee: optionalColumn('Fee of the line, positive when charged.'),
    tax: optionalColumn('Tax on the fee, positive when charged.'),
    duty: optionalColumn('Stamp duty, positive when charged.'),
    gross: optionalColumn('Amount before fee, tax and duty.'),
    net: optionalColumn('Amount after fee, tax and duty: checked, and not used otherwise.'),
    types: z
      .record(z.string(), choice(LINE_TYPES), 'must be a map from words of the file to our types')
      .default({})
      .describe(
        'Words of columns.type, and what they mean. Without such a column the word is "". "+" is every other line of money in, "-" of money out.',
      ),
    balance: z
      .strictObject(
        {
          running: optionalColumn('Balance after each line.'),
          opening: cell('Cell with the opening balance.'),
          closing: cell('Cell with the closing balance.'),
        },
        MAP,
      )
      .prefault({})
      .describe('Balances that the file states.'),
    controls: z
      .strictObject(
        { rows: cell('Cell with the number of lines.'), sum: cell('Cell with the sum of the amounts.') },
        MAP,
      )
      .prefault({})
      .describe('Totals that the file states.'),
    covers: z
      .strictObject({ from: cell('Cell with the first day.'), to: cell('Cell with the last day.') }, MAP)
      .prefault({})
      .describe('The days that the file covers, when it says so.'),
  },
  MAP,
);

export type ProfileValues = z.output<typeof profileSchema>;

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}
