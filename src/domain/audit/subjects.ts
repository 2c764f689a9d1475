/**
 * Tables whose rows are covered as one subject: the first one names it, rows of the others belong to a row of it. Tables that are
 * not here have subjects of one row each.
 */
export const SUBJECT_TABLES: readonly (readonly string[])[] = [
  [
    'imported_statements',
    'imported_lines',
    'imported_overlaps',
    'imported_unparsed',
    'statement_balances',
    'statement_controls',
    'accounts',
  ],
  ['periods', 'period_closings', 'period_balances', 'journal_entries', 'journal_lines'],
  ['users', 'user_tokens', 'credentials'],
  ['approvals', 'approval_rows'],
  ['exceptions', 'exception_comments', 'exception_resolutions', 'exception_log'],
];
