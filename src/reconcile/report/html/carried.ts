import { isZero, sumOf } from '../decimal.ts';
import type { CarriedItem, ExceptionSum, Report } from '../model.ts';
import { carriedAnchor } from './anchors.ts';
import {
  type Block,
  byCurrency,
  type Cell,
  cell,
  day,
  figure,
  head,
  placeName,
  row,
  type Section,
  word,
} from './blocks.ts';
import { ageName, repeatedBlock, sumBlock } from './sum-blocks.ts';
import { counted, countOf, grouped, signed, worded } from './text.ts';

/** Where an item is told on the page; an item beyond its end is not. */
export interface ItemLinks {
  /** Its exception, and the story of its reference or row. */
  readonly exception: string;
  readonly story: string | null;
}

/** What is open from before the period: by code and age, what is still owed, and one by one for each account. */
export function carried(
  { carried: { byCode, byAge, repeated, claims, items, more }, environment: only }: Report,
  linksOf: (item: CarriedItem) => ItemLinks | undefined,
): Section {
  const blocks: Block[] = [];
  for (const [at, sums] of byCurrency(byCode).entries()) {
    const name = placeName(sums[0] as ExceptionSum, only);
    const named = sums.map((sum) => ({ ...sum, name: sum.code }));
    blocks.push(
      sumBlock(named, { id: `before-by-code-${at + 1}`, title: `From before, by code, ${name}`, column: 'Code' }),
    );
  }
  for (const [at, sums] of byCurrency(byAge).entries()) {
    const name = placeName(sums[0] as ExceptionSum, only);
    const named = sums.map((sum) => ({ ...sum, name: ageName(sum.age) }));
    blocks.push(
      sumBlock(named, { id: `before-by-age-${at + 1}`, title: `From before, by age, ${name}`, column: 'Age' }),
    );
  }
  if (repeated.length > 0) blocks.push(repeatedBlock(repeated, only, ', from before'));
  if (claims.length > 0)
    blocks.push({
      title: 'Claimed before, and still owed',
      chart: null,
      table: {
        caption: 'Claims from before that are still owed',
        columns: [head('Currency'), figure('Claims'), figure('Amount')],
        rows: claims.map((one) => row(placeName(one, only), counted(one.claims), grouped(one.amount))),
      },
    });
  const accounts = [...Map.groupBy(items, carriedAnchor)];
  for (const [anchor, of] of accounts) blocks.push(itemsBlock(of, { anchor, only }, linksOf));
  const rest = more === 0 ? '' : ` ${countOf(more, 'more item')} from before: tallyhook exceptions list.`;
  return {
    id: 'carried',
    title: 'From before',
    lead: `What was open, or resolved and still in a balance, when the period began. It is in no figure of the exceptions above.${rest}`,
    blocks,
    nothing: more === 0 ? 'Nothing is carried from before.' : `None is listed here.${rest}`,
  };
}

function itemsBlock(
  items: readonly CarriedItem[],
  { anchor, only }: { readonly anchor: string; readonly only: Report['environment'] },
  linksOf: (item: CarriedItem) => ItemLinks | undefined,
): Block {
  const name = placeName(items[0] as CarriedItem, only);
  const inProof = items.filter(({ isInProof }) => isInProof);
  const outside = items.filter((one) => !one.isInProof && !isZero(one.effect));
  const total = (of: readonly CarriedItem[], title: string) =>
    row(title, countOf(of.length, 'item'), '', '', '', '', signed(sumOf(of.map(({ effect }) => effect))), '');
  return {
    id: anchor,
    title: `From before, ${name}`,
    chart: null,
    table: {
      caption: `From before: ${name}`,
      columns: [
        head('Reference'),
        ...[word('Code'), day('Date'), day('Since')],
        ...[figure('Ours'), figure('Theirs'), figure('Effect'), word('Status')],
      ],
      rows: items.map((one) => itemRow(one, linksOf(one))),
      totals: [
        ...(inProof.length > 0 ? [total(inProof, 'In the balance proof')] : []),
        ...(outside.length > 0 ? [total(outside, 'Outside the proof')] : []),
      ],
    },
  };
}

function itemRow(one: CarriedItem, links: ItemLinks | undefined): readonly Cell[] {
  const { reference, code, date, since, ours, theirs, effect } = one;
  return row(
    cell(reference ?? 'a row without a reference', { to: links?.story ?? links?.exception }),
    cell(code, { to: links?.exception }),
    ...[date, since, ours === null ? '–' : grouped(ours), theirs === null ? '–' : grouped(theirs)],
    ...[signed(effect), standing(one)],
  );
}

function standing({ status, resolution, reasonCode, needsApproval }: CarriedItem): string {
  if (resolution === null) return worded(status);
  const said = [worded(resolution), reasonCode].filter((part) => part !== null).join(': ');
  return needsApproval ? `${said}, not approved` : said;
}
