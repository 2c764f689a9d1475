import { PASSES, PASSES_OF, SUGGESTING_PASSES } from '../../domain/reconciling/rules.ts';
import { LIFECYCLES, RECORD_KINDS } from '../../domain/records/lifecycle.ts';
import { type BrokenRule, settingAt } from '../settings-file/schema-problems.ts';
import { scheduleRules } from './schedule-rules.ts';

/**
 * Returns the settings that contradict each other. Looks at rules before the schema has checked them, so that all problems are
 * reported at once: what has a wrong type is the schema's to report.
 */
export function brokenRules(rules: object): BrokenRule[] {
  const legs = listAt(rules, 'legs');
  return [
    ...namedTwice(legs),
    ...typesOfTwo(legs),
    ...legs.flatMap(legRules),
    ...scheduleRules(listAt(rules, 'schedule')),
  ];
}

function namedTwice(legs: readonly unknown[]): BrokenRule[] {
  const names = legs.map((leg) => settingAt(leg, ['name']));
  return names.flatMap((name, index) =>
    typeof name === 'string' && names.indexOf(name) < index
      ? [{ path: ['legs', index, 'name'], rule: `is the name of legs[${names.indexOf(name)}] already` }]
      : [],
  );
}

/** Every row is taken once: a line that stood in two legs would be missing in one of them. */
function typesOfTwo(legs: readonly unknown[]): BrokenRule[] {
  const taken = new Map<string, number>();
  return legs.flatMap((leg, index) => {
    const statement = settingAt(leg, ['theirs', 'statement']);
    if (typeof statement !== 'string') return [];
    return listAt(leg, 'theirs', 'types').flatMap((type, place): BrokenRule[] => {
      const key = `${type} of ${statement} statements`;
      const first = taken.get(key);
      if (first === undefined) taken.set(key, index);
      const where = first === index ? 'here' : `in legs[${first}]`;
      return first === undefined
        ? []
        : [{ path: ['legs', index, 'theirs', 'types', place], rule: `stands ${where} already: a line is in one leg` }];
    });
  });
}

function legRules(leg: unknown, index: number): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const add = (path: readonly PropertyKey[], rule: string) => broken.push({ path: ['legs', index, ...path], rule });
  const side = (['records', 'batches', 'topUps'] as const).find((one) => settingAt(leg, ['ours', one]) !== undefined);
  const ours = side === undefined ? undefined : settingAt(leg, ['ours', side]);
  const records = side === 'records' ? listAt(leg, 'ours', 'records') : [];
  for (const [place, kind] of listAt(leg, 'ours', 'optional').entries()) {
    if (!records.includes(kind)) add(['ours', 'optional', place], 'must be one of the records of this leg');
  }
  if (side !== 'records' && typeof settingAt(leg, ['invoiced']) === 'string') {
    add(['invoiced'], 'must be left out: only records have fees');
  }
  const statement = settingAt(leg, ['theirs', 'statement']);
  if (statement !== undefined && statement === ours) {
    add(['theirs', 'statement'], 'must not be the statement of our side');
  }
  const passes = listAt(leg, 'passes');
  for (const [place, pass] of passes.entries()) {
    const known = PASSES.find((one) => one === pass);
    if (known === undefined) continue;
    const path = ['passes', place];
    const fitting: readonly string[] = side === undefined ? PASSES : PASSES_OF[side];
    if (!fitting.includes(known)) add(path, `can find nothing for ${side}: theirs are ${fitting.join(', ')}`);
    else if (passes.indexOf(pass) < place) add(path, 'stands here already');
    else if (!SUGGESTING_PASSES.has(known) && passes.slice(0, place).some(isSuggesting)) {
      add(path, 'must stand before the passes that only suggest');
    }
  }
  const kinds = RECORD_KINDS.filter((kind) => side === 'records' && listAt(leg, 'ours', 'records').includes(kind));
  const statuses: readonly string[] = [...new Set(kinds.flatMap((kind) => LIFECYCLES[kind].ranks.flat()))];
  for (const status of Object.keys(Object(settingAt(leg, ['due', 'statuses'])))) {
    if (statuses.includes(status)) continue;
    const none = 'must be left out: only records have a status';
    const rule = statuses.length === 0 ? none : `must be one of ${statuses.join(', ')}`;
    add(['due', 'statuses', status], rule);
  }
  return broken;
}

function isSuggesting(pass: unknown): boolean {
  return PASSES.some((one) => one === pass && SUGGESTING_PASSES.has(one));
}

function listAt(tree: unknown, ...path: string[]): readonly unknown[] {
  const value = settingAt(tree, path);
  return Array.isArray(value) ? value : [];
}
