/** A node of the syntax tree (ESTree), with its place in the source. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The text from `start` to `end` becomes `by`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};
/** Methods that become another one. */
const SWAPPED: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** Methods without which the value stays as it was. */
const DROPPED = ['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim', 'toLowerCase', 'toUpperCase'];
const REMOVED = ['ExpressionStatement', 'ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement'];
/** A state, a code or a name of a field; sentences are left alone, as every wording would need a test of its own. */
const WORD = /^[A-Za-z][\w-]*$/;

/** Returns the small changes of one node. Each alters what the program does, unless the two are equivalent. */
export function changesOf(node: Node, source: string): Change[] {
  const text = ({ start, end }: Node) => source.slice(start, end);
  const become = (place: Node, ...texts: readonly string[]) =>
    texts.map((by) => ({ start: place.start, end: place.end, by }));
  const { left, right, test, argument, operator, prefix } = node as Node & Record<string, Node> & { operator: string };
  if (REMOVED.includes(node.type)) return become(node, ';');
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression')
    return become(test as Node, 'true', 'false');
  // A loop that becomes endless would only be found by its time limit.
  if (/^(?:While|For)Statement$/.test(node.type)) return isNode(test) ? become(test, 'false') : [];
  if (node.type === 'UpdateExpression') {
    const by = operator === '++' ? '--' : '++';
    return become(node, prefix ? by + text(argument as Node) : text(argument as Node) + by);
  }
  if (node.type === 'UnaryExpression' && (operator === '!' || operator === '-'))
    return become(node, text(argument as Node));
  if (operator === '??') return become(node, `(${text(left as Node)})`, `(${text(right as Node)})`);
  if (isNode(left) && isNode(right) && operator in OPERATORS) {
    const start = source.indexOf(operator, left.end);
    return (OPERATORS[operator] ?? []).map((by) => ({ start, end: start + operator.length, by }));
  }
  if (node.type === 'Literal') return become(node, ...otherValues(node.value));
  return node.type === 'CallExpression' ? otherCalls(node, text) : [];
}

function otherValues(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'bigint') return [`${value + 1n}n`, `(${value - 1n}n)`];
  if (typeof value === 'number') return [`${value + 1}`, `(${value - 1})`];
  if (value === '') return ["'other'"];
  return typeof value === 'string' && WORD.test(value) ? ["''"] : [];
}

function otherCalls(node: Node, text: (node: Node) => string): Change[] {
  const { object, property } = node.callee as Node;
  if (!isNode(object) || !isNode(property)) return [];
  const name = text(property);
  const swapped = Object.hasOwn(SWAPPED, name) ? SWAPPED[name] : undefined;
  if (swapped !== undefined) return [{ start: property.start, end: property.end, by: swapped }];
  return DROPPED.includes(name) ? [{ start: object.end, end: node.end, by: '' }] : [];
}

/** Whether a value in the syntax tree is a node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
