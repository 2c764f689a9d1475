import { Eta } from 'eta';
import { packageFile } from '../../package-root.ts';
import { escaped } from '../../reconcile/report/html/text.ts';
import { cellWriter } from './cell.ts';
import type { OwnFiles } from './own-files.ts';
import type { Page } from './page.ts';
import type { Visitor } from './route.ts';
import { waysFor } from './ways.ts';

/** What the frame knows beside the page itself. */
export interface Around {
  /** Null before the login. */
  readonly visitor: Visitor | null;
  /** The token of the session, which each form carries; empty before the login. */
  readonly token: string;
  /** The path of the request. */
  readonly path: string;
  readonly zone: string;
  readonly nowMs: number;
  readonly own: OwnFiles;
  /** What was done, shown once. */
  readonly said?: string | undefined;
}

let eta: Eta | undefined;

/** A page as HTML. */
export function pageHtml(page: Page, around: Around): string {
  eta ??= new Eta({ views: packageFile('templates', 'dashboard'), cache: true, escapeFunction: escaped });
  const show = cellWriter(around.zone);
  return eta.render('./page', { ...around, page, show, ways: waysFor(around.visitor, around.path) });
}
