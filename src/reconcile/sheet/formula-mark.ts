/**
 * What stands before the value of a refused formula in the file of refused rows. A formula is never written into a file of ours, and its
 * value alone would be taken for what a person has written.
 */
const MARK = '#FORMULA!';

/** Returns the text of a cell that was a formula: import refuses it until a person writes something else. */
export function markedFormula(text: string): string {
  return isMarkedFormula(text) ? text : `${MARK} ${text}`.trimEnd();
}

export function isMarkedFormula(text: string): boolean {
  return text.trimStart().startsWith(MARK);
}

/** Returns the value without the mark. */
export function withoutMark(text: string): string {
  return isMarkedFormula(text) ? text.trimStart().slice(MARK.length).trim() : text;
}
