import type { AlertFacts } from '../../../domain/alerts/alert.ts';
import type { Alert } from '../../alerts.ts';

/** A row of `alerts`, with the names of the domain. */
export type AlertRow = Omit<Alert, 'facts' | 'noticedReasons'> & {
  readonly facts: string;
  readonly noticedReasons: string;
};

export const ALERTS = `
  SELECT id, cause, subject, severity, opened_at AS openedAtMs, closed_at AS closedAtMs, seen_at AS seenAtMs, openings, size, facts,
         noticed_at AS noticedAtMs, noticed_size AS noticedSize, noticed_reasons AS noticedReasons, silenced_until AS silencedUntilMs
  FROM alerts`;

export function alertFromRow({ facts, noticedReasons, ...row }: AlertRow): Alert {
  return { ...row, facts: JSON.parse(facts) as AlertFacts, noticedReasons: JSON.parse(noticedReasons) };
}

export function rowFromAlert<Row extends Pick<Alert, 'facts' | 'noticedReasons'>>({
  facts,
  noticedReasons,
  ...row
}: Row) {
  return { ...row, facts: JSON.stringify(facts), noticedReasons: JSON.stringify(noticedReasons) };
}
