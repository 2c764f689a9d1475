import { typesOf } from '../../domain/statements/lines.ts';

const oneOf = (types: readonly string[]) => `IN (${types.map((type) => `'${type}'`).join(', ')})`;
export const IS_CHARGEBACK = oneOf(typesOf('chargeback'));
export const IS_CHARGE = oneOf(typesOf('charge'));

/**
 * The tables of a run. Integers are minor units; days are `yyyy-MM-dd`; legs are numbers of this run. A line that came after
 * the close of its day has that in `own_date`, and in `date` the day on which it posts; a row of ours that did counts on `posts_on`. A line
 * has the date that its file prints in `printed`.
 */
export const SCHEMA = `
  CREATE TABLE period (from_day TEXT, until_day TEXT, begin_day TEXT, first_day TEXT);
  CREATE TABLE roles (statement TEXT, type TEXT, environment TEXT, currency TEXT, leg INTEGER, kind TEXT,
    PRIMARY KEY (statement, type, environment, currency)) WITHOUT ROWID;
  CREATE TABLE sides (leg INTEGER, environment TEXT, currency TEXT, kind TEXT, is_ledger INTEGER,
    PRIMARY KEY (leg, environment, currency, kind)) WITHOUT ROWID;
  CREATE TABLE covered (leg INTEGER, environment TEXT, currency TEXT, day TEXT,
    PRIMARY KEY (leg, environment, currency, day)) WITHOUT ROWID;
  CREATE TABLE ours (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, environment TEXT NOT NULL, currency TEXT, reference TEXT NOT NULL, status TEXT, record_id INTEGER,
    amount INTEGER, requested INTEGER, fees INTEGER, duty INTEGER, reserved INTEGER, channel TEXT,
    start_day TEXT NOT NULL, day TEXT NOT NULL, is_day_learnt INTEGER NOT NULL,
    direction INTEGER NOT NULL DEFAULT 1, session_id TEXT, transaction_reference TEXT, changed_later INTEGER NOT NULL, changed_since INTEGER NOT NULL DEFAULT 0,
    posts_on TEXT, is_judged INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX ours_changed_later ON ours (kind, record_id) WHERE changed_later = 1;
  CREATE INDEX ours_posted ON ours (id) WHERE posts_on IS NOT NULL;
  CREATE TABLE theirs (
    id INTEGER PRIMARY KEY,
    leg INTEGER, kind TEXT, environment TEXT NOT NULL, reference TEXT, currency TEXT NOT NULL, date TEXT NOT NULL, type TEXT, own_date TEXT, is_judged INTEGER NOT NULL DEFAULT 0,
    amount INTEGER NOT NULL, principal INTEGER NOT NULL, fee INTEGER, tax INTEGER, duty INTEGER,
    session_id TEXT, transaction_reference TEXT, group_name TEXT,
    account TEXT NOT NULL, type_text TEXT NOT NULL, printed TEXT NOT NULL,
    statement INTEGER NOT NULL, row INTEGER NOT NULL, fingerprint BLOB NOT NULL, occurrence INTEGER NOT NULL);
  CREATE INDEX theirs_chargeback ON theirs (date) WHERE type ${IS_CHARGEBACK};
  CREATE INDEX theirs_top_up ON theirs (type) WHERE type = 'top_up';
  CREATE INDEX theirs_charge ON theirs (leg) WHERE leg IS NOT NULL AND kind IS NULL;
  CREATE TABLE taken (line INTEGER PRIMARY KEY, leg INTEGER NOT NULL, ours INTEGER NOT NULL, pass TEXT NOT NULL,
    clean INTEGER NOT NULL, fees INTEGER, duty INTEGER, our_day TEXT);
  CREATE TABLE doubtful (line INTEGER PRIMARY KEY);
  CREATE TABLE proposed (line INTEGER PRIMARY KEY, leg INTEGER NOT NULL, ours INTEGER NOT NULL, pass TEXT NOT NULL);
  CREATE TABLE legs (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE known (id INTEGER PRIMARY KEY, line INTEGER, leg TEXT, kind TEXT, reference TEXT, pass TEXT, state TEXT);
  CREATE TABLE apart (line INTEGER, ours INTEGER, PRIMARY KEY (line, ours)) WITHOUT ROWID;
  CREATE TABLE line_keys (id INTEGER PRIMARY KEY, name TEXT NOT NULL, line INTEGER NOT NULL);
  CREATE INDEX line_keys_name ON line_keys (name);
  CREATE TABLE row_keys (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ours INTEGER NOT NULL);
  CREATE INDEX row_keys_name ON row_keys (name);
  CREATE TABLE pairs (line INTEGER, ours INTEGER, PRIMARY KEY (line, ours)) WITHOUT ROWID;`;

/**
 * Each row of ours once, by the key that lines name. Made when the records of the period are in, of which each comes once: a
 * million inserts in no order of their references take three times as long as one sort.
 */
export const OURS_ONCE = "CREATE UNIQUE INDEX ours_once ON ours (reference, environment, kind, coalesce(currency, ''))";
