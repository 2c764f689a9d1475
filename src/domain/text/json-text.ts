// JSON as the text that it is: each name, text and number keeps its spelling.

/** String, punctuation, white space, or number or word: every valid JSON text consists of these. */
export const JSON_TOKEN = /"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|\s+|[^"{}[\],:\s]+/g;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

/** A JSON text with its members on lines of their own; each name, text and number keeps its spelling. Other text is unchanged. */
export function indentedJson(text: string): string {
  if (!isJson(text)) return text;
  const tokens = (text.match(JSON_TOKEN) ?? []).filter((token) => !/^\s/.test(token));
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, at) => {
      if (token === '{' || token === '[') {
        depth++;
        return '}]'.includes(tokens[at + 1] ?? ' ') ? token : token + line();
      }
      if (token === '}' || token === ']') {
        depth--;
        return '{['.includes(tokens[at - 1] ?? ' ') ? token : line() + token;
      }
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .join('');
}
