/** What the recorded program did to its files and its clients, in order. */
export type Step =
  | { readonly type: 'create'; readonly path: string }
  | { readonly type: 'truncate'; readonly path: string; readonly size: number }
  | { readonly type: 'write'; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  /** A sync that another thread's calls overlap: what is written from here to its `sync` is not certain after it. */
  | { readonly type: 'syncing'; readonly path: string; readonly thread: string }
  | { readonly type: 'sync'; readonly path: string; readonly thread: string }
  | { readonly type: 'unlink'; readonly path: string }
  /** A 200 that begins to leave for the client on this port. */
  | { readonly type: 'ack'; readonly port: number };

/** Every call that can change a file or its name; one that the replay does not know ends the reading of the log. */
export const FILE_CALLS =
  'openat,open,creat,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,truncate,fallocate,unlink,unlinkat,' +
  'rename,renameat,renameat2,link,linkat';
/** Every call by which an answer can leave. */
export const SOCKET_CALLS = 'write,writev,sendto,sendmsg';

const UNFINISHED = ' <unfinished ...>';

/**
 * Reads the log of `strace -f -yy -xx`, keeping what happens in `folder` and every 200 on a socket.
 *
 * strace writes a line's begin before the call enters the kernel. A 200 counts from there: before the client can have
 * read it. A sync counts from its end.
 */
export function stepsOf(log: string, folder: string): Step[] {
  const unfinished = new Map<string, string>();
  const steps: Step[] = [];
  for (const line of log.split('\n')) {
    const space = line.indexOf(' ');
    const thread = line.slice(0, space);
    const rest = line.slice(space).trimStart();
    if (rest.endsWith(UNFINISHED)) {
      const begun = rest.slice(0, -UNFINISHED.length);
      unfinished.set(thread, begun);
      const step = ackOf(begun) ?? syncingOf(begun, thread);
      if (step !== null) steps.push(step);
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const call = resumed === null ? rest : `${unfinished.get(thread)}${resumed[1]}`;
    const step = (resumed === null ? ackOf(call) : null) ?? stepOf(call, thread, folder);
    if (step !== null) steps.push(step);
  }
  return steps.filter((step) => step.type === 'ack' || step.path.startsWith(folder));
}

const STATUS_200 = [...'HTTP/1.1 200 '].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('');
const ON_SOCKET =
  /^(?:write|writev|sendto|sendmsg)\(\d+<TCP:\[[^\]]*->[^\]]*:(\d+)\]>, (?:\[\{iov_base=|\{.*?iov_base=)?"/;

function ackOf(call: string): Step | null {
  const socket = ON_SOCKET.exec(call);
  return socket !== null && call.startsWith(STATUS_200, socket[0].length)
    ? { type: 'ack', port: Number(socket[1]) }
    : null;
}

function syncingOf(begun: string, thread: string): Step | null {
  if (!/^f(data)?sync\(/.test(begun)) return null;
  return { type: 'syncing', path: pathIn(begun.slice(begun.indexOf('(') + 1)), thread };
}

function stepOf(call: string, thread: string, folder: string): Step | null {
  const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+.*)$/.exec(call) ?? [];
  if (name === '' || result.startsWith('-')) return null;
  if (name === 'openat') return openedOf(args, pathIn(result));
  const path = pathIn(args);
  if (name === 'fsync' || name === 'fdatasync') return { type: 'sync', path, thread };
  if (name === 'unlink') return { type: 'unlink', path: textIn(args).toString() };
  const numbers = args.split(', ').slice(1).map(Number);
  if (name === 'ftruncate') return { type: 'truncate', path, size: numbers[0] as number };
  const isHere = path === '' ? args.includes(hexOf(folder)) : path.startsWith(folder);
  if (name === 'pwrite64')
    return isHere
      ? { type: 'write', path, offset: numbers[2] as number, bytes: whole(textIn(args), numbers[1]) }
      : null;
  if (isHere) throw new Error(`The recording holds a call that the replay does not know: ${name} of ${path}`);
  return null;
}

function openedOf(args: string, path: string): Step | null {
  const [, flags = ''] = /", ([A-Z_|]+)/.exec(args) ?? [];
  if (flags.includes('O_TRUNC')) return { type: 'truncate', path, size: 0 };
  return flags.includes('O_CREAT') ? { type: 'create', path } : null;
}

function whole(bytes: Buffer, length: number | undefined): Buffer {
  if (bytes.length !== length) throw new Error(`The recording cut a write of ${length} bytes to ${bytes.length}.`);
  return bytes;
}

/** The path that strace puts after a descriptor, `5</tmp/x>`. */
function pathIn(text: string): string {
  const [, path = ''] = /^\d+<([^>]*)>/.exec(text) ?? [];
  return path.includes('\\x') ? bytesOf(path).toString() : path;
}

function textIn(args: string): Buffer {
  const from = args.indexOf('"') + 1;
  return bytesOf(args.slice(from, args.indexOf('"', from)));
}

const bytesOf = (escaped: string) => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
const hexOf = (text: string) => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('');
