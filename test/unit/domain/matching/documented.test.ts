import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judgeGroup } from '../../../../src/domain/matching/judge.ts';
import type { OurRow, TheirLine } from '../../../../src/domain/matching/rows.ts';
import type { Verdict } from '../../../../src/domain/matching/terms.ts';
import { amountOfMinor, formatAmount, isAmount } from '../../../../src/domain/money/amount.ts';
import { isBreakCode } from '../../../../src/domain/reconciling/break.ts';
import type { OurKind } from '../../../../src/domain/reconciling/rules.ts';
import type { LineType } from '../../../../src/domain/statements/lines.ts';
import { packageFile } from '../../../../src/package-root.ts';
import { octoberTerms, ourRow, theirLine } from '../../../support/matching/groups.ts';

/* The examples of docs/matching.md are what the judge says. */

const PAGE = readFileSync(packageFile('docs/matching.md'), 'utf8');
const [, table = ''] = PAGE.split(
  '| Verdict | By us | By them | ours | theirs | Effect |\n|---|---|---|---|---|---|\n',
);
const EXAMPLES = (table.split('\n\n')[0] ?? '').split('\n').map((row) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
) as [name: string, us: string, them: string, ours: string, theirs: string, effect: string][];

/** `collection success 100.00 fees 2.00 on 2026-11-02` */
function rowIn(text: string): OurRow {
  const [kind, status = '', amount = '', ...parts] = text.split(' ');
  const named = partsIn(parts);
  const { on: day = '2026-10-10', of = null, fees, duty, reserved } = named;
  return ourRow(kind as OurKind, status, {
    ...{ amount, day, transactionReference: of },
    ...(fees !== undefined && { fees }),
    ...(duty !== undefined && { duty }),
    ...(reserved !== undefined && { reserved }),
  });
}

/** `collection 98.00 fee 2.00; fee -1.00 on 2026-11-02` */
function linesIn(text: string): TheirLine[] {
  if (text === '') return [];
  return text.split('; ').map((line, index) => {
    const [type, amount = '', ...parts] = line.split(' ');
    const { on: date = '2026-10-10', of = null, ...charges } = partsIn(parts);
    return theirLine(type as LineType, amount, { ...charges, date, row: index + 2, transactionReference: of });
  });
}

function partsIn(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [])));
}

function saidBy({ code, ours, theirs, effect }: Verdict): string[] {
  const shown = (value: Verdict['ours']) => (isAmount(value) ? formatAmount(value) : (value ?? ''));
  return [code, shown(ours), shown(theirs), formatAmount(amountOfMinor(effect))];
}

test.each(EXAMPLES)('%s: %s | %s', (name, us, them, ...values) => {
  const { verdicts } = judgeGroup(rowIn(us), linesIn(them), octoberTerms());
  const [, code] = /^`(\w+)`/.exec(name) ?? [];
  expect(verdicts.map(saidBy)).toEqual(code === undefined ? [] : [[code, ...values]]);
});

test('each verdict of a group of a row and its lines has an example', () => {
  const source = ['compare', 'copies', 'rival-lines', 'case', 'judge', 'payment', 'refund']
    .map((name) => readFileSync(packageFile(`src/domain/matching/${name}.ts`), 'utf8'))
    .join('');
  const codes = [...source.matchAll(/'(\w+)'/g)].map(([, word = '']) => word).filter(isBreakCode);
  const shown = new Set(EXAMPLES.map(([name]) => /^`(\w+)`/.exec(name)?.[1]));
  // The tax needs a schedule: its examples are those of compareFees. The others are of groups of another kind.
  const unshown = ['tax_mismatch', 'currency_mismatch', 'duplicate_internal'];
  expect([...new Set(codes)].filter((code) => !shown.has(code)).sort()).toEqual(unshown.sort());
});

/** `name`, `name` in `path` */
const [, JUDGEMENTS = ''] = readFileSync(packageFile('CONTRIBUTING.md'), 'utf8').split('\n## Find a judgement\n');
const [SIGNPOSTS = ''] = JUDGEMENTS.split('\n## ');
const PLACES = [...SIGNPOSTS.matchAll(/((?:`\w+`, )*`\w+`) in `([^`]+)`/g)].flatMap(([, names = '', path = '']) =>
  [...names.matchAll(/\w+/g)].map(([name]) => ({ name, path })),
);

test('each function to which CONTRIBUTING points for a judgement is in its file', () => {
  const missing = PLACES.filter(({ name, path }) => !readFileSync(packageFile(path), 'utf8').includes(`${name}(`));
  expect([PLACES.length > 8, missing]).toEqual([true, []]);
});
