import { RequestRefusedError } from '../../src/service/errors/usage-errors.ts';
import { UsageError } from './options.ts';

/** Options whose name differs from the field that they fill. */
const OPTION_OF: Readonly<Record<string, string>> = {
  accountNumber: '--account',
  merchantNote: '--note',
  paymentOptions: '--payment-option',
  transactionReference: 'TRANSACTION',
};

/**
 * Returns what `check` returns: the client's own check of a request, made before a plan is shown or a reference is announced.
 * `names` gives the words of fields that are arguments of this command.
 *
 * @throws UsageError that names the option, where the client names the field of its request
 */
export function checkedOptions<Checked>(
  check: () => Checked,
  names: Readonly<Record<string, string>> = OPTION_OF,
): Checked {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    const { field, message } = error;
    const option = names[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const hint = field === 'reference' ? 'Without --reference one is made.' : undefined;
    throw new UsageError(message.startsWith(field) ? option + message.slice(field.length) : message, hint);
  }
}
