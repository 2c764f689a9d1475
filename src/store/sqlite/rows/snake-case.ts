/** The name of a field as that of a column: `stampDuty` is `stamp_duty`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
