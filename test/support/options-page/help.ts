/** One option or argument of a command, as `tallyhook help` shows it. */
export interface HelpOption {
  /** `--limit`, or the name of an argument. */
  readonly name: string;
  readonly does: string;
  readonly kind: string;
  readonly choices: readonly string[];
  /** As it is written on the command line; null: none. */
  readonly standard: string | null;
  readonly isRequired: boolean;
}

export interface CommandHelp {
  /** Words of the commands below it: `list` of `events`. */
  readonly commands: readonly string[];
  /** Without the word of a command it is one of them: its options are shown. */
  readonly isDefault: boolean;
  readonly options: readonly HelpOption[];
}

/** Reads the text of `tallyhook help PATH`, of any width. */
export function readHelp(text: string, path: readonly string[]): CommandHelp {
  const entries = ['Positionals', 'Options'].flatMap((heading) => entriesOf(sectionOf(text, heading)));
  const commands = sectionOf(text, 'Commands');
  const below = commands.matchAll(new RegExp(`^ {2}\\S.*? ${path.join(' ')} ([a-z-]+)`, 'gm'));
  return {
    commands: [...below].map(([, word = '']) => word),
    isDefault: commands.includes('[default]'),
    options: entries.map(optionOf),
  };
}

/** The lines between a heading and the next blank line. */
function sectionOf(text: string, heading: string): string {
  return text.match(new RegExp(`^${heading}:\\n((?:.+\\n)+)`, 'm'))?.[1] ?? '';
}

/** An entry begins with a name at the left; what is further in continues the one before. */
function entriesOf(section: string): string[] {
  const begins = /^ {2}(?:-\w, | {4})?(?=--|\w)/;
  const entries: string[] = [];
  for (const line of section.split('\n').filter((one) => one !== '')) {
    if (begins.test(line)) entries.push(line.trim());
    else entries[entries.length - 1] += ` ${line.trim()}`;
  }
  return entries;
}

const NOTE = /\[(string|number|boolean|array|required|choices: [^\]]*|default: (?:\[\]|[^\]]*))\]/g;

function optionOf(entry: string): HelpOption {
  const [, names = '', rest = ''] = /^((?:--?[\w-]+, )*(?:--)?[\w-]+)\s+(.*)$/.exec(entry) ?? [];
  const notes = [...rest.matchAll(NOTE)].map(([, note = '']) => note);
  const noteOf = (word: string) => notes.find((note) => note.startsWith(`${word}: `))?.slice(word.length + 2);
  return {
    name: names.split(', ').findLast((name) => name.length > 2) ?? names,
    does: rest.replace(NOTE, '').replace(/\s+/g, ' ').trim(),
    kind: notes.find((note) => /^(?:string|number|boolean|array)$/.test(note)) ?? 'string',
    choices: [...(noteOf('choices') ?? '').matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice),
    standard: noteOf('default')?.replace(/^"(.*)"$/, '$1') ?? null,
    isRequired: notes.includes('required'),
  };
}
