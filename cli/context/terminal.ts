import { isCancel, password, text, updateSettings } from '@clack/prompts';
import { TallyhookError } from '../../src/domain/error.ts';

// Ctrl-D stops a prompt as Ctrl-C and Escape do. Without this it closes the input, and the prompt never ends.
updateSettings({ aliases: { '\u0004': 'cancel' } });

/** For a terminal that reports no size, such as a serial console: with 0 columns and rows no typed text would be shown. */
const USUAL_SIZE = { columns: 80, rows: 24 };

/**
 * Prompts on the terminal and returns what was typed; of hidden input only the number of characters is shown. Written to
 * stderr, because stdout holds the result only.
 *
 * @throws TallyhookError when the user stops the prompt; `stopped` says what was not done
 */
export async function prompt(message: string, options: { hidden: boolean; stopped: string }): Promise<string> {
  const { stderr } = process;
  if (stderr.columns === 0) Object.assign(stderr, USUAL_SIZE);
  const ask = options.hidden ? password : text;
  const input = await ask({ message, output: stderr });
  if (isCancel(input)) throw new TallyhookError(`Stopped; ${options.stopped}.`, { kind: 'failed' });
  return input ?? ''; // a password that is left empty is undefined, which its type does not say
}
