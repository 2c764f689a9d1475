import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../package-root.ts';

/** The names of our own files, which hold a digest of their content: a browser keeps one until another takes its place. */
export interface OwnFiles {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

export interface OwnFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Later ones win over earlier ones: paper stands last. The colours and the charts are those of the reports. */
const STYLES = [
  ['reports', 'colours'],
  ['reports', 'charts'],
  ...['base', 'frame', 'blocks', 'tables', 'forms', 'narrow', 'paper'].map((name) => ['dashboard', name] as const),
] as const;

/** The files that the dashboard serves beside its pages: one style sheet, one script, one icon. */
export function readOwnFiles(): { readonly names: OwnFiles; readonly files: readonly OwnFile[] } {
  const style = named(
    'style',
    'css',
    'text/css; charset=utf-8',
    STYLES.map(([of, name]) => readFileSync(packageFile('templates', of, 'style', `${name}.css`), 'utf8')).join('\n'),
  );
  const script = named('script', 'js', 'text/javascript; charset=utf-8', own('script.js'));
  const icon = named('icon', 'svg', 'image/svg+xml', own('icon.svg'));
  return {
    names: { style: style.name, script: script.name, icon: icon.name },
    files: [style, script, icon],
  };
}

function own(name: string): string {
  return readFileSync(packageFile('templates', 'dashboard', name), 'utf8');
}

function named(name: string, ending: string, type: string, text: string): OwnFile {
  return { name: `${name}-${hash('sha256', text, 'hex').slice(0, 16)}.${ending}`, type, text };
}
