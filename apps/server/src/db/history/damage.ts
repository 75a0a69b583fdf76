const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** The file cannot be read any more. */
export const isDamage = (error: unknown): boolean =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)
