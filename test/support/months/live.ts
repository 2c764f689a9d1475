import { october } from '../month/days.ts';
import { importFile } from '../month/import.ts';
import { minorOf } from '../month/money.ts';
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

/** Carries a world out, month by month. Returns each point in which a report is not what was planted. */
export async function live(world: World): Promise<string[]> {
  const shop = await Shop.of();
  const found: string[] = [];
  for (const [stage, { name, first, last }] of PERIODS.entries()) {
    shop.clock.ms = Date.parse(`${october(last + 5)}T07:00:00Z`);
    const records = world.deeds.flatMap((deed) => deed.records.filter((one) => one.stage === stage));
    await shop.tell(records.map(({ record }) => toldOf(record)));
    for (const plan of world.files[stage] ?? []) await importFile(shop, plan);
    const report: Report = await shop.reconcile({ from: october(first), to: october(last) });
    found.push(...differences(saidBy(report), expectedOf(world, stage, stage)).map((one) => `${name}: ${one}`));
    if (found.length > 0) return found;
    await settle(shop, name);
  }
  return found;
}

/** Resolves what is open, and closes the month. */
async function settle(shop: Shop, name: string): Promise<void> {
  const open = await shop.listed();
  const ids = open
    .filter(({ status }: { status: string }) => status !== 'resolved')
    .map(({ id }: { id: string }) => id);
  await shop.resolve(ids, {});
  const waiting = (await shop.listed()).filter(({ approval }: { approval: unknown }) => approval === 'needed');
  await shop.act(...waiting.map(({ id }: { id: string }) => ({ act: 'approve' as const, id, by: 'ben' })));
  await shop.close(name);
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
function differences(said: Said, expected: Said): string[] {
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
