import type { IntakeEntry } from '../domain/statements/statement-intake.ts';
import { byteCount } from '../domain/text/quantity-text.ts';
import { accountText, balanceTexts } from '../reconcile/import/words.ts';
import type { StatementSummary } from '../store/statements.ts';
import { count, digest, type ListColumn, long, status, text, time } from './column.ts';

// Statements that were imported, and what became of the files in the statements folder.

/** `removed`: with the time of removal. */
export function statementColumns(removed: boolean): ListColumn<StatementSummary>[] {
  return [
    count('Id', ({ statement }) => statement),
    text('Account', ({ account }) => account.name),
    text('Kind', ({ account }) => account.kind, { leaveOut: 3 }),
    text('Env', ({ account }) => account.environment, { leaveOut: 2 }),
    text('File', ({ file }) => file.name),
    text('Covers', ({ covers }) => covers && `${covers.from} to ${covers.to}`),
    count('Lines', ({ lines }) => lines),
    count('New', (one) => one.new, { leaveOut: 4 }),
    count('Unread', ({ unparsed }) => unparsed, { mark: ({ unparsed }) => (unparsed > 0 ? 'bad' : undefined) }),
    status('Adds up', ({ controls }) => (controls.length === 0 ? 'yes' : 'no'), {
      mark: ({ controls }) => (controls.length === 0 ? 'good' : 'bad'),
    }),
    time('Imported', ({ importedAtMs }) => importedAtMs, { leaveOut: 5 }),
    ...(removed ? [time<StatementSummary>('Removed', ({ removedAtMs }) => removedAtMs)] : []),
  ];
}

/** One statement, without its lines and what could not be read. */
export function statementFacts(one: StatementSummary): ListColumn<StatementSummary>[] {
  return [
    count('Statement', ({ statement }) => statement),
    text('Account', ({ account }) => accountText(account)),
    text('File', ({ file }) => `${file.name} (${byteCount(file.bytes)})`),
    digest('Sha256', ({ file }) => file.sha256),
    text('Profile', ({ profile }) => profile.name),
    time('Imported', ({ importedAtMs }) => importedAtMs),
    time('Removed', ({ removedAtMs }) => removedAtMs),
    text('Covers', ({ covers }) => covers && `${covers.from} to ${covers.to}`),
    text('Lines', ({ lines, new: added }) => `${lines}, of which ${added} new`),
    count('Not readable', ({ unparsed }) => unparsed),
    ...balanceTexts(one).map((balance) => long<StatementSummary>('Balance', () => balance)),
  ];
}

export function intakeColumns(): ListColumn<IntakeEntry>[] {
  return [
    text('File', ({ path }) => path),
    status('Outcome', ({ outcome }) => outcome, { mark: ({ outcome }) => (outcome === 'refused' ? 'bad' : 'quiet') }),
    count('Statement', ({ statement }) => statement, { leaveOut: 1 }),
    time('Since', ({ sinceMs }) => sinceMs, { leaveOut: 2 }),
    long('Because', ({ reason }) => reason),
  ];
}
