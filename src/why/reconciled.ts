import type { RecordKind } from '../domain/records/lifecycle.ts';
import { LINES } from '../domain/statements/lines.ts';
import type { RecordDetail } from '../store/records.ts';
import type { Reconciled } from '../store/story.ts';

type Subject = Pick<RecordDetail, 'kind' | 'environment'>;

/** What statements and runs say of one of the records with the reference. Pure. */
export function reconciledOf(record: Subject, all: Reconciled): Reconciled {
  return filtered(all, (one) => isAbout(one, record));
}

/** What they say of the reference and of none of its records; with `kind`, only what may be of that kind. Pure. */
export function reconciledRest(records: readonly Subject[], all: Reconciled, kind: RecordKind | undefined): Reconciled {
  const isWanted = (one: About) => kind === undefined || one.kind === null || one.kind === kind;
  return filtered(all, (one) => isWanted(one) && !records.some((record) => isAbout(one, record)));
}

export function isNothing({ lines, matches, decisions, breaks, exceptions }: Reconciled): boolean {
  return lines.length + matches.length + decisions.length + breaks.length + exceptions.length === 0;
}

/** Null: the kind is not known. */
interface About {
  readonly environment: Subject['environment'];
  readonly kind: string | null;
}

function isAbout({ environment, kind }: About, record: Subject): boolean {
  return environment === record.environment && (kind === null || kind === record.kind);
}

function filtered(
  { lines, matches, decisions, breaks, exceptions }: Reconciled,
  takes: (about: About) => boolean,
): Reconciled {
  return {
    lines: lines.filter(({ account, line: { type } }) =>
      takes({ environment: account.environment, kind: type === null ? null : LINES[type].record }),
    ),
    matches: matches.filter(takes),
    decisions: decisions.filter(takes),
    breaks: breaks.filter(takes),
    exceptions: exceptions.filter(takes),
  };
}
