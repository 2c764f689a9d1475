// Values of a record in an advised command, so that it can be pasted as it stands. Pure.

/** A value as a positional argument: `-X1` would be read as an option, so it stands behind `--`. */
export function argumentText(value: string): string {
  return value.startsWith('-') ? `-- ${wordText(value)}` : wordText(value);
}

/** A value of an option: `--reference R-1`, and `--reference=-X1` where it would be read as another option. */
export function optionText(name: string, value: string): string {
  return `--${name}${value.startsWith('-') ? '=' : ' '}${wordText(value)}`;
}

/** One word of a shell. */
function wordText(value: string): string {
  return /^[\w/.+@:,=%-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
