import { Eta } from 'eta';
import type { AlertChange, AlertFacts, AlertState } from '../domain/alerts/alert.ts';
import type { Severity } from '../domain/alerts/alert-cause.ts';
import { OUTCOME_TEXT, type Outcome } from '../domain/checks/check.ts';
import { printable, printableLine } from '../domain/text/printable.ts';
import { byteCount, duration } from '../domain/text/quantity-text.ts';
import { packageFile } from '../package-root.ts';
import { faultText } from '../store/error.ts';
import { zonedTime } from '../time/zoned-time.ts';

/** What a notice is made of. */
export type ToldAlert = Pick<AlertState, 'subject' | 'size' | 'facts' | 'openedAtMs' | 'closedAtMs'> & {
  /** A cause, or `test`: the name of its template. */
  readonly cause: string;
  readonly severity: Severity;
};

export interface AlertText {
  /** What happened. */
  readonly what: string;
  readonly why: string;
  /** The command to run. */
  readonly run: string;
}

export interface AlertMessage extends AlertText {
  readonly alert: Pick<ToldAlert, 'cause' | 'subject' | 'severity'> & { readonly change: AlertChange };
  /** One line: severity, cause, subject and what changed. */
  readonly title: string;
  /** Whose alert it is. */
  readonly name: string;
  /** The whole notice. */
  readonly text: string;
}

/** How times are written. */
export interface TextContext {
  readonly nowMs: number;
  readonly zone: string;
}

export interface MessageContext extends TextContext {
  /** Whose alerts these are. */
  readonly name: string;
}

let templates: Eta | undefined;

/** The three sentences of an alert, from `templates/alerts/<cause>.eta`: paragraphs in this order. */
export function alertText(alert: ToldAlert, context: TextContext): AlertText {
  const { cause, subject, size, facts } = alert;
  const rendered = render(cause, { subject, size, facts: onOneLine(facts), ...wordsOf(context) });
  const [what = '', why = '', run = ''] = rendered
    .trim()
    .split(/\n\s*\n/)
    .map(printableLine);
  return { what, why, run };
}

/** The notice of an alert, ready for any channel. Facts from outside are printable, and none is personal data. */
export function alertMessage(alert: ToldAlert, change: AlertChange, context: MessageContext): AlertMessage {
  const text = alertText(alert, context);
  const title = titleOf(alert, change);
  const name = printableLine(context.name);
  const { openedAtMs, closedAtMs } = alert;
  const whole =
    change === 'recovered'
      ? render('recovered', {
          ...text,
          ...{ name, title },
          openedAtMs,
          closedAtMs: closedAtMs ?? context.nowMs,
          ...wordsOf(context),
        })
      : render('message', { ...text, name, title });
  const { cause, subject, severity } = alert;
  return { ...text, alert: { cause, subject, severity, change }, name, title, text: printable(whole).trim() };
}

/** `critical: silent, live refund`; `recovered: silent, live refund` */
function titleOf({ cause, subject, severity }: ToldAlert, change: AlertChange): string {
  const lead = { opened: severity, again: `still ${severity}`, recovered: 'recovered' } satisfies Record<
    AlertChange,
    string
  >;
  const about = subject === '' ? '' : `, ${subject}`;
  return printableLine(`${lead[change]}: ${cause.replaceAll('_', ' ')}${about}`);
}

/** Facts hold words from outside: none of them may begin a paragraph. */
function onOneLine(facts: AlertFacts): AlertFacts {
  const all = Object.entries(facts).map(([name, fact]) => [
    name,
    typeof fact === 'string' ? printableLine(fact) : fact,
  ]);
  return Object.fromEntries(all) as AlertFacts;
}

/** The functions of the templates. */
function wordsOf(context: TextContext) {
  return {
    at: (ms: number) => zonedTime(ms, context.zone),
    length: duration,
    bytes: byteCount,
    count: (number: number, noun: string, nouns = `${noun}s`) => `${number} ${number === 1 ? noun : nouns}`,
    fault: faultText,
    outcome: (outcome: Outcome) => OUTCOME_TEXT[outcome],
  };
}

function render(name: string, facts: object): string {
  templates ??= new Eta({ views: packageFile('templates', 'alerts'), cache: true, autoEscape: false, autoTrim: false });
  return templates.render(`./${name}`, facts);
}
