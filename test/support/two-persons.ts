import { writeFileSync } from 'node:fs';
import type { ApprovalRules, GuardedAct } from '../../src/domain/access/approval.ts';
import { tokenDigest, tokenText } from '../../src/domain/access/token.ts';
import type { AskedOrder } from '../../src/store/approvals.ts';
import { openStore } from '../../src/store/open.ts';
import type { Operations } from '../../src/store/operations.ts';
import type { OpenOperations } from '../../src/store/store.ts';
import type { Handle } from '../contract/store/handle.ts';
import { digestOf } from '../contract/store/importing.ts';
import { matchOf, wholeRun } from '../contract/store/matching.ts';
import { AuditedDatabase } from './audited-database.ts';
import { fillFinance } from './audited-finance.ts';
import { refund } from './test-database.ts';

const DAY_MS = 86_400_000;
const PERSONS = ['Ada', 'Grace', 'Mallory'] as const;
export type Person = (typeof PERSONS)[number];

/** Everything needs a second person. */
export const ALL_RULES: ApprovalRules = {
  ...{ replayRows: 0, dropRows: 0, revealRows: 0, validMs: 72 * 3_600_000 },
  ...{ statementRemove: true, periodReopen: true, targetEnable: true, users: true },
};

/** An act that needs two: how it is asked for, and each way in which one person might do it alone. */
export interface GuardedCase {
  readonly asked: AskedOrder;
  /** `by` missing: as a job does it. */
  readonly direct: (operations: Operations, by: string | undefined) => Promise<unknown>;
  /** The words of the command line; null: there is no command for it. */
  readonly command: readonly string[] | null;
  /** The form of a page: the path of its route, the parameters of its address, and its fields. */
  readonly page: PageForm;
}

type Texts = Readonly<Record<string, string>>;
export type PageForm = readonly [path: string, params: Texts, form: Texts];

/** A database in which every guarded act has something to do, with persons whose names are proved. Ada and Grace may do all; Mallory only asks. */
export class TwoPersons {
  readonly audited = new AuditedDatabase();
  readonly tokens: Record<Person, string>;

  constructor() {
    const texts = PERSONS.map((name, index) => [name, tokenText(name, new Uint8Array(32).fill(index + 1))] as const);
    this.tokens = Object.fromEntries(texts) as Record<Person, string>;
  }

  get operations(): OpenOperations {
    return this.audited.operations;
  }

  credentialOf(person: Person) {
    return { kind: 'token', digest: tokenDigest(this.tokens[person]) } as const;
  }

  async fill(): Promise<void> {
    const { audited, operations } = this;
    const { db } = audited;
    await audited.fill();
    await this.#match();
    const target = { name: 'shop', environments: ['test'], kinds: ['refund'], news: 'settled', events: null } as const;
    await operations.outbox.plan({ targets: [{ ...target, when: 'received' }] });
    for (const reference of ['R1', 'R2']) db.keepAndApply(refund(reference, 'success'));
    await operations.outbox.exchange({ ended: [], open: [] });
    await fillFinance(audited);
    db.database.exec(`UPDATE forward_targets SET disabled_at = ${Date.now()}`);
    await operations.approvals.plan({ rules: { ...ALL_RULES, users: false } });
    const endsAtMs = Date.now() + 90 * DAY_MS;
    const tokenOf = (name: Person) => ({ digest: tokenDigest(this.tokens[name]), endsAtMs });
    const first = operations.as({ kind: 'token', digest: digestOf('token') });
    await first.users.setToken({ name: 'Ada', by: 'Ada', token: tokenOf('Ada') });
    const ada = operations.as(this.credentialOf('Ada'));
    const { users: root } = operations.as({ kind: 'token', digest: digestOf('the first') });
    await root.setToken({ name: 'Grace', by: 'Root', token: tokenOf('Grace') });
    for (const name of ['Ada', 'Grace'])
      await ada.users.setRoles({ name, by: 'Ada', roles: ['admin', 'operator', 'finance', 'approver'] });
    const token = { digest: tokenDigest(this.tokens.Mallory), endsAtMs };
    await ada.users.add({ name: 'Mallory', by: 'Ada', roles: ['operator', 'finance', 'admin'], token });
    await ada.users.add({ name: 'Dan', by: 'Ada', roles: ['viewer'], token: { digest: tokenDigest('Dan'), endsAtMs } });
    await operations.approvals.plan({ rules: ALL_RULES });
    const { validMs, ...rules } = ALL_RULES;
    writeFileSync(
      audited.at('tallyhook.yaml'),
      JSON.stringify({
        database: './tallyhook.db',
        approvals: { ...rules, validHours: validMs / 3_600_000 },
        periods: { sets: { shop: { environment: 'test', accounts: ['wallet'] } } },
        forward: {
          targets: [
            { name: 'shop', url: 'https://shop.example/news', secrets: ['whsec_kS9vQ2xLr8mN4bT7wYp3Zc6HdF1gJ5aE'] },
          ],
        },
      }),
    );
  }

  /** A line of the first statement belongs to a record. */
  async #match(): Promise<void> {
    const archive = await openStore(this.audited.db.path).archive();
    const handle = { ...this.audited.handle, archive: async () => archive } as unknown as Handle;
    await wholeRun(handle, { matches: [await matchOf(handle, 'a')] });
    await archive.close();
  }

  /** A case for each guarded act; the compiler asks for one that is missing. */
  cases(): Readonly<Record<GuardedAct, GuardedCase>> {
    const { database } = this.audited.db;
    const [webhookId = ''] = database.prepare<[], string>('SELECT webhook_id FROM outbox ORDER BY id').pluck().all();
    const eventIds = database.prepare<[], number>('SELECT id FROM events ORDER BY id').pluck().all();
    const period = {
      set: 'shop',
      period: '2026-11',
      from: '2026-11-01',
      to: '2026-11-30',
      reason: 'a line is missing',
    };
    const token = { digest: tokenDigest('a token'), endsAtMs: Date.now() + DAY_MS };
    const link = { digest: tokenDigest('a link') };
    const eve = { name: 'Eve', roles: ['approver'], token: { ...token, digest: tokenDigest('hers') } } as const;
    const named = (by: string | undefined) => ({ by: by ?? 'tallyhook' });
    return {
      replay: {
        asked: { act: 'replay', order: { target: 'shop', eventIds } },
        direct: ({ outbox }, by) =>
          outbox.replay({ target: 'shop', replay: null, eventIds, dryRun: false, ...(by && { by }) }),
        command: ['events', 'replay', '--target', 'shop', '--since', '2020-01-01'],
        page: ['/forwarding/replay', {}, { target: 'shop', since: '2020-01-01', do: '1' }],
      },
      'outbox.drop': {
        asked: { act: 'outbox.drop', order: { webhookIds: [webhookId] } },
        direct: ({ outbox }, by) =>
          outbox.drop({ rows: { webhookIds: [webhookId] }, dryRun: false, ...(by && { by }) }),
        command: ['outbox', 'drop', webhookId],
        page: ['/forwarding/drop', {}, { id: webhookId, do: '1' }],
      },
      'target.enable': {
        asked: { act: 'target.enable', order: { target: 'shop' } },
        direct: ({ outbox }, by) => outbox.enable({ target: 'shop', ...(by && { by }) }),
        command: ['forward', 'enable', 'shop'],
        page: ['/forwarding/enable', {}, { target: 'shop' }],
      },
      'period.reopen': {
        asked: { act: 'period.reopen', order: period },
        direct: ({ periods }, by) => periods.reopen({ ...period, ...named(by) }),
        command: ['period', 'reopen', '2026-11', '--set', 'shop', '--reason', ''],
        page: ['/periods/:set/:period/reopen', { set: 'shop', period: '2026-11' }, { reason: 'a line is missing' }],
      },
      'statement.remove': {
        asked: { act: 'statement.remove', order: { statement: 1 } },
        direct: ({ statements }, by) => statements.remove({ statement: 1, ...(by && { by }) }),
        command: ['statements', 'remove', '1', '--yes'],
        page: ['/statements/:id/remove', { id: '1' }, {}],
      },
      reveal: {
        asked: { act: 'reveal', order: { rows: ['event:1', 'event:2'] } },
        direct: ({ access }, by) => access.reveal({ rows: ['event:1', 'event:2'], ...named(by) }),
        command: null,
        page: ['/events/:id/reveal', { id: '1' }, {}],
      },
      'user.add': {
        asked: { act: 'user.add', order: eve },
        direct: ({ users }, by) => users.add({ ...eve, ...named(by) }),
        command: ['users', 'add', 'Eve', '--role', 'approver'],
        page: ['/people/add', {}, { name: 'Eve', role: 'approver' }],
      },
      'user.roles': {
        asked: { act: 'user.roles', order: { name: 'Dan', roles: ['approver'] } },
        direct: ({ users }, by) => users.setRoles({ name: 'Dan', roles: ['approver'], ...named(by) }),
        command: ['users', 'roles', 'Dan', '--role', 'approver'],
        page: ['/people/:name/roles', { name: 'Dan' }, { role: 'approver', seen: 'viewer' }],
      },
      'user.token': {
        asked: { act: 'user.token', order: { name: 'Dan', token } },
        direct: ({ users }, by) => users.setToken({ name: 'Dan', token, ...named(by) }),
        command: ['users', 'token', 'Dan'],
        page: ['/people/:name/token', { name: 'Dan' }, {}],
      },
      'user.link': {
        asked: { act: 'user.link', order: { name: 'Dan', link } },
        direct: ({ access }, by) => access.giveLink({ name: 'Dan', link, ...named(by) }),
        command: null,
        page: ['/people/:name/link', { name: 'Dan' }, {}],
      },
      'user.end': {
        asked: { act: 'user.end', order: { name: 'Dan' } },
        direct: ({ users }, by) => users.end({ name: 'Dan', ...named(by) }),
        command: ['users', 'end', 'Dan'],
        page: ['/people/:name/end', { name: 'Dan' }, {}],
      },
    };
  }

  /** Everything that a guarded act could change, as text. */
  standing(): string {
    const { database } = this.audited.db;
    const all = (sql: string) => database.prepare(sql).all();
    return JSON.stringify([
      all('SELECT id, state FROM imported_statements'),
      all('SELECT set_name, name, state FROM periods'),
      all('SELECT name, roles, ended_at FROM users'),
      all('SELECT digest FROM user_tokens ORDER BY digest'),
      all('SELECT kind, value FROM credentials ORDER BY id'),
      all('SELECT name, disabled_at FROM forward_targets'),
      all('SELECT webhook_id, state FROM outbox ORDER BY id'),
      all("SELECT count(*) FROM audit_entries WHERE act = 'reveal'"),
      all(
        'SELECT id, key, used_at FROM approval_rows JOIN approvals ON id = approval_id WHERE used_at IS NOT NULL ORDER BY id, key',
      ),
    ]);
  }

  remove(): Promise<void> {
    return this.audited.remove();
  }
}
