const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** As people sort names: pve2 before pve10, case aside. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b)
