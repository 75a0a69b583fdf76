const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Natural order: pve2 before pve10, case-insensitive. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b)
