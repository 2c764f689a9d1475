import type { ErrorKind } from '../../domain/error.ts';
import { TallyhookError } from '../../domain/error.ts';
import { optionText } from '../../domain/records/advised-word.ts';
import type { ImportRefusal } from '../../domain/statements/statement-import.ts';
import type { ImportOrder } from '../../store/statements.ts';

/** A file that is not imported, because of what was imported before. */
export class ImportRefusedError extends TallyhookError {
  override readonly name = 'ImportRefusedError';
  readonly outcome: Exclude<ImportRefusal['outcome'], 'known'>;

  constructor(outcome: ImportRefusedError['outcome'], message: string, kind: ErrorKind, hint: string) {
    super(message, { kind, hint });
    this.outcome = outcome;
  }
}

/** Returns the error of a refusal. A known file is none: its import is done already. */
export function refusedImport(
  refusal: Exclude<ImportRefusal, { outcome: 'known' }>,
  { account, profile, file }: ImportOrder,
): ImportRefusedError {
  const { outcome } = refusal;
  const name = JSON.stringify(account.name);
  switch (outcome) {
    case 'account_differs': {
      const { kind, environment } = refusal.known;
      return new ImportRefusedError(
        outcome,
        `${file.name} was not imported: its profile says that the account ${name} is a ${account.kind} account of ${account.environment}, and the statements of ${name} are those of a ${kind} account of ${environment}.`,
        'configuration',
        `Give the account of this profile another name, or mend its kind and environment. Statements of ${name}: tallyhook statements list ${optionText('account', account.name)}`,
      );
    }
    case 'profile_changed':
      return new ImportRefusedError(
        outcome,
        `${file.name} was not imported: another content of the profile ${JSON.stringify(profile.name)} has read statements since ${new Date(refusal.firstUsedAtMs).toISOString()} (sha256 ${refusal.digest.slice(0, 12)}…, now ${profile.digest.slice(0, 12)}…).`,
        'configuration',
        'The same name must read every file alike. Give the changed profile another name, such as one with a number; or remove the statements that it has read: tallyhook statements list',
      );
    case 'busy':
      return new ImportRefusedError(
        outcome,
        `${file.name} was not imported: another process has been importing into the account ${name} since ${new Date(refusal.sinceMs).toISOString()}.`,
        'unavailable',
        `Wait for its end and run it again. If that process hangs, the account is free ${new Date(refusal.leasedUntilMs).toISOString()} at the latest, once it has been ended.`,
      );
  }
}
