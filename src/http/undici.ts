import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The HTTP client, loaded by the first request: its 109 modules take 80 ms of processor time, and most commands send none. Not by
 * `import()`, because connections are made where nothing waits.
 */
export const undici = (): typeof import('undici') => require('undici');
