// The first import of every export of the package: on an older Node it says so, before a package fails with words of its own.
import { isOlderNode, NEEDS_NODE } from './runtime.js';

if (isOlderNode()) throw new Error(NEEDS_NODE);
