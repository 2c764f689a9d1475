import type { Link, Shown, Tone } from './value.ts';

/*
 * A page of the dashboard as data. The templates in `templates/dashboard/` make HTML of it, and nothing else does: a screen says what
 * is there and in which order, never how it looks, and a text of a stranger cannot become markup on any page.
 */

export type { AmountCell, Cell, CountCell, Link, Shown, TextCell, TimeCell, Tone } from './value.ts';

export interface Page {
  /** A few words: the heading, and the title of the browser's window. */
  readonly title: string;
  /** The one question that this page answers. */
  readonly question: string;
  /** The command that gives the same; several where a page shows what several commands do. */
  readonly commands: readonly string[];
  readonly blocks: readonly Block[];
  /** The way up to this page: `Exceptions`, with the filter that was set there. */
  readonly trail?: readonly Link[];
  /** What of the store it shows: the stream says which of these are old. */
  readonly regions?: readonly Region[];
  /** Of the answer; missing: 200. */
  readonly status?: number | undefined;
  /** The browser goes on by itself, here or elsewhere: while work goes on. */
  readonly refresh?: { readonly seconds: number; readonly to?: string };
}

/** What can be old on a page, named by what changed it. */
export const REGIONS = [
  'events',
  'records',
  'findings',
  'forwarding',
  'jobs',
  'alerts',
  'exceptions',
  'periods',
] as const;
export type Region = (typeof REGIONS)[number];

// The blocks.

export type Block =
  | TextBlock
  | NoticeBlock
  | FactsBlock
  | CardsBlock
  | TableBlock
  | PagesBlock
  | FormBlock
  | DrawingBlock
  | StoryBlock
  | BodyBlock
  | SectionBlock
  | BesideBlock
  | FoldBlock
  | LinksBlock
  | ProgressBlock;

/** A sentence. */
export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
  readonly tone?: Tone | undefined;
  readonly links?: readonly Link[];
}

/** What a person must see first, and what to do about it. */
export interface NoticeBlock {
  readonly kind: 'notice';
  readonly tone: Tone;
  readonly text: string;
  /** The next step, in words. */
  readonly next?: string | undefined;
  readonly links?: readonly Link[] | undefined;
}

/** Names and values. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [name: string, value: Shown])[];
}

/** Numbers that lead to their lists. */
export interface CardsBlock {
  readonly kind: 'cards';
  readonly cards: readonly Card[];
}

export interface Card {
  readonly name: string;
  readonly value: Shown;
  /** What it means, or what to do. */
  readonly note?: string | undefined;
  readonly tone?: Tone | undefined;
  readonly href?: string | undefined;
}

export interface TableBlock {
  readonly kind: 'table';
  /** Unique on the page. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly totals?: readonly TableRow[];
  /** Instead of a table without rows. Null: the page leaves such a table out. */
  readonly empty: Empty | null;
  /** Rows are chosen by checkboxes of this name, for the form around it, or the form of this id; a row that can be chosen has a `choice`. */
  readonly chooses?: { readonly name: string; readonly form?: string } | undefined;
  readonly note?: string | undefined;
}

/** What it means that a table has no rows, and the next step. */
export interface Empty {
  readonly text: string;
  readonly next: string;
  readonly links?: readonly Link[];
}

export interface TableColumn {
  readonly name: string;
  /** `head` names its row; figures, amounts and counts stand on the right. Missing: `text`. */
  readonly as?: 'head' | 'text' | 'figure' | 'day' | 'digest';
}

export interface TableRow {
  readonly cells: readonly Shown[];
  /** The value of its checkbox, and the words that tell it from others. */
  readonly choice?: { readonly value: string; readonly label: string; readonly chosen?: boolean } | undefined;
  readonly id?: string | undefined;
  readonly tone?: Tone | undefined;
  /** What unfolds under the row. */
  readonly more?: readonly Block[] | undefined;
}

/** The way through a list that is longer than a page. `total`: null reads "more than it is worth counting"; missing: not told. */
export interface PagesBlock {
  readonly kind: 'pages';
  readonly shown: number;
  readonly total?: number | null;
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}

export interface FormBlock {
  readonly kind: 'form';
  readonly id: string;
  readonly title?: string;
  /** GET is a filter: its fields become the address. A POST gets the token of the session from the frame. */
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly fields: readonly Field[];
  /** Inside the form, after its fields: a table whose rows are chosen. */
  readonly blocks?: readonly Block[];
  readonly buttons: readonly Button[];
  /** Sends a file. */
  readonly isUpload?: boolean;
  /** `filters`: on one line where there is room. `act`: a single button. */
  readonly as?: 'filters' | 'act';
  readonly note?: string | undefined;
  /** What is wrong with what was sent, above the fields; the fields keep it. */
  readonly problem?: string | undefined;
}

export interface Button {
  readonly label: string;
  /** Sent with the form, so that one form can look before it acts. */
  readonly name?: string;
  readonly value?: string;
  /** `danger` cannot be undone. */
  readonly as?: 'main' | 'plain' | 'danger';
  /** The script asks this first; without it the page that the act leads to says what was done. */
  readonly confirm?: string;
  /** Sends the form to another address than its own. */
  readonly action?: string;
  /** Why it cannot be used; shown beside it. */
  readonly disabled?: string | undefined;
}

interface AnyField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with the value that was sent. */
  readonly problem?: string | undefined;
  readonly required?: boolean;
}

export type Field =
  | { readonly type: 'hidden'; readonly name: string; readonly value: string }
  | (AnyField & {
      readonly type: 'text' | 'search' | 'number' | 'date' | 'password';
      readonly value?: string | undefined;
      readonly autocomplete?: string;
      readonly maxLength?: number;
      /** What a person may choose or overwrite. */
      readonly options?: readonly string[];
    })
  | (AnyField & {
      readonly type: 'textarea';
      readonly value?: string | undefined;
      readonly maxLength?: number;
      readonly rows?: number;
    })
  | (AnyField & {
      readonly type: 'select' | 'radios';
      readonly value?: string | undefined;
      readonly options: readonly Option[];
    })
  | (AnyField & {
      readonly type: 'checkboxes';
      readonly values: readonly string[];
      readonly options: readonly Option[];
    })
  | (AnyField & { readonly type: 'checkbox'; readonly value: string; readonly checked?: boolean })
  | (AnyField & { readonly type: 'file'; readonly accept?: string });

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
}

/** A chart of `reconcile/report/html/charts`, with its figures as a table; null: the page has them in one for all its charts. */
export interface DrawingBlock {
  readonly kind: 'drawing';
  readonly id: string;
  readonly title?: string;
  /** Made by `svg` of these charts alone, which escape each text. */
  readonly svg: string;
  readonly figures: TableBlock | null;
  readonly isFolded?: boolean;
}

/** What happened, in order. */
export interface StoryBlock {
  readonly kind: 'story';
  readonly entries: readonly {
    readonly by: string;
    readonly at: Shown;
    readonly text: string;
    readonly href?: string | undefined;
    readonly tone?: Tone | undefined;
  }[];
}

/** Text with its line feeds: a body, the rows of a file. */
export interface BodyBlock {
  readonly kind: 'body';
  readonly title: string;
  readonly text: string;
  readonly note?: string;
}

export interface SectionBlock {
  readonly kind: 'section';
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  readonly blocks: readonly Block[];
}

/** Columns beside each other, each with a title: three witnesses, two versions. */
export interface BesideBlock {
  readonly kind: 'beside';
  readonly parts: readonly {
    readonly title: string;
    readonly tone?: Tone | undefined;
    readonly lead?: string;
    readonly blocks: readonly Block[];
  }[];
}

/** What unfolds. */
export interface FoldBlock {
  readonly kind: 'fold';
  readonly id?: string;
  readonly title: string;
  readonly isOpen?: boolean;
  readonly blocks: readonly Block[];
}

/** Links beside each other: filters by a click, ways on. */
export interface LinksBlock {
  readonly kind: 'links';
  readonly label: string;
  /** `isDownload`: the browser saves what is there, also a page; so only of a `light` route, which answers with the file at once. */
  readonly links: readonly (Link & { readonly isCurrent?: boolean; readonly isDownload?: boolean })[];
}

/** Work that goes on in a process of its own; the page asks again by itself. */
export interface ProgressBlock {
  readonly kind: 'progress';
  readonly text: string;
  readonly done: number;
  readonly total: number | null;
}
