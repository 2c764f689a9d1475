import { isZero, sumOf } from '../decimal.ts';
import { isOpen } from '../exception-sums.ts';
import type { Report, ReportedException } from '../model.ts';
import { bookName } from '../table.ts';
import { countOf, grouped, signed, worded } from '../words.ts';
import { accountAnchor, exceptionAnchor, groupAnchor } from './anchors.ts';

export interface CodeGroup {
  readonly anchor: string;
  /** `fee_mismatch: 12 exceptions, effect −15.00` */
  readonly name: string;
  readonly count: string;
  readonly effect: string;
  readonly exceptions: readonly ReportedException[];
}

interface GroupOrder {
  /** The environment of the report, when it has one. */
  readonly only: Report['environment'];
  /** Whether the effect of an exception is part of a balance proof. */
  readonly isInProof: (one: ReportedException) => boolean;
  /** Of what is from before the period, which stands in groups of its own. */
  readonly isBefore?: boolean;
}

/** The exceptions of each account and currency, those of one code together, in their order. */
export function groupsOf(exceptions: readonly ReportedException[], { only, isInProof, isBefore = false }: GroupOrder) {
  const [prefix, ending, noun] = isBefore ? ['before-', ', from before', 'item'] : ['', '', 'exception'];
  return [...Map.groupBy(exceptions, accountAnchor)].map(([anchor, ofAccount]) => ({
    anchor: `${prefix}${anchor}`,
    name: `${bookName(ofAccount[0] as ReportedException, only)}${ending}`,
    codes: [...Map.groupBy(ofAccount, groupAnchor)].map(
      ([anchor, ofCode]): CodeGroup => ({
        anchor: `${prefix}${anchor}`,
        name: ofCode[0]?.code ?? '',
        count: countOf(ofCode.length, noun),
        effect: effectOf(ofCode, isInProof),
        exceptions: ofCode,
      }),
    ),
  }));
}

/** The exceptions are of one account. */
function effectOf(exceptions: readonly ReportedException[], isInProof: GroupOrder['isInProof']): string {
  const sum = sumOf(exceptions.map(({ effect }) => effect));
  return isZero(sum) || exceptions.every(isInProof) ? signed(sum) : `${signed(sum)}, outside the proof`;
}

/** An exception as its template shows it; a story is what is behind it. `place`: of the row that it names. */
export function shownException(one: ReportedException, place: string | null) {
  const { id, reference, date, ageDays, ours, theirs, effect, status, what, nextStep } = one;
  const anchor = exceptionAnchor(one);
  const name = reference ?? place ?? one.account ?? '';
  return {
    ...{ id, name, date, isOpen: isOpen(one), what: sentence(what), nextStep },
    age: `${countOf(ageDays, 'day')}`,
    ours: value(ours),
    theirs: value(theirs),
    effect: signed(effect),
    status: one.needsApproval ? `${status}, not approved` : status,
    facts: [
      [
        'Kind',
        [one.kind, one.sub]
          .filter(Boolean)
          .map((text) => String(text).replaceAll('_', ' '))
          .join(', '),
      ],
      ['Leg', one.leg ?? ''],
      ['Row', place ?? ''],
      ['Variance', one.variance === null || isZero(one.variance) ? '' : signed(one.variance)],
      [
        'Resolution',
        [one.resolution === null ? null : worded(one.resolution), one.reasonCode].filter(Boolean).join(': '),
      ],
      ['Same difference as', one.sameAs ?? ''],
      ['Assigned to', one.assignee ?? ''],
      ['Comment', one.comment ?? ''],
      ['Follow-up', one.followUp ?? ''],
      ['Id', id],
    ].filter(([, said]) => said !== ''),
    story: anchor === null ? null : { to: anchor, name: reference === null ? (place ?? 'the row') : reference },
  };
}

/** A missing side is a dash. */
function value(text: string | null): string {
  return text === null ? '–' : grouped(text);
}

function sentence(clause: string): string {
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
