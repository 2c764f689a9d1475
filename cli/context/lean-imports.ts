import { registerHooks } from 'node:module';
import { sourceFile } from '../../src/package-root.ts';

// Packages without the parts that a command does not need: each to be called before anything else imports the package.

/** yargs, and the packages with which it lays out help. */
const YARGS = /\/node_modules\/(yargs|cliui|wrap-ansi)\//;

/**
 * Imports yargs with `show/width.ts` in place of the package string-width: reading that package takes a fifth of the time of a short
 * command (expressions for emoji, a segmenter), and help is plain text.
 */
export async function importYargs(): Promise<void> {
  const { href } = sourceFile('../cli/show/width');
  const instead: Instead = (name, importer) => (name === 'string-width' && YARGS.test(importer) ? href : name);
  await leanly(() => import('yargs'), instead);
}

/** Imports zod with its messages in English alone: those in other languages are two thirds of its files. */
export async function importZod(): Promise<void> {
  await leanly(
    () => import('zod'),
    (name) => (name === '../locales/index.js' ? '../locales/en.js' : name),
  );
}

/** The module to import in place of `name`, which the file `importer` imports. */
type Instead = (name: string, importer: string) => string;

/** The hook ends with the import, because it slows every later one. */
async function leanly(load: () => Promise<unknown>, instead: Instead): Promise<void> {
  const hook = registerHooks({
    resolve: (name, context, next) => next(instead(name, context.parentURL ?? ''), context),
  });
  await load();
  hook.deregister();
}
