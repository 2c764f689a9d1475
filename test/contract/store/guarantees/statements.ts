import { expect } from 'vitest';
import type { StatementLine } from '../../../../src/domain/statements/statement.ts';
import { MOST_ROWS_CLEARED } from '../../../../src/store/statements.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import {
  begun,
  imported,
  lineOf,
  linesIn,
  linesOf,
  listed,
  orderOf,
  removed,
  totalsOf,
  unreadable,
} from '../importing.ts';
import type { Guarantee } from '../world.ts';

/** Lines are a multiset per account: what several statements show is kept once, and stays while one of them has it. */
export const STATEMENTS: readonly Guarantee[] = [
  {
    guarantee: 'a line that another statement of the account has is known; equal lines of one file are several',
    async prove(world) {
      expect(await imported(world.here, 'aab')).toMatchObject({ new: 3, known: 0 });
      expect(await imported(world.there, 'aabc')).toMatchObject({ new: 1, known: 3 });
      expect(await imported(world.here, 'aaa')).toMatchObject({ new: 1, known: 2 });
      const bank = { account: { name: 'bank', kind: 'bank', environment: 'test' } } as const;
      expect(await imported(world.here, 'ab', bank)).toMatchObject({ new: 2, known: 0 });
    },
  },
  {
    guarantee: 'a statement has its own lines, rows and running balances, also where another one had the line first',
    async prove(world) {
      await imported(world.here, 'abc');
      const { statement } = await imported(world.there, 'xbya');
      expect(await linesIn(world.here, statement, 1)).toEqual(linesOf('xbya'));
      expect(await linesIn(world.here, statement)).toEqual(linesOf('xbya'));
    },
  },
  {
    guarantee: 'a removed statement hands over the lines that another one has, and its others are gone',
    async prove(world) {
      const first = await imported(world.here, 'aab');
      const second = await imported(world.here, 'abc');
      const third = await imported(world.here, 'cba');
      expect(await removed(world.there, first.statement)).toEqual({ lines: 1, left: 2, matches: 0 });
      expect(await linesIn(world.here, second.statement)).toEqual(linesOf('abc'));
      expect(await removed(world.there, second.statement)).toEqual({ lines: 0, left: 3, matches: 0 });
      expect(await linesIn(world.here, third.statement)).toEqual(linesOf('cba'));
      expect(await imported(world.here, 'aab')).toMatchObject({ new: 1, known: 2 });
      expect(await removed(world.there, third.statement)).toEqual({ lines: 1, left: 2, matches: 0 });
    },
  },
  {
    guarantee: 'a removal shows at its first step, and leaves other statements whole at every step',
    async prove(world) {
      const { statements } = await world.here.operations();
      const size = 2 * MOST_ROWS_CLEARED + 10;
      const many = (from: number) => Array.from({ length: size }, (_, index) => lineOf('a', index + 2, from + index));
      const numbers: number[] = [];
      for (const from of [1, size / 2]) {
        const statement = await begun(world.here, orderOf(`many ${from}`));
        for (let at = 0; at < size; at += MOST_ROWS_CLEARED) {
          const lines = many(from).slice(at, at + MOST_ROWS_CLEARED);
          await statements.keep({ statement, lines, unparsed: at === 0 ? [unreadable(1)] : [] });
        }
        await statements.finish({ statement, totals: totalsOf(size, { unparsed: 1 }) });
        numbers.push(statement);
      }
      const [first = 0, second = 0] = numbers;
      const archive = await world.there.archive();
      for (let steps = 1; ; steps++) {
        const piece = await statements.remove({ statement: first });
        expect(await listed(world.there)).toEqual([second]);
        expect(await linesIn(world.there, first)).toEqual([]);
        expect(await archive.unparsedRows(first)).toEqual([]);
        expect(await linesIn(world.there, second)).toEqual(many(size / 2));
        if (!piece?.done) continue;
        expect(steps).toBeGreaterThan(2);
        break;
      }
      expect(await archive.unparsedRows(second)).toHaveLength(1);
    },
  },
  {
    guarantee: 'a removed statement stays in the list of the removed ones, and is not removed twice',
    async prove(world) {
      const { statement } = await imported(world.here, 'ab');
      world.clock.ms += 5;
      await removed(world.there, statement);
      expect(await removed(world.here, statement)).toBeNull();
      expect(await removed(world.here, statement + 1)).toBeNull();
      const archive = await world.here.archive();
      expect(await listed(world.here)).toEqual([]);
      expect(await listed(world.here, { removed: true })).toEqual([statement]);
      const entry = { importedAtMs: START_MS, removedAtMs: START_MS + 5, lines: 2, new: 2 };
      expect(await archive.statement(statement)).toMatchObject(entry);
      expect(await archive.countStatements({ removed: true })).toBe(1);
    },
  },
  {
    guarantee: 'a removal that broke off is cleared away by the next import, to which its lines are new',
    async prove(world) {
      const { statements } = await world.here.operations();
      const size = MOST_ROWS_CLEARED + 1;
      const lines = Array.from({ length: size }, (_, index) => lineOf('a', index + 2, index + 1));
      const first = await begun(world.here, orderOf('many'));
      await statements.keep({ statement: first, lines, unparsed: [] });
      await statements.finish({ statement: first, totals: totalsOf(size) });
      expect(await statements.remove({ statement: first })).toMatchObject({ done: false });
      const second = await begun(world.there, orderOf('many'));
      expect(await statements.keep({ statement: second, lines, unparsed: [] })).toEqual({ new: size, known: 0 });
      await statements.finish({ statement: second, totals: totalsOf(size) });
      expect(await linesIn(world.there, second)).toEqual(lines);
    },
  },
  {
    guarantee: 'a statement that is removed while another is imported leaves that one whole',
    async prove(world) {
      const { statements } = await world.here.operations();
      const first = await imported(world.there, 'abc');
      const second = await begun(world.here, orderOf('bcd'));
      const [b, ...others] = linesOf('bcd');
      if (b === undefined) throw new Error('no line');
      expect(await statements.keep({ statement: second, lines: [b], unparsed: [] })).toEqual({ new: 0, known: 1 });
      expect(await removed(world.there, first.statement)).toEqual({ lines: 2, left: 1, matches: 0 });
      expect(await statements.keep({ statement: second, lines: others, unparsed: [] })).toEqual({ new: 2, known: 0 });
      await statements.finish({ statement: second, totals: totalsOf(3) });
      expect(await linesIn(world.there, second)).toEqual(linesOf('bcd'));
    },
  },
  {
    guarantee: 'what is left of a statement whose removal is under way is new to an import that goes on beside it',
    async prove(world) {
      const { statements } = await world.here.operations();
      const size = MOST_ROWS_CLEARED + 1;
      const lines = Array.from({ length: size }, (_, index) => lineOf('a', index + 2, index + 1));
      const first = await begun(world.there, orderOf('many'));
      await statements.keep({ statement: first, lines, unparsed: [] });
      await statements.finish({ statement: first, totals: totalsOf(size) });
      const second = await begun(world.here, orderOf('again'));
      expect(await statements.remove({ statement: first })).toMatchObject({ done: false });
      expect(await statements.keep({ statement: second, lines, unparsed: [] })).toEqual({ new: size, known: 0 });
      await removed(world.there, first);
      await statements.finish({ statement: second, totals: totalsOf(size) });
      expect(await linesIn(world.there, second)).toEqual(lines);
    },
  },
  {
    guarantee: 'amounts beyond 2^53 stay exact, and what a file does not say stays unsaid',
    async prove(world) {
      const { statements } = await world.here.operations();
      const amount = -9_000_000_000_000_000_000n;
      const line = {
        ...lineOf('a', 2),
        amount,
        principal: -amount,
        fee: 9_007_199_254_740_993n,
        balance: amount,
        type: null,
      };
      const statement = await begun(world.here, orderOf('a'));
      await statements.keep({ statement, lines: [line, lineOf('b', 3)], unparsed: [] });
      const balances = [{ currency: 'NGN', opening: null, closing: amount, sum: -amount }];
      const controls = [
        {
          control: 'running',
          currency: 'NGN',
          stated: amount,
          computed: -amount,
          cell: { row: 3, column: 'Balance' },
          row: 3,
        },
        { control: 'rows', currency: null, stated: 3n, computed: 2n, cell: { row: 9, column: '2' }, row: null },
      ] as const;
      const covers = { from: '2026-11-01', to: '2026-11-30' };
      const totals = totalsOf(2, { balances, controls, covers });
      await statements.finish({ statement, totals });
      expect(await linesIn(world.there, statement)).toEqual([line, lineOf('b', 3)]);
      const archive = await world.there.archive();
      const { account, file, profile } = orderOf('a');
      expect(await archive.statement(statement)).toEqual({
        ...totals,
        statement,
        account,
        file,
        profile: { name: profile.name, digest: profile.digest },
        importedAtMs: START_MS,
        removedAtMs: null,
        new: 2,
      });
    },
  },
  {
    guarantee: 'the list is filtered by account and environment, and paged from either end',
    async prove(world) {
      const live = { account: { name: 'bank', kind: 'bank', environment: 'live' } } as const;
      const numbers: number[] = [];
      for (const [file, over] of [
        ['ab', {}],
        ['cd', live],
        ['ef', {}],
        ['gh', live],
      ] as const) {
        numbers.push((await imported(world.here, file, over)).statement);
      }
      const [one, two, three, four] = numbers;
      expect(await listed(world.there)).toEqual([one, two, three, four]);
      expect(await listed(world.there, { account: 'bank' })).toEqual([two, four]);
      expect(await listed(world.there, { environment: 'test' })).toEqual([one, three]);
      const archive = await world.there.archive();
      const page = await archive.statements({}, { limit: 2, order: 'newest', afterId: four ?? 0 });
      expect(page.map(({ statement }) => statement)).toEqual([three, two]);
      expect(await archive.countStatements({ account: 'bank' })).toBe(2);
      expect(await archive.countStatements({})).toBe(4);
    },
  },
  {
    guarantee:
      'lines that name one of many references are found by reference, session and transaction, each once, until they are removed',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('named'));
      const [a, b, c, d] = linesOf('abcd') as [StatementLine, StatementLine, StatementLine, StatementLine];
      const lines = [a, { ...b, sessionId: 'S-1' }, { ...c, transactionReference: 'T-1', sessionId: 'a' }, d];
      await statements.keep({ statement, lines, unparsed: [] });
      const archive = await world.there.archive();
      const found = async (references: readonly string[], limit = 10) =>
        (await archive.linesNamingAny(references, limit)).map(({ line }) => line.reference);
      expect(await found(['a', 'S-1'])).toEqual([]); // not whole yet
      await statements.finish({ statement, totals: totalsOf(4) });
      expect(await found(['a'])).toEqual(['a', 'c']);
      expect(await found(['S-1', 'T-1', 'b', 'none', '"]'])).toEqual(['b', 'c']);
      expect(await found(['a', 'b', 'c', 'd'], 3)).toEqual(['a', 'b', 'c']);
      expect(await found([])).toEqual([]);
      await removed(world.here, statement);
      expect(await found(['a', 'b'])).toEqual([]);
    },
  },
];
