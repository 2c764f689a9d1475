import type { ExceptionSum, ReportExplained, ReportProof } from '../model.ts';

/** Where on a page the things are that a figure is made of. */
export interface PageLinks {
  /** The exceptions of a code; undefined: the page has none of them. */
  exceptions(sum: Pick<ExceptionSum, 'environment' | 'currency'> & { readonly code: string }): string | undefined;
  readonly explained: Readonly<Partial<Record<ReportExplained['by'], (proof: ReportProof) => string>>>;
  /** An item from before: its exception, and the story of its reference or row. */
  item(id: string): { readonly exception: string; readonly story: string | null } | undefined;
}

/** Of the forms that have no links. */
export const NO_LINKS: PageLinks = { exceptions: () => undefined, explained: {}, item: () => undefined };
