// The types of runtime.js, which an older Node reads and which is therefore plain JavaScript.
export declare const NODE_MAJOR: number;
export declare const STABLE_WASM_CALLS: string;
export declare const FLAGS_OF_KEPT_CODE: string[];
export declare const V8_FLAGS: string[];
export declare const ENVIRONMENT: Readonly<Record<string, string>>;
export declare function setLaterFlags(): void;
export declare function keepCompiled(): void;
