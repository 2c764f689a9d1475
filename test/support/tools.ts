import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

// What some tests need and `npm ci` does not bring. Such a test carries the tag of its tool: `{ tags: ['strace'] }`.
// Where the tool is missing the test is left out, and the end of the run names it. With CI=true it runs, and fails.

export interface Tool {
  readonly tag: string;
  readonly name: string;
  /** The Debian package that brings it; null where no package helps. */
  readonly install: string | null;
  readonly isThere: boolean;
  /** Only tests of `npm run test:long` need it. */
  readonly isForLong?: true;
}

/** The shell without windows takes two fifths of the processor time of the whole browser, and serves where it is. */
export const CHROMIUM = pathOf('chromium-headless-shell') ?? pathOf('chromium');
export const BUSYBOX = pathOf('busybox');
export const NGINX = pathOf('nginx') ?? pathOf('nginx', '/usr/sbin');
export const PGBOUNCER = pathOf('pgbouncer') ?? pathOf('pgbouncer', '/usr/sbin');
/** A Node that is too old for us; npm's own, of the checkout, is not. */
export const OLDER_NODE = olderNode();
const isRoot = process.getuid?.() === 0;
/** Options of `unshare` that give an ordinary user the right to mount. */
export const AS_ROOT: readonly string[] = isRoot ? [] : ['--user', '--map-root-user'];
const mayMount = spawnSync('unshare', [...AS_ROOT, '--mount', 'true']).status === 0;
/** Mode bits do not bind a superuser, unless setpriv takes that right away. */
const areModeBitsObeyed = !isRoot || pathOf('setpriv') !== null;

export const TOOLS: readonly Tool[] = [
  { tag: 'strace', name: 'strace', install: 'strace', isThere: pathOf('strace') !== null },
  { tag: 'chromium', name: 'Chromium', install: 'chromium-headless-shell', isThere: CHROMIUM !== null },
  { tag: 'git', name: 'git', install: 'git', isThere: pathOf('git') !== null },
  { tag: 'curl', name: 'curl', install: 'curl', isThere: pathOf('curl') !== null },
  { tag: 'script', name: 'script', install: 'bsdutils', isThere: pathOf('script') !== null },
  { tag: 'zsh', name: 'zsh', install: 'zsh', isThere: pathOf('zsh') !== null },
  { tag: 'busybox', name: 'BusyBox', install: 'busybox', isThere: BUSYBOX !== null },
  { tag: 'nginx', name: 'nginx', install: 'nginx', isThere: NGINX !== null },
  { tag: 'caddy', name: 'Caddy', install: 'caddy', isThere: pathOf('caddy') !== null },
  { tag: 'systemd-analyze', name: 'systemd-analyze', install: 'systemd', isThere: pathOf('systemd-analyze') !== null },
  { tag: 'older-node', name: 'a Node before 24', install: null, isThere: OLDER_NODE !== null },
  { tag: 'hledger', name: 'hledger', install: 'hledger', isThere: pathOf('hledger') !== null },
  { tag: 'promtool', name: 'promtool', install: 'prometheus', isThere: pathOf('promtool') !== null, isForLong: true },
  { tag: 'pgbouncer', name: 'PgBouncer', install: 'pgbouncer', isThere: PGBOUNCER !== null, isForLong: true },
  {
    tag: 'libreoffice',
    name: 'LibreOffice Calc',
    install: 'libreoffice-calc',
    isThere: pathOf('soffice') !== null,
    isForLong: true,
  },
  { tag: 'mode-bits', name: 'setpriv', install: 'util-linux', isThere: areModeBitsObeyed },
  { tag: 'root', name: 'the rights of root', install: null, isThere: isRoot && mayMount },
  { tag: 'mounts', name: 'the right to mount', install: null, isThere: mayMount },
  { tag: 'linux', name: 'Linux', install: null, isThere: process.platform === 'linux' },
];

/** The Debian packages of the tools that the suite needs and this machine lacks; `.ci/run` asks for them. */
export function missingPackages(tools = TOOLS): string[] {
  return tools.flatMap(({ install, isThere, isForLong }) => (isThere || isForLong ? [] : (install ?? [])));
}

/** One line for the gate that names what this machine lacks and cannot be given: without root no package is installed. Else null. */
export function lackingLine(tools = TOOLS, mayInstall = isRoot): string | null {
  const lacking = tools.filter(
    ({ install, isThere, isForLong }) => !isThere && !isForLong && (install === null || !mayInstall),
  );
  if (lacking.length === 0) return null;
  const packages = lacking.flatMap(({ install }) => install ?? []);
  const remedy = packages.length === 0 ? '' : ` Run: sudo apt-get install ${packages.join(' ')}`;
  return `The gate needs what this machine lacks: ${lacking.map(({ name }) => name).join(', ')}.${remedy}`;
}

/** The tags for Vitest. A tag with `skip` leaves out every test that carries it. */
export const TOOL_TAGS = TOOLS.map(({ tag, isThere }) => ({ name: tag, skip: !isThere && process.env.CI !== 'true' }));

/** One line about the tests that were left out, given the tags of each; null when none was. */
export function leftOutLine(tagsOfTests: readonly (readonly string[])[], tools = TOOLS): string | null {
  const missing = tools.filter(({ isThere }) => !isThere);
  // A test that needs two missing tools counts for the first.
  const needed = tagsOfTests.map((tags) => missing.find(({ tag }) => tags.includes(tag)));
  const left = missing.filter((tool) => needed.includes(tool));
  if (left.length === 0) return null;
  const parts = left.map((tool, at) => {
    const count = needed.filter((one) => one === tool).length;
    const tests = count === 1 ? ' test' : ' tests';
    return `${count}${at === 0 ? tests : ''} that ${count === 1 ? 'needs' : 'need'} ${tool.name}`;
  });
  const packages = left.flatMap(({ install }) => install ?? []);
  const remedy = packages.length === 0 ? '' : ` (apt-get install ${packages.join(' ')})`;
  return `Left out: ${parts.join(', ')}${remedy}.`;
}

function olderNode(): string | null {
  const node = pathOf('node', ['/usr/bin', '/usr/local/bin'].join(delimiter));
  if (node === null) return null;
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
  return Number(/^v(\d+)/.exec(version)?.[1]) < 24 ? node : null;
}

function pathOf(program: string, path = process.env.PATH ?? ''): string | null {
  for (const folder of path.split(delimiter)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

// For the gate: what it has to install, or what it cannot go on without.
if (import.meta.main) {
  const lacking = lackingLine();
  if (lacking === null) console.log(missingPackages().join(' '));
  else {
    console.error(lacking);
    process.exitCode = 1;
  }
}
