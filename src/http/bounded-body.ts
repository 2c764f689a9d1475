import type { Readable } from 'node:stream';

// How much of an answer is read: whole within a limit, or its beginning. Nothing is decoded, so a compressed body costs no more.

/** Why a response is not read to its end: its status is none of HTTP, it redirects, its body is above the limit. */
export type ResponseFault = 'no_status' | 'redirect' | 'too_large';

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly fault: ResponseFault;
  constructor(fault: ResponseFault) {
    super(fault);
    this.fault = fault;
  }
}

/** The response ended within its body; `cause` is the error of the connection. */
export class CutError extends Error {}

/** Reads a body to its end. Rejects with ResponseError `too_large`, or CutError; its connection is then closed. */
export function readWhole(body: Readable, limitBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > limitBytes) body.destroy(new ResponseError('too_large'));
    });
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', (cause) => reject(cause instanceof ResponseError ? cause : new CutError('cut', { cause })));
  });
}

/**
 * Reads the beginning of a body, `limitBytes` at most: of one that is longer, that is cut or whose request is aborted, what came so
 * far. Never rejects. The connection of a longer one is closed.
 */
export function readStart(body: Readable, limitBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    const end = () => resolve(Buffer.concat(chunks).subarray(0, limitBytes));
    body.on('data', (chunk: Buffer) => {
      if (bytes < limitBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) body.destroy();
    });
    body.on('end', end);
    body.on('error', end);
    body.on('close', end);
  });
}
