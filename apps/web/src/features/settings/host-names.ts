/** How many Docker hosts a warning, or a table row, names per token. */
export const namedHosts = { warning: 5, table: 2 } as const

/** `a, b, +3 more` */
export const namesText = (names: readonly string[], most: number): string =>
  [...names.slice(0, most), ...(names.length > most ? [`+${names.length - most} more`] : [])].join(', ')
