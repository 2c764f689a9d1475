import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { httpServer } from '../../../src/serve/http-server.ts';

test('a server has no compilers for schemas, and refuses a route that needs one', async () => {
  const { receiver } = loadConfig({ env: {}, cwd: import.meta.dirname });
  const { app } = httpServer(receiver);
  app.get('/', { schema: { querystring: { type: 'object' } } }, async () => '');
  await expect(async () => app.ready()).rejects.toThrow('built without compilers for schemas');
  await app.close();
});
