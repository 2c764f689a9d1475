import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../../src/config/json-schema.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { packageFile } from '../../../src/package-root.ts';

test('the published JSON Schema equals the schema of the loader (update it with: npx vitest run schema -u)', async () => {
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

test.each(['service', 'confirm', 'backfill', 'schedule'] as const)(
  'the %s section of the template is there, commented, with the real defaults',
  (section) => {
    const text = readFileSync(packageFile('templates/config/tallyhook.yaml'), 'utf8');
    const lines = new RegExp(`^# ${section}:\n((?:# {3}.*\n)+)`, 'm').exec(text)?.[1] ?? '';
    const shown = parse(lines.replace(/^# {3}/gm, '')) as Record<string, unknown>;
    const defaults = configSchema.parse({ timeZone: 'Africa/Lagos' })[section] as Record<string, unknown>;
    for (const [name, value] of Object.entries(shown)) {
      if (EXAMPLES.has(name)) continue;
      expect([name, value]).toEqual([name, defaults[name]]);
    }
    expect(Object.keys(shown).filter((name) => name in defaults)).toEqual(Object.keys(shown));
    expect(Object.keys(shown).length).toBeGreaterThanOrEqual(3);
  },
);
/** Without a default that could be shown. */
const EXAMPLES: ReadonlySet<string> = new Set(['encryption', 'timeZone', 'backup', 'backupFolder']);
