/** The comment with which the close of a period closes what came late and stands in it. */
export function lateCloseText(period: string): string {
  return `Closed with period ${period}.`;
}
