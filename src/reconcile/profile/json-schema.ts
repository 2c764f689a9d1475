import { z } from 'zod';
import type { JsonSchema } from '../../config/json-schema.ts';
import { profileSchema } from './schema.ts';

/** Returns the JSON Schema of profiles for editors. A test keeps `templates/profiles/profile.schema.json` equal to it. */
export function profileJsonSchema(): JsonSchema {
  return z.toJSONSchema(profileSchema, { io: 'input' }) as JsonSchema;
}

/** Returns the names allowed at a path such as ['file'], for "did you mean". */
export function profileSettingsAt(path: readonly PropertyKey[]): string[] {
  let node: JsonSchema | undefined = profileJsonSchema();
  for (const step of path) node = typeof step === 'number' ? node?.items : node?.properties?.[String(step)];
  return Object.keys(node?.properties ?? {});
}
