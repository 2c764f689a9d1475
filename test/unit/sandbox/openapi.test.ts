import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { openapi } from '../../support/openapi.ts';

it('docs/openapi.yaml is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(
    readFileSync(new URL('../../../docs/openapi.yaml', import.meta.url), 'utf8'),
  );
  expect([validator.version, valid, errors]).toEqual(['3.1', true, undefined]);
});

it('no comma of its prose has become a field: { description: one, two } has an empty field `two`', () => {
  const empty: string[] = [];
  const walk = (node: unknown, path: string) => {
    if (node === null) empty.push(path);
    if (typeof node !== 'object' || node === null) return;
    for (const [name, part] of Object.entries(node)) walk(part, `${path}/${name}`);
  };
  walk(openapi, '');
  expect(empty).toEqual([]);
});

it('every $ref exists, and every operation has a name or is shared by several paths', () => {
  const lost: string[] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, part] of Object.entries(node)) {
      if (name === '$ref' && typeof part === 'string' && at(part) === undefined) lost.push(part);
      walk(part);
    }
  };
  const at = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], openapi);
  walk(openapi);
  expect(lost).toEqual([]);
  const unnamed = Object.entries(openapi.paths).flatMap(([path, { get, post }]) =>
    [get, post].filter((operation) => operation && !('operationId' in operation)).map(() => path),
  );
  expect(unnamed).toEqual([]);
});
