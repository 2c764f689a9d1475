import { rowsOf, rowsOfTables, type Subject } from '../engine/subject-rows.ts';
import { STATEMENT_PARTS } from './audit-statements.ts';

/*
 * What the audit chain covers: which rows of which tables are one subject. Acts take their digests before and after by this
 * table, and `audit verify` compares each subject with its last entry by the same. A new table is one line here.
 */

const PERIOD = "t.set_name || '/' || t.name = @key";
const OF_PERIOD = "t.period_id = (SELECT id FROM periods p WHERE p.set_name || '/' || p.name = @key)";

const OF_USER = 't.user_id = (SELECT id FROM users WHERE name = @key)';

const OF_EXCEPTION = 't.exception_number = (SELECT number FROM exceptions WHERE id = @key)';

/** `SET/PERIOD`: neither name has a stroke. */
const JOURNAL = "t.set_name = substr(@key, 1, instr(@key, '/') - 1) AND t.period = substr(@key, instr(@key, '/') + 1)";

/** In this order they are compared. `@key` is what stands behind the prefix. */
export const SUBJECTS: readonly Subject[] = [
  {
    prefix: 'profile',
    table: 'statement_profiles',
    keys: `SELECT DISTINCT digest FROM statement_profiles p WHERE ${usedProfile('p')} ORDER BY digest`,
    parts: [rowsOf('statement_profiles', `t.digest = @key AND ${usedProfile('t')}`)],
  },
  {
    prefix: 'statement',
    table: 'imported_statements',
    // By what shows, and by what ever did: a statement that another program wrote may have the one without the other.
    keys: "SELECT id FROM imported_statements WHERE imported_at IS NOT NULL OR state NOT IN ('importing', 'abandoned') ORDER BY id",
    parts: STATEMENT_PARTS,
  },
  {
    prefix: 'rules',
    table: 'matching_rules',
    keys: `SELECT digest FROM matching_rules r WHERE ${usedRules('r')} ORDER BY digest`,
    parts: [rowsOf('matching_rules', `t.digest = @key AND ${usedRules('t')}`)],
  },
  {
    prefix: 'decision',
    table: 'match_decisions',
    keys: 'SELECT id FROM match_decisions ORDER BY id',
    parts: [rowsOf('match_decisions', 't.id = @key')],
  },
  {
    prefix: 'period',
    table: 'periods',
    keys: `SELECT set_name || '/' || name FROM periods
      UNION SELECT set_name || '/' || period FROM journal_entries ORDER BY 1`,
    parts: [
      rowsOf('periods', PERIOD),
      ...['period_closings', 'period_balances'].map((table) => rowsOf(table, OF_PERIOD)),
      ...['journal_entries', 'journal_lines'].map((table) => rowsOf(table, JOURNAL)),
    ],
  },
  {
    prefix: 'exception',
    table: 'exceptions',
    keys: 'SELECT id FROM exceptions ORDER BY number',
    parts: [
      rowsOfTables({
        exceptions: 't.id = @key',
        exception_comments: OF_EXCEPTION,
        exception_resolutions: OF_EXCEPTION,
        exception_log: OF_EXCEPTION,
      }),
    ],
  },
  {
    prefix: 'texts',
    table: 'erased_texts',
    keys: 'SELECT id FROM erased_texts ORDER BY id',
    parts: [rowsOf('erased_texts', 't.id = @key')],
  },
  {
    prefix: 'sheet',
    table: 'exception_sheets',
    keys: 'SELECT digest FROM exception_sheets ORDER BY digest',
    parts: [rowsOf('exception_sheets', 't.digest = @key')],
  },
  {
    prefix: 'user',
    table: 'users',
    keys: 'SELECT name FROM users ORDER BY id',
    parts: [rowsOf('users', 't.name = @key'), rowsOf('user_tokens', OF_USER), rowsOf('credentials', OF_USER)],
  },
  {
    prefix: 'approval',
    table: 'approvals',
    keys: 'SELECT id FROM approvals ORDER BY id',
    parts: [rowsOf('approvals', 't.id = @key'), rowsOf('approval_rows', 't.approval_id = @key')],
  },
  {
    prefix: 'approval-rules',
    table: 'approval_rules',
    keys: 'SELECT id FROM approval_rules',
    parts: [rowsOf('approval_rules', 't.id = @key')],
  },
];

/**
 * Rows that no program of ours leaves: accounts, profiles and rules are written in the transaction of the import or the run that
 * names them, also where that does not end, and go with the last import that does. SQL: the key of each.
 */
export const STRAYS: readonly { readonly table: string; readonly keys: string }[] = [
  { table: 'accounts', keys: 'SELECT id FROM accounts WHERE id NOT IN (SELECT account_id FROM imported_statements)' },
  {
    table: 'statement_profiles',
    keys: 'SELECT id FROM statement_profiles WHERE id NOT IN (SELECT profile_id FROM imported_statements)',
  },
  {
    table: 'matching_rules',
    keys: 'SELECT digest FROM matching_rules WHERE digest NOT IN (SELECT rules_digest FROM reconciliation_runs)',
  },
  { table: 'audit_head', keys: 'SELECT id FROM audit_head WHERE id <> 1' },
];

/** Kept by an import that goes on, a profile counts for nothing yet. */
function usedProfile(alias: string): string {
  return `EXISTS (SELECT 1 FROM imported_statements s WHERE s.profile_id = ${alias}.id AND s.imported_at IS NOT NULL)`;
}

/** Likewise rules of a run that is not whole. */
function usedRules(alias: string): string {
  return `EXISTS (SELECT 1 FROM reconciliation_runs u WHERE u.rules_digest = ${alias}.digest AND u.finished_at IS NOT NULL)`;
}
