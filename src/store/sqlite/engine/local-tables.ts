/**
 * What one machine knows of itself, and others do not: which processes receive, how far it has carried its log out, what its own calls were
 * answered, and what it found damaged in its own file. In every other table machines that share a log have the same rows.
 */
export const LOCAL_TABLES = ['receivers', 'carried_out', 'answers', 'soundness'] as const;
