import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { packageFile } from '../../../src/package-root.ts';

test('the published JSON Schema is the one the loader checks with (update it with: npx vitest run -u schema)', async () => {
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(packageFile('templates/config/tallyhook.schema.json'));
});

test('every setting but the lists of keys is described for editors, with its default', () => {
  const undescribed: string[] = [];
  const visit = (node: object, path: string) => {
    const {
      properties = {},
      items,
      description,
    } = node as { properties?: object; items?: object; description?: string };
    if (Object.keys(properties).length === 0 && description === undefined) undescribed.push(path);
    for (const [name, child] of Object.entries(properties)) visit(child, `${path}.${name}`);
    if (items !== undefined && 'properties' in items) visit(items, `${path}[]`);
  };
  visit(configJsonSchema(), '');
  expect(undescribed).toEqual([]);
});

test('the template is valid as it stands, and its commented defaults are the real ones', () => {
  const text = readFileSync(packageFile('templates/config/tallyhook.yaml'), 'utf8');
  const defaults = configSchema.parse({});
  expect(configSchema.parse(parse(text))).toEqual(defaults);
  const commented = [...text.matchAll(/^ {2}# (\w+(?:Ms|Bytes|Limit|Connections)|strict): (\S+)/gm)];
  expect(commented.length).toBeGreaterThanOrEqual(8);
  for (const [, name = '', value] of commented) {
    expect(`${name}: ${defaults.receiver[name as keyof typeof defaults.receiver]}`).toBe(`${name}: ${value}`);
  }
});
