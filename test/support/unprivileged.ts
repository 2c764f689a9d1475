/**
 * Runs a program so that the mode bits of files count, which they do not for a superuser: it keeps its user, so that it
 * can still read the program, and loses the capability to overrule them. Nothing to do for an ordinary user.
 */
export const WITH_MODE_BITS: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-fowner', '--'] : [];
