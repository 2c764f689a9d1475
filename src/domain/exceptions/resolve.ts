import { isDay } from '../reconciling/business-day.ts';
import type { ActedException, Actor, Judged, NewResolution, WantedResolution } from './act.ts';
import { closedDay, done, forbidden, refused, seeHint } from './outcome.ts';
import { codesOf, missingOf, needsApproval, splitComment } from './reasons.ts';
import { stateAfter } from './transitions.ts';
import type { ReasonRules, Resolution } from './words.ts';

/** Judges a resolution; of a claim that holds, also the line that paid it. Pure. */
export function resolve(exception: ActedException, wanted: WantedResolution, { reasons }: Actor): Judged {
  const { resolution, lines } = wanted;
  const isPayment = resolution === 'claim' && exception.held?.resolution === 'claim' && exception.status === 'resolved';
  // What pays a claim need not say again what the claim said.
  const { reference = null, followUp = null } = (isPayment && lines.length > 0 ? exception.held : null) ?? {};
  const known = { reference: wanted.reference ?? reference, followUp: wanted.followUp ?? followUp };
  const problem = wordProblem(exception, { ...wanted, ...known }, reasons);
  if (problem !== null) return problem;
  const comment = wanted.comment === null ? null : { text: wanted.comment };
  if (isPayment && lines.length > 0) {
    if (exception.held?.isPaid === true)
      return refused('state', `The claim of ${exception.id} is paid already.`, seeHint(exception.id));
    return done(exception, 'pay', { comment, resolution: { do: 'pay', lines } });
  }
  const after = stateAfter(exception.status, 'resolve');
  if (after === null) return forbidden(exception, 'resolved');
  const apart = unlikeTwin(exception, resolution);
  if (apart !== null) return apart;
  const closed = resolution === 'claim' ? null : closedDay(exception);
  if (closed !== null) return closed;
  const held = newResolution(exception, wanted, reasons);
  if (resolution === 'match' || resolution === 'undo_match') {
    return done(exception, resolution, { comment, resolution: { ...held, do: 'match' } });
  }
  return done(exception, 'resolve', { after, comment, resolution: { ...held, do: 'hold' } });
}

/** One amount cannot be both claimed and borne. What changes the matching decides nothing about the amount. */
function unlikeTwin({ id, twins }: ActedException, resolution: Resolution): Judged | null {
  if (resolution === 'match' || resolution === 'undo_match') return null;
  const twin = twins.find((one) => one.resolution !== resolution);
  if (twin === undefined) return null;
  return refused(
    'state',
    `${id} is the same difference as ${twin.id}, which is resolved as ${twin.resolution} (by ${twin.by}): it cannot be resolved as ${resolution}.`,
    `Resolve it as ${twin.resolution}, too, or open the other one again: tallyhook exceptions reopen ${twin.id} --reason TEXT`,
  );
}

/** Unknown words first, then what the code needs. */
function wordProblem(exception: ActedException, wanted: WantedResolution, reasons: ReasonRules): Judged | null {
  const { resolution, reasonCode, reference, followUp } = wanted;
  const codes = codesOf(reasons, resolution);
  const rule = reasonCode !== null && Object.hasOwn(reasons, reasonCode) ? reasons[reasonCode] : undefined;
  if (reasonCode !== null && rule === undefined) {
    const hint = `Give one of: ${Object.keys(reasons).join(', ')}.`;
    return refused('unknown_word', `There is no reason code ${JSON.stringify(reasonCode)}.`, hint);
  }
  if (rule !== undefined && rule.resolution !== null && rule.resolution !== resolution) {
    const message = `Reason code ${reasonCode} goes with ${rule.resolution}, not with ${resolution}.`;
    return refused('unknown_word', message, `Of ${resolution}: ${codes.join(', ')}.`);
  }
  if (followUp !== null && !isDay(followUp)) {
    return refused('unknown_word', `The follow-up ${JSON.stringify(followUp)} is no day such as 2026-12-01.`, null);
  }
  const isOfMatching = resolution === 'match' || resolution === 'undo_match';
  if (rule === undefined) {
    if (isOfMatching) return null;
    return refused(
      'missing',
      `${exception.id}: ${resolution} needs a reason code.`,
      `Of ${resolution}: ${codes.join(', ')}.`,
    );
  }
  const said = splitComment(wanted.comment);
  const given = { ...wanted, comment: said.text, reference: reference ?? said.reference };
  const missing = missingOf(rule, resolution, given);
  if (missing === null) return null;
  return refused('missing', `${exception.id}: reason code ${reasonCode} needs ${NEEDED[missing]}.`, null);
}

const NEEDED = {
  comment: 'a comment',
  attachment: 'an attachment (--attach FILE)',
  reference: 'a reference (at the start of the comment: "ref: CLM-7; text")',
  follow_up: 'a day of follow-up',
} as const;

function newResolution(exception: ActedException, wanted: WantedResolution, reasons: ReasonRules): NewResolution {
  const { comment, ...same } = wanted;
  const rule = wanted.reasonCode === null ? undefined : reasons[wanted.reasonCode];
  const isNeeded = rule !== undefined && needsApproval(rule, exception.value, exception.currency);
  return {
    ...same,
    reference: wanted.reference ?? splitComment(comment).reference,
    approval: isNeeded ? 'needed' : null,
  };
}
