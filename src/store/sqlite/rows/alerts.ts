import type { AlertFacts } from '../../../domain/alert.ts';
import type { Alert } from '../../alerts.ts';

/** A row of `alerts`, with the names of the domain. */
export type AlertRow = Omit<Alert, 'facts'> & { readonly facts: string };

export const ALERTS = `
  SELECT id, cause, subject, severity, opened_at AS openedAtMs, closed_at AS closedAtMs, seen_at AS seenAtMs, openings, size, facts,
         noticed_at AS noticedAtMs, noticed_size AS noticedSize, silenced_until AS silencedUntilMs
  FROM alerts`;

export function alertFromRow({ facts, ...row }: AlertRow): Alert {
  return { ...row, facts: JSON.parse(facts) as AlertFacts };
}

export function rowFromAlert<Row extends { readonly facts: AlertFacts }>({ facts, ...row }: Row) {
  return { ...row, facts: JSON.stringify(facts) };
}
