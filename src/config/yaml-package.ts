import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns the package yaml, loaded with the first file of settings: variables alone need none, and it takes a tenth of a short command. */
export const yamlPackage = (): typeof import('yaml') => require('yaml');
