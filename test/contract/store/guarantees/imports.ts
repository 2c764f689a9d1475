import { expect } from 'vitest';
import { IMPORT_LEASE_MS } from '../../../../src/domain/statements/statement-import.ts';
import { MOST_ROWS_KEPT } from '../../../../src/store/statements.ts';
import { START_MS } from '../../../support/fixed-clock.ts';
import {
  abandoned,
  begin,
  begun,
  digestOf,
  imported,
  lettersOf,
  lineOf,
  linesOf,
  listed,
  orderOf,
  removed,
  totalsOf,
  unreadable,
} from '../importing.ts';
import type { Guarantee } from '../world.ts';

const live = { account: { name: 'wallet', kind: 'wallet', environment: 'live' } } as const;
const otherText = { profile: { name: 'standard', digest: digestOf('other'), text: 'name: standard\nzone: UTC\n' } };

/** A statement is imported whole or not at all, and one import at a time writes into an account. */
export const IMPORTS: readonly Guarantee[] = [
  {
    guarantee: 'a statement shows from its end on, whole, and nothing of it before',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('abc'));
      await statements.keep({ statement, lines: linesOf('abc').slice(0, 2), unparsed: [unreadable(5)] });
      const archive = await world.there.archive();
      const seen = async () => [
        await listed(world.there, { removed: true }),
        await archive.statement(statement),
        await lettersOf(world.there, statement),
        await archive.unparsedRows(statement),
        await archive.profileOf(statement),
        await archive.countStatements({}),
      ];
      expect(await seen()).toEqual([[], null, '', [], null, 0]);
      await statements.keep({ statement, lines: linesOf('abc').slice(2), unparsed: [] });
      expect(await seen()).toEqual([[], null, '', [], null, 0]);
      world.clock.ms += 5;
      await statements.finish({ statement, totals: totalsOf(3, { unparsed: 1 }) });
      expect(await archive.statement(statement)).toMatchObject({ importedAtMs: START_MS + 5, lines: 3, unparsed: 1 });
      expect(await lettersOf(world.there, statement)).toBe('abc');
      expect(await archive.unparsedRows(statement)).toEqual([unreadable(5)]);
      expect(await archive.profileOf(statement)).toEqual(orderOf('abc').profile);
    },
  },
  {
    guarantee: 'an import that is abandoned leaves nothing, and its file can be imported',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('ab'));
      await statements.keep({ statement, lines: linesOf('ab'), unparsed: [unreadable(9)] });
      await abandoned(world.here, statement);
      expect(await listed(world.here, { removed: true })).toEqual([]);
      await expect(statements.keep({ statement, lines: [], unparsed: [] })).rejects.toThrow(/not being imported/);
      expect(await imported(world.there, 'ab')).toMatchObject({ new: 2, known: 0 });
      await abandoned(world.here, statement); // once more: nothing of the other one is touched
      expect(await listed(world.here)).toHaveLength(1);
    },
  },
  {
    guarantee: 'a dead import is taken over when its lease is over, its rows are gone, and it cannot go on',
    async prove(world) {
      const { statements } = await world.here.operations();
      const dead = await begun(world.here, orderOf('abc'));
      const half = linesOf('x'.repeat(300)).map(({ row }) => lineOf('x', row, row));
      await statements.keep({ statement: dead, lines: half, unparsed: [unreadable(1)] });
      world.clock.ms += IMPORT_LEASE_MS;
      const taken = await begun(world.there, orderOf('abc'));
      expect(taken).not.toBe(dead);
      await expect(statements.keep({ statement: dead, lines: linesOf('c'), unparsed: [] })).rejects.toThrow(
        /took over/,
      );
      await expect(statements.finish({ statement: dead, totals: totalsOf(300) })).rejects.toThrow(/took over/);
      const there = (await world.there.operations()).statements;
      expect(await there.keep({ statement: taken, lines: linesOf('abc'), unparsed: [] })).toEqual({ new: 3, known: 0 });
      await there.finish({ statement: taken, totals: totalsOf(3) });
      expect(await listed(world.here)).toEqual([taken]);
      expect(await lettersOf(world.here, taken)).toBe('abc');
    },
  },
  {
    guarantee: 'imports into one account exclude each other, and each chunk renews the lease',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('ab'));
      const busy = (atMs: number) => ({ outcome: 'busy', sinceMs: START_MS, leasedUntilMs: atMs + IMPORT_LEASE_MS });
      expect(await begin(world.there, orderOf('cd'))).toEqual(busy(START_MS));
      world.clock.ms += IMPORT_LEASE_MS - 1;
      await statements.keep({ statement, lines: linesOf('ab'), unparsed: [] });
      expect(await begin(world.there, orderOf('cd'))).toEqual(busy(START_MS + IMPORT_LEASE_MS - 1));
      const other = { account: { name: 'bank', kind: 'bank', environment: 'test' } } as const;
      expect(await imported(world.there, 'ab', other)).toMatchObject({ new: 2 });
      await statements.finish({ statement, totals: totalsOf(2) });
      expect(await imported(world.there, 'cd')).toMatchObject({ new: 2 });
    },
  },
  {
    guarantee: 'of two processes that begin at the same time, one imports',
    async prove(world) {
      await Promise.all([world.here.operations(), world.there.operations()]);
      for (let round = 0; round < 5; round++) {
        const order = orderOf(`a${round}`);
        const answers = await Promise.all([begin(world.here, order), begin(world.there, order)]);
        expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['begun', 'busy']);
        for (const answer of answers) {
          if (answer.outcome === 'begun') await abandoned(world.here, answer.statement);
        }
      }
    },
  },
  {
    guarantee: 'a file that a statement of the account has is known, until that is removed',
    async prove(world) {
      const { statement } = await imported(world.here, 'ab');
      expect(await begin(world.there, orderOf('ab'))).toEqual({ outcome: 'known', statement });
      const other = { account: { name: 'bank', kind: 'bank', environment: 'test' } } as const;
      expect(await imported(world.there, 'ab', other)).toMatchObject({ new: 2 });
      await removed(world.here, statement);
      expect(await imported(world.there, 'ab')).toMatchObject({ new: 2, known: 0 });
    },
  },
  {
    guarantee: 'the name of a profile stands for one content while a statement that shows was read by it',
    async prove(world) {
      const { statement } = await imported(world.here, 'ab');
      world.clock.ms += 5;
      const changed = { outcome: 'profile_changed', digest: digestOf('standard'), firstUsedAtMs: START_MS };
      expect(await begin(world.there, orderOf('cd', otherText))).toEqual(changed);
      expect(await begin(world.there, orderOf('ab', otherText))).toEqual(changed); // also of a known file
      const bank = { account: { name: 'bank', kind: 'bank', environment: 'test' } } as const;
      expect(await begin(world.there, orderOf('cd', { ...bank, ...otherText }))).toEqual(changed);
      await removed(world.here, statement);
      expect(await imported(world.there, 'cd', otherText)).toMatchObject({ new: 2 });
      const archive = await world.here.archive();
      expect(await archive.profileOf(statement)).toEqual(orderOf('ab').profile);
    },
  },
  {
    guarantee: 'the name of an account stands for one kind and environment while it has a statement that shows',
    async prove(world) {
      const { statement } = await imported(world.here, 'ab');
      const known = orderOf('ab').account;
      expect(await begin(world.there, orderOf('cd', live))).toEqual({ outcome: 'account_differs', known });
      const bank = { account: { ...known, kind: 'bank' } } as const;
      expect(await begin(world.there, orderOf('cd', bank))).toEqual({ outcome: 'account_differs', known });
      await removed(world.here, statement);
      const second = await imported(world.there, 'cd', live);
      const archive = await world.here.archive();
      expect((await archive.statement(second.statement))?.account).toEqual(live.account);
      expect((await archive.statement(statement))?.account).toEqual(known); // as it was imported
    },
  },
  {
    guarantee: 'an import that never ended binds no name',
    async prove(world) {
      const dead = await begun(world.here, orderOf('ab', { ...live, ...otherText }));
      expect(await begin(world.there, orderOf('ab'))).toMatchObject({ outcome: 'account_differs' });
      world.clock.ms += IMPORT_LEASE_MS;
      const second = await begun(world.there, orderOf('ab'));
      await abandoned(world.there, second);
      expect(await imported(world.here, 'ab', live)).toMatchObject({ new: 2 });
      expect(await listed(world.here, { environment: 'live' })).toHaveLength(1);
      expect(dead).toBeLessThan(second);
    },
  },
  {
    guarantee: 'a statement does not end with other counts than were kept, nor twice',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('ab'));
      await statements.keep({ statement, lines: linesOf('ab'), unparsed: [] });
      await expect(statements.finish({ statement, totals: totalsOf(3) })).rejects.toThrow(/3 lines.* 2 lines/);
      await expect(statements.finish({ statement, totals: totalsOf(2, { unparsed: 1 }) })).rejects.toThrow(/kept/);
      expect(await listed(world.there)).toEqual([]);
      await statements.finish({ statement, totals: totalsOf(2) });
      await expect(statements.finish({ statement, totals: totalsOf(2) })).rejects.toThrow(/not being imported/);
      await abandoned(world.here, statement);
      expect(await listed(world.there)).toEqual([statement]);
    },
  },
  {
    guarantee: 'a chunk is kept whole or not at all, and has at most its rows',
    async prove(world) {
      const { statements } = await world.here.operations();
      const statement = await begun(world.here, orderOf('ab'));
      await statements.keep({ statement, lines: linesOf('ab'), unparsed: [] });
      const repeated = [lineOf('c', 9), lineOf('b', 10)];
      await expect(statements.keep({ statement, lines: repeated, unparsed: [] })).rejects.toThrow(/kept before/);
      const many = Array.from({ length: MOST_ROWS_KEPT }, (_, index) => lineOf('d', index + 20, index + 1));
      await expect(statements.keep({ statement, lines: many, unparsed: [unreadable(1)] })).rejects.toThrow(/more than/);
      expect(await statements.keep({ statement, lines: [lineOf('c', 9)], unparsed: [] })).toEqual({ new: 1, known: 0 });
      await statements.finish({ statement, totals: totalsOf(3) });
      expect(await lettersOf(world.there, statement)).toBe('abc');
    },
  },
  {
    guarantee: 'a preview says what an import would say, and writes nothing',
    async prove(world) {
      const { statements } = await world.here.operations();
      const { account } = orderOf('ab');
      expect(await statements.previewBegin(orderOf('ab'))).toEqual({ outcome: 'new' });
      expect(await statements.previewKeep({ account, lines: linesOf('ab'), unparsed: [] })).toEqual({
        new: 2,
        known: 0,
      });
      const { statement } = await imported(world.there, 'ab');
      expect(await statements.previewBegin(orderOf('ab'))).toEqual({ outcome: 'known', statement });
      expect(await statements.previewBegin(orderOf('cd', live))).toMatchObject({ outcome: 'account_differs' });
      expect(await statements.previewBegin(orderOf('cd', otherText))).toMatchObject({ outcome: 'profile_changed' });
      expect(await statements.previewBegin(orderOf('bbc'))).toEqual({ outcome: 'new' });
      const lines = linesOf('bbc');
      expect(await statements.previewKeep({ account, lines, unparsed: [unreadable(9)] })).toEqual({ new: 2, known: 1 });
      expect(await listed(world.there)).toEqual([statement]);
      const open = await begun(world.there, orderOf('bbc'));
      expect(await statements.previewBegin(orderOf('cd'))).toMatchObject({ outcome: 'busy' });
      await abandoned(world.there, open);
      expect(await statements.previewBegin(orderOf('bbc'))).toEqual({ outcome: 'new' });
    },
  },
];
