import { lackingOf, missingOf, type Need, whereLacking } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

/** What a part must be allowed. */
export interface RightNeed extends Need {
  /** without it lists are filtered in silence, so nothing else tells */
  silent?: true
  /** without it what bears this name is listed in part or not at all, and nothing tells either */
  hides?: string
}

export const rightsOf = (parts: readonly { rights?: readonly RightNeed[] }[]): RightNeed[] =>
  parts.flatMap(({ rights = [] }) => rights)

const leavesOut = ({ silent }: RightNeed) => silent ?? false

/** PVE filters lists in silence instead of refusing them: what is missing shows here only. */
export const missingForLists = (granted: Permissions, needs: readonly RightNeed[]): string[] =>
  missingOf(granted, needs.filter(leavesOut))

/** Hidden lists, and the missing right of each. */
export const hiddenLists = (granted: Permissions, needs: readonly RightNeed[]) =>
  needs.flatMap((need) => {
    const [error] = need.hides === undefined ? [] : lackingOf(granted, [need])
    if (error === undefined) return []
    return [{ what: need.hides!, error, right: `${need.called} on ${whereLacking(granted, need)}` }]
  })

/** What lists need comes first: without it there is nothing to have details of. */
export const missingRights = (granted: Permissions, needs: readonly RightNeed[]): string[] =>
  lackingOf(granted, [...needs.filter(leavesOut), ...needs.filter((need) => !leavesOut(need))])
