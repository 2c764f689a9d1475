/*
 * What a list shows, said once: the command line makes columns of a terminal of it, the dashboard a table of a page. A list knows neither.
 */

/**
 * What the cells of a column are. `time` and `day`: milliseconds since 1970, or words where there is no time. `date`: a day as a file states
 * it. `id` is copied, `digest` shortened where there is no room. `count`, `figure` and `effect`, which has a sign, stand on the right. `word`: one of
 * ours, as filters take it, which a page writes without its underscores. `long` may go on in further lines.
 */
export type ListColumnType =
  | ('text' | 'id' | 'digest' | 'word' | 'status' | 'long')
  | ('count' | 'figure' | 'effect')
  | ('time' | 'day' | 'date');

export interface ListColumn<Row> {
  /** As a page heads it: `Last received`. */
  readonly name: string;
  readonly type: ListColumnType;
  readonly value: (row: Row) => string | number | bigint | null;
  /** On a terminal that is too narrow the columns with the highest number are left out first. */
  readonly leaveOut?: number;
  /** Beside another column of times, which names the zone. */
  readonly isBeside?: boolean;
  /** What a page marks. */
  readonly mark?: (row: Row) => 'good' | 'warn' | 'bad' | 'quiet' | undefined;
}

/** Whether values of persons are shown whole. */
export interface Shown {
  /** Account numbers, e-mail addresses and phones in full. */
  readonly reveal: boolean;
}

type More<Row> = Partial<Pick<ListColumn<Row>, 'isBeside' | 'leaveOut' | 'mark'>>;
type Maker = <Row>(name: string, value: ListColumn<Row>['value'], more?: More<Row>) => ListColumn<Row>;

const maker =
  (type: ListColumnType): Maker =>
  (name, value, more) => ({ name, type, value, ...more });

export const text = maker('text');
export const id = maker('id');
export const digest = maker('digest');
export const word = maker('word');
export const status = maker('status');
export const count = maker('count');
export const figure = maker('figure');
export const effect = maker('effect');
export const time = maker('time');
export const day = maker('day');
export const date = maker('date');
export const long = maker('long');
