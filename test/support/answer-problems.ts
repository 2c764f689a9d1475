// What the sandboxes of a worker answered against docs/openapi.yaml. It lives as long as the worker: a sandbox module that the first file
// loaded also answers the files after it.

const problems: string[] = [];

export function addProblem(problem: string): void {
  problems.push(problem);
}

/** The problems since the last call. */
export function takeProblems(): string[] {
  return problems.splice(0);
}
