import type { ChangesProps } from './changes-view.tsx'

/** The page of changes, with those of this thing. `name`: as the changes have it. */
export const allChangesOf = ({ kind, name }: Pick<ChangesProps, 'kind' | 'name'>): string =>
  `/proxmox/changes?${new URLSearchParams({ range: 'month', kind, ...(name && { search: name }) }).toString()}`
