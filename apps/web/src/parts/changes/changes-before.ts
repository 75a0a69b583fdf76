const dayMs = 86_400_000

/** The address of the changes in the day before a moment, and in the minute of it. */
export const changesBefore = (at: number): string => `/proxmox/changes?from=${at - dayMs}&to=${at + 60_000}`
