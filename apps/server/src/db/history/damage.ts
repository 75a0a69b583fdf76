const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export const isDamageCode = (code = 0): boolean => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff)

/** The file cannot be read any more. */
export const isDamage = (error: unknown): boolean => isDamageCode((error as { errcode?: number }).errcode)
