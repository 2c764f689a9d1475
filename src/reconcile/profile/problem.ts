import { type Problem, problemList } from '../../config/problems.ts';
import { TallyhookError } from '../../domain/error.ts';

/** The profile cannot be used; `problems` lists all of its mistakes. */
export class ProfileError extends TallyhookError {
  override readonly name = 'ProfileError';
  readonly problems: readonly Problem[];

  constructor(path: string, problems: readonly Problem[]) {
    super(problemList('the profile', path, problems), {
      kind: 'configuration',
      hint: 'Every setting is described in docs/statements.md; `tallyhook statements profile FILE` proposes a profile.',
    });
    this.problems = problems;
  }
}
