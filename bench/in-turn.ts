/** Measures the subjects in turn, round by round, so that what else the machine does meets all of them. Says each on stderr. */
export async function inTurn<Subject extends string, Row>(
  what: string,
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      rows.push(await measure(subject, round));
      console.error(`${what}: ${subject}, round ${round + 1} of ${rounds}`);
    }
  }
  return rows;
}
