/** What grows old, and where its limits stand. */
export const ages = {
  backups: { title: 'Backups', field: 'backupDefaults' },
  snapshots: { title: 'Snapshot Age', field: 'snapshotDefaults' },
} as const

export type AgeKind = keyof typeof ages
