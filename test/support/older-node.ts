/** Imported, it gives this Node the version of an older one, for machines without an older Node. */
export const PRETENDED =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})';
