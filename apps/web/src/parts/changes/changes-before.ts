const dayMs = 86_400_000

/** The address of the changes in the day before an alert and in its first minute. The page marks its start. */
export const changesBefore = (at: number): string =>
  `/proxmox/changes?from=${at - dayMs}&to=${at + 60_000}&alert=${at}`
