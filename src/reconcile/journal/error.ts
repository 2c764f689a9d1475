import { TallyhookError } from '../../domain/error.ts';

/** Why a journal cannot be written: the sentence, and the next command. */
export class JournalError extends TallyhookError {
  override readonly name = 'JournalError';
  readonly reason: 'missing_account' | 'shared_account' | 'unbalanced' | 'grouping' | 'not_closed';

  constructor(reason: JournalError['reason'], message: string, hint: string) {
    super(message, { kind: reason.endsWith('_account') ? 'configuration' : 'failed', hint });
    this.reason = reason;
  }
}
