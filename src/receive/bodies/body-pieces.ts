/** Chunks from this size on are kept as they came; the memory around one (about 300 bytes) then weighs little. */
const OWN_PIECE_BYTES = 4_096;
const FIRST_BLOCK_BYTES = 256;
const LARGEST_BLOCK_BYTES = 64 * 1024;

/**
 * The bytes of one body as they arrive. Node gives every chunk of a chunked body as a Buffer of its own: a body of one MiB
 * in one-byte chunks would be a million of them. Small chunks are therefore copied into blocks that double in size, and
 * memory is taken as bytes arrive, not as Content-Length promises.
 */
export class BodyPieces {
  readonly #pieces: Buffer[] = [];
  readonly #declaredBytes: number;
  /** The last piece while it has room, with the number of bytes in it. */
  #block: Buffer | null = null;
  #filledBytes = 0;
  #length = 0;
  #heldBytes = 0;

  /** `declaredBytes`: Content-Length, or NaN without one. */
  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  /** Number of bytes that arrived. */
  get length(): number {
    return this.#length;
  }

  /** Memory that the pieces take, with the free room of the last one. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  add(chunk: Buffer): void {
    const startBytes = this.#length;
    this.#length += chunk.length;
    // The whole body in one chunk is the common case, and costs no copy.
    if (chunk.length >= OWN_PIECE_BYTES || chunk.length === this.#declaredBytes) this.#keepWhole(chunk);
    else this.#copy(chunk, startBytes);
  }

  /** Returns the whole body. */
  whole(): Buffer {
    this.#closeBlock();
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces, this.#length);
  }

  /**
   * Gives the memory back at once. Left to the garbage collector, which starts only after 64 MB of such bytes, bodies that
   * are refused would take more memory than those that are kept.
   */
  discard(): void {
    for (const { length, buffer } of this.#pieces) {
      const isAlone = length === buffer.byteLength; // else the memory is shared with others
      if (isAlone && buffer instanceof ArrayBuffer) buffer.transfer(0);
    }
    this.#pieces.length = 0;
    this.#block = null;
  }

  #keepWhole(chunk: Buffer): void {
    this.#closeBlock();
    this.#pieces.push(chunk);
    this.#heldBytes += chunk.length;
  }

  #copy(chunk: Buffer, startBytes: number): void {
    let copied = 0;
    while (copied < chunk.length) {
      this.#block ??= this.#newBlock(startBytes + copied, chunk.length - copied);
      const bytes = chunk.copy(this.#block, this.#filledBytes, copied);
      this.#filledBytes += bytes;
      copied += bytes;
      if (this.#filledBytes === this.#block.length) this.#block = null;
    }
  }

  /** As large as everything before it within the two limits, but no larger than what Content-Length leaves. */
  #newBlock(arrivedBytes: number, neededBytes: number): Buffer {
    const leftBytes = this.#declaredBytes - arrivedBytes;
    const wantedBytes = Math.min(LARGEST_BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, arrivedBytes, neededBytes));
    // Not from Node's shared pool: a few bytes would hold a whole slab of it.
    const block = Buffer.allocUnsafeSlow(leftBytes > 0 ? Math.min(wantedBytes, leftBytes) : wantedBytes);
    this.#pieces.push(block);
    this.#filledBytes = 0;
    this.#heldBytes += block.length;
    return block;
  }

  /** A block with much room left is replaced by its bytes. */
  #closeBlock(): void {
    if (this.#block === null) return;
    const filled = this.#block.subarray(0, this.#filledBytes);
    const isHalfEmpty = 2 * filled.length < this.#block.length;
    this.#pieces[this.#pieces.length - 1] = isHalfEmpty ? Buffer.from(new Uint8Array(filled).buffer) : filled;
    if (isHalfEmpty) this.#heldBytes -= this.#block.length - filled.length;
    this.#block = null;
  }
}
