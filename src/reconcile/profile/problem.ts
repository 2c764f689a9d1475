import { type Problem, problemLine } from '../../config/problems.ts';
import { TallyhookError } from '../../domain/error.ts';

/** The profile cannot be used; `problems` lists all of its mistakes. */
export class ProfileError extends TallyhookError {
  override readonly name = 'ProfileError';
  readonly problems: readonly Problem[];

  constructor(path: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super(`${count} in the profile (${path}):${problems.map((each) => `\n  ${problemLine(each)}`).join('')}`, {
      kind: 'configuration',
      hint: 'Every setting is described in docs/reconciliation.md; `tallyhook statements profile FILE` proposes a profile.',
    });
    this.problems = problems;
  }
}
