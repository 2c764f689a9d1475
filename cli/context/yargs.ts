/**
 * Loads yargs. Its three copies of string-width make an Intl.Segmenter each while they load, 5 to 16 ms of processor time, and use it only
 * to lay out a help: until then a stand-in takes its place.
 */
export async function loadYargs() {
  const { Segmenter } = Intl;
  class SegmenterWhenUsed {
    #real: Intl.Segmenter | undefined;
    segment(text: string): Intl.Segments {
      this.#real ??= new Segmenter();
      return this.#real.segment(text);
    }
  }
  Object.assign(Intl, { Segmenter: SegmenterWhenUsed });
  try {
    return (await import('yargs')).default;
  } finally {
    Object.assign(Intl, { Segmenter });
  }
}
