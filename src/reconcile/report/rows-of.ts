type Row = Readonly<Record<string, unknown>>;

/**
 * The figures with some of their rows: of each list, in whatever part it stands, those that `isOwn` keeps. A row without the field `by`
 * belongs to none, and stays; so does all that a kept row holds. A list that a report gets later is narrowed, too.
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
