type Row = Readonly<Record<string, unknown>>;

/**
 * The figures with fewer rows: each list of them, at any depth, keeps the rows for which `isOwn` is true, and the rows that have no field
 * `by`. What a kept row holds stays whole.
 */
export function rowsOf<Figures extends object>(figures: Figures, by: string, isOwn: (row: Row) => boolean): Figures {
  const narrowed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((row) => !isPart(row) || !(by in row) || isOwn(row));
    if (!isPart(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, narrowed(part)]));
  };
  return narrowed(figures) as Figures;
}

function isPart(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}
