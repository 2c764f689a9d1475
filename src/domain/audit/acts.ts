/** What an entry of the audit chain may be. */
export const ACTS = [
  'statement.import',
  'statement.remove',
  // What is left of a large statement that was removed is deleted piece by piece; this is the last one.
  'statement.clear',
  'profile.use',
  'rules.use',
  'match.confirm',
  'match.undo',
  'exception.assign',
  'exception.comment',
  'exception.resolve',
  'exception.reopen',
  'exception.approve',
  'sheet.import',
  'run.follow',
  'period.close',
  'period.approve',
  'period.lock',
  'period.reopen',
  'prune',
  'replay',
  'aside.retry',
  'aside.drop',
  'log.lose',
] as const;
export type ActName = (typeof ACTS)[number];
