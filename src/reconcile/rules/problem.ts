import { type Problem, problemList } from '../../config/problems.ts';
import { TallyhookError } from '../../domain/error.ts';

/** The rules cannot be used; `problems` lists all of their mistakes. */
export class RulesError extends TallyhookError {
  override readonly name = 'RulesError';
  readonly problems: readonly Problem[];

  constructor(path: string, problems: readonly Problem[]) {
    super(problemList('the rules', path, problems), {
      kind: 'configuration',
      hint: 'Every setting is described in docs/reconciliation.md; templates/rules/standard.yaml of the package is a file that works.',
    });
    this.problems = problems;
  }
}
