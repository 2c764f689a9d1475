import { carriedMore } from './carried-more.ts';
import type { Line } from './csv-line.ts';
import type { Report } from './model.ts';

/** What is from before: its sums, then each item with its id as detail, and how many there are beside them. */
export function carriedLines(report: Report): Line[] {
  const { byCode, byAge, repeated, claims, items } = report.carried;
  return [
    ...byCode.map(({ code, ...sum }) => ({ section: 'carried_by_code', item: code, ...sum })),
    ...byAge.map(({ age, ...sum }) => ({ section: 'carried_by_age', item: age, ...sum })),
    ...repeated.map((sum) => ({ section: 'carried_repeated', ...sum })),
    ...claims.map(({ claims, ...row }) => ({ section: 'carried_claims', ...row, count: claims })),
    ...items.map(({ id, code, sub, isInProof, effect, ...one }): Line => {
      const { environment, account, currency, date, ours, theirs, reference, since, status, resolution } = one;
      return {
        ...{ section: 'carried', environment, account, currency, item: sub === null ? code : `${code}/${sub}` },
        ...{ detail: id, date, ours, theirs, ...(isInProof ? { effect } : { effectOutside: effect }) },
        ...{ reference, since, status, resolution },
      };
    }),
    ...carriedMore(report).map((more) => ({ section: 'carried_more', ...more, detail: 'tallyhook exceptions list' })),
  ];
}
