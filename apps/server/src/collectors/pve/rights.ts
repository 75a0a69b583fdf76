import { lackingOf, missingOf, type Need } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

/** What a part must be allowed. */
export interface RightNeed extends Need {
  /** without it lists are filtered in silence, so nothing else tells */
  silent?: true
}

export const rightsOf = (parts: readonly { rights?: readonly RightNeed[] }[]): RightNeed[] =>
  parts.flatMap(({ rights = [] }) => rights)

const isSilent = ({ silent }: RightNeed) => silent ?? false

/** PVE filters lists in silence instead of refusing them: what is missing shows here only. */
export const missingForLists = (granted: Permissions, needs: readonly RightNeed[]): string[] =>
  missingOf(granted, needs.filter(isSilent))

/** What lists need comes first: without it there is nothing to have details of. */
export const missingRights = (granted: Permissions, needs: readonly RightNeed[]): string[] =>
  lackingOf(granted, [...needs.filter(isSilent), ...needs.filter((need) => !isSilent(need))])
