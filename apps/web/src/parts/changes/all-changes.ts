import type { ChangesProps } from './changes-view.tsx'

/** The page of changes, with those of this thing. */
export const allChangesOf = ({ kind, id }: Pick<ChangesProps, 'kind' | 'id'>): string =>
  `/proxmox/changes?${new URLSearchParams({ range: 'month', kind, id }).toString()}`
