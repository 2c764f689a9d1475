import { october } from '../month/days.ts';
import type { FilePlan } from '../month/files.ts';
import { importFile } from '../month/import.ts';
import { minorOf } from '../month/money.ts';
import { comparable } from '../month/same-report.ts';
import { toldOf } from '../month/tell.ts';
import { Shop } from '../shop/shop.ts';
import { expectedOf, type ItemFacts, itemText, proofText, type Said } from './expected.ts';
import type { World } from './make.ts';
import { PERIODS } from './world.ts';

const LISTS = ['breaks', 'timing', 'suggested', 'carried'] as const;

interface Report extends Readonly<Record<(typeof LISTS)[number], readonly ItemFacts[]>> {
  readonly proof: readonly {
    readonly account: string;
    readonly rows: readonly { readonly name: string; readonly ours: string; readonly theirs: string }[];
    readonly unexplained: string;
  }[];
}

/** What is done beside what each month needs, and must change nothing. */
export interface Beside {
  /** The files in another order. */
  readonly order?: (files: readonly FilePlan[]) => readonly FilePlan[];
  /** A run after each file, and each file a second time. */
  readonly twice?: boolean;
  /** Each month is opened again after its close, reconciled, and closed again. */
  readonly reopened?: boolean;
}

export interface Lived {
  /** Each point in which a report is not what was planted; what follows the first such month is not carried out. */
  readonly differences: readonly string[];
  /** The last report of each month, but for where lines stand, when it was asked, and digests. */
  readonly texts: readonly string[];
}

/** Carries a world out, month by month. */
export async function live(world: World, beside: Beside = {}): Promise<Lived> {
  const shop = await Shop.of();
  try {
    return await liveIn(shop, world, beside);
  } finally {
    shop.end();
  }
}

async function liveIn(
  shop: Shop,
  world: World,
  { order = (files) => files, twice = false, reopened = false }: Beside,
): Promise<Lived> {
  const texts: string[] = [];
  for (const [stage, { name, first, last }] of PERIODS.entries()) {
    const days = { from: october(first), to: october(last) };
    shop.clock.ms = Date.parse(`${october(last + 5)}T07:00:00Z`);
    const records = world.deeds.flatMap((deed) => deed.records.filter((one) => one.stage === stage));
    await shop.tell(records.map(({ record }) => toldOf(record)));
    for (const plan of order(world.files[stage] ?? [])) {
      await importFile(shop, plan);
      if (!twice) continue;
      await shop.reconcile(days, { dryRun: true });
      await importFile(shop, plan);
    }
    const held = async (decided: number) => {
      const report: Report = await shop.reconcile(days);
      texts[stage] = comparable(JSON.stringify(report));
      const expected = expectedOf(world, stage, stage, decided);
      return differencesOf(saidBy(report), expected).map((one) => `${name}: ${one}`);
    };
    const differences = await held(stage);
    if (differences.length === 0 && (await decide(shop, world, stage))) differences.push(...(await held(stage + 1)));
    if (differences.length > 0) return { differences, texts };
    await settle(shop);
    await shop.close(name);
    if (!reopened) continue;
    await shop.reopen(name);
    texts[stage] = comparable(JSON.stringify(await shop.reconcile(days)));
    await shop.close(name);
  }
  return { differences: [], texts };
}

/** Confirms and undoes what is suggested. Returns whether there was anything. */
async function decide(shop: Shop, { deeds }: World, stage: number): Promise<boolean> {
  const decisions = deeds.flatMap((deed) => deed.decisions ?? []).filter((one) => one.stage === stage);
  for (const { reference, word } of decisions) {
    const [match] = await shop.matches({ leg: 'records-wallet', environment: 'test', reference });
    await shop.decide(match.id, word);
  }
  return decisions.length > 0;
}

/** Resolves what is open, as two persons do. */
export async function settle(shop: Shop): Promise<void> {
  const open = await shop.listed();
  const ids = open
    .filter(({ status }: { status: string }) => status !== 'resolved')
    .map(({ id }: { id: string }) => id);
  await shop.resolve(ids, {});
  const waiting = (await shop.listed()).filter(({ approval }: { approval: unknown }) => approval === 'needed');
  await shop.act(...waiting.map(({ id }: { id: string }) => ({ act: 'approve' as const, id, by: 'ben' })));
}

function saidBy(report: Report): Said {
  const items = LISTS.flatMap((list) => report[list].map((one) => `${list} ${itemText(one)}`));
  const proofs = report.proof.flatMap(({ account, rows, unexplained }) => [
    ...rows.map(({ name, ours, theirs }) => proofText(account, name, minorOf(ours), minorOf(theirs))),
    ...(unexplained === '0.00' ? [] : [`${account}: unexplained ${unexplained}`]),
  ]);
  return { items: items.sort(), proofs };
}

/** What is in one of two lists of texts alone, as often as it is. */
function differencesOf(said: Said, expected: Said): string[] {
  return (['items', 'proofs'] as const).flatMap((part) => [
    ...without(expected[part], said[part]).map((one) => `missing: ${one}`),
    ...without(said[part], expected[part]).map((one) => `too many: ${one}`),
  ]);
}

function without(all: readonly string[], less: readonly string[]): string[] {
  const left = [...less];
  return all.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
