import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { UploadedFile } from './route.ts';

// The body of a form, within its limits: its fields in memory, its files on disk.

export type ReadForm = {
  readonly fields: URLSearchParams;
  readonly files: Readonly<Record<string, UploadedFile>>;
  /** Deletes the files that are still where they were put. */
  readonly end: () => Promise<void>;
} & (
  | { readonly outcome: 'read' | 'unreadable' }
  /** `refused`: the fields before the first file were not in order, and nothing of it was read. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'too_large'; readonly limitBytes: number }
);

export interface FormLimits {
  /** Of all fields together. */
  readonly formBytes: number;
  /** Of one file. */
  readonly fileBytes: number;
  readonly files: number;
  readonly fields: number;
  readonly folder: string;
  /** A name of a file that is not there yet. */
  readonly newName: () => string;
}

const URLENCODED = 'application/x-www-form-urlencoded';

/** Reads a form. `check` sees the fields that come before the first file, which is not kept unless it returns true; null: no file is taken. */
export async function readForm(
  body: Readable,
  contentType: string,
  limits: FormLimits,
  check: ((fields: URLSearchParams) => boolean) | null,
): Promise<ReadForm> {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (kind === URLENCODED) return readFields(body, limits);
  return kind === 'multipart/form-data' && check !== null
    ? readParts(body, contentType, limits, check)
    : ended('unreadable');
}

async function readFields(body: Readable, { formBytes, fields: most }: FormLimits): Promise<ReadForm> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > formBytes) return { ...ended('read'), outcome: 'too_large', limitBytes: formBytes };
      chunks.push(chunk);
    }
  } catch {
    return ended('unreadable'); // it was cut off
  }
  const fields = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  return fields.size > most ? ended('unreadable') : { ...ended('read'), fields };
}

async function readParts(
  body: Readable,
  contentType: string,
  limits: FormLimits,
  check: (fields: URLSearchParams) => boolean,
): Promise<ReadForm> {
  const fields = new URLSearchParams();
  const files: Record<string, UploadedFile> = {};
  const writing: Promise<unknown>[] = [];
  const paths: string[] = [];
  const closed: Promise<void>[] = [];
  /** Of all fields so far. */
  let bytes = 0;
  const stopped = new AbortController();
  const found: { outcome: 'read' | 'unreadable' | 'refused' | 'too_large' } = { outcome: 'read' };
  /** The first reason counts. */
  const stop = (why: typeof found.outcome) => {
    if (found.outcome === 'read') found.outcome = why;
    stopped.abort();
  };
  const end = async () => {
    await Promise.all(closed); // one that is still being opened would be there again
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        ...{ fieldNameSize: 200, fieldSize: limits.formBytes, fields: limits.fields, fileSize: limits.fileBytes },
        ...{ files: limits.files, parts: limits.fields + limits.files, headerPairs: 20 },
      },
    });
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) stop('too_large');
      else {
        bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
        if (bytes > limits.formBytes) stop('too_large');
        else fields.append(name, value);
      }
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => stop('too_large'));
    parser.on('file', (field, stream, name) => {
      if (!check(fields)) {
        stream.resume();
        stop('refused');
        return;
      }
      const path = join(limits.folder, limits.newName());
      paths.push(path);
      stream.on('limit', () => stop('too_large'));
      const file = createWriteStream(path, { mode: 0o600, flags: 'wx' });
      closed.push(new Promise((resolve) => file.once('close', resolve)));
      writing.push(
        pipeline(stream, file, { signal: stopped.signal }).then(() => {
          // A field without a chosen file comes as an empty one without a name.
          if (name !== undefined && name !== '') files[field] = { name, path, bytes: file.bytesWritten };
        }),
      );
    });
    await pipeline(body, parser, { signal: stopped.signal });
    await Promise.all(writing);
  } catch {
    stop('unreadable'); // it was cut off, or is no form
    await Promise.allSettled(writing);
  }
  const { outcome } = found;
  if (outcome === 'too_large') {
    const file = { limitBytes: limits.fileBytes, fields };
    // So many fields are too many for a page that shows them again.
    const tooLarge = bytes > limits.formBytes ? { limitBytes: limits.formBytes, fields: new URLSearchParams() } : file;
    return { outcome, ...tooLarge, files: {}, end };
  }
  return { outcome, fields, files: outcome === 'read' ? files : {}, end };
}

function ended(outcome: 'read' | 'unreadable'): ReadForm {
  return { outcome, fields: new URLSearchParams(), files: {}, end: async () => {} };
}
