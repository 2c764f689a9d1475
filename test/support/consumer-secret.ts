/** A secret for tests: 32 bytes of one letter. */
export const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
export const SECRET = secretOf('a');
