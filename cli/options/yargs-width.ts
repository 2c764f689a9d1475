import { registerHooks } from 'node:module';
import { sourceFile } from '../../src/package-root.ts';

/** yargs, and the packages with which it lays out help. */
const YARGS = /\/node_modules\/(yargs|cliui|wrap-ansi)\//;

/**
 * Gives yargs `show/width.ts` in place of the package string-width: reading that package takes a fifth of the time of a short
 * command (expressions for emoji, a segmenter), and help is plain text. To be called before yargs is imported. The hook ends
 * with the import, because it slows every later one.
 */
export async function giveYargsOurWidth(): Promise<void> {
  const url = sourceFile('../cli/show/width').href;
  const hook = registerHooks({
    resolve: (name, context, next) =>
      name === 'string-width' && YARGS.test(context.parentURL ?? '')
        ? { url, shortCircuit: true }
        : next(name, context),
  });
  await import('yargs');
  hook.deregister();
}
