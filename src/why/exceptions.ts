import { breakName } from '../reconcile/report/words.ts';
import type { Exception } from '../store/exceptions.ts';
import type { Entry, ReconciledSource } from './entry.ts';

/** How the exceptions of a reference stand, each when it was changed last. */
export const exceptions: ReconciledSource = ({ reconciled }) =>
  reconciled.exceptions.map((one): Entry => {
    const { id, code, sub, status, resolution, reasonCode, assignee, changedBy, changedAtMs, comment } = one;
    const name = breakName(one);
    const said = comment === null ? '' : ` ${JSON.stringify(comment)}`;
    return {
      atMs: changedAtMs,
      source: 'exception',
      text: `Exception ${name} (${id}) is ${progress(one)}${hand(one)}.${said}`,
      facts: { exceptionId: id, code, sub, status, resolution, reasonCode, assignee, by: changedBy },
    };
  });

/** Who changed it last: the resolver, but for one that another person approved. */
function hand({ approval, changedBy }: Exception): string {
  return approval?.state === 'given' ? `, approved by ${approval.who}` : `, by ${changedBy}`;
}

function progress({ status, resolution, reasonCode, approval, assignee }: Exception): string {
  if (status === 'assigned') return `assigned to ${assignee}`;
  if (status !== 'resolved') return status;
  const needed = approval?.state === 'needed' ? ', and waits for its approval' : '';
  return `resolved: ${resolution}${reasonCode === null ? '' : ` (${reasonCode})`}${needed}`;
}
