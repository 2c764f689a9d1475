/** The names of the commands in the text of `tallyhook --help`. */
export function overviewCommands(text: string): string[] {
  const [groups = ''] = text.split('\nOptions of every command\n');
  return [...groups.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name);
}
