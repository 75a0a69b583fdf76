import type { OverrideKind, RecordOf } from '@pulse/contract'
import { isOfSites, type SiteOf, siteTerms } from '@pulse/domain'
import type { LiveReader } from '../../../live/store.ts'
import { indexHosts } from '../../../parts/nodes/docker-hosts.ts'
import { createListSelector, type List } from '../../../parts/list/list-selector.ts'
import { groupName, groupsAround, orderGroups, readerOf } from './resources.ts'

export const resourceNames = { record: 'resource', group: 'group' } as const
export type ResourceList = List<'resource' | 'group'>

/**
 * Resources of a table that match the search: every word must occur in the name, kind, node or cluster. `siteOf` is undefined
 * without sites; then `site:` is a word like any other.
 */
export function createResourceSelector(
  kind: OverrideKind,
  search: string,
  siteOf?: SiteOf,
): (live: LiveReader) => ResourceList {
  const { resource, isShown, group, order, searched, unread: ignoredFields } = readerOf(kind)
  const terms = siteOf ? siteTerms(search) : { sites: [], rest: search }
  const words = terms.rest.toLowerCase().split(/\s+/).filter(Boolean)
  let reader: LiveReader | undefined

  const isFound = (record: RecordOf<typeof kind>, head: string): boolean => {
    const { name, badge, cluster, note } = resource(record as never)
    const texts = [name, badge, cluster, note, head, ...(searched?.(record as never) ?? [])]
    const text = texts.filter(Boolean).join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }

  const select = createListSelector({
    kind,
    names: resourceNames,
    context: (live): readonly [unknown] => {
      reader = live
      return [groupsAround(live, kind)]
    },
    direction: 'asc',
    ...(ignoredFields && { ignoredFields }),
    toItem(record) {
      if (isShown && !isShown(record as never)) return undefined
      if (!isOfSites(siteOf?.(record.source), terms)) return undefined
      const at = group?.(record as never) ?? ''
      // containers of a hidden host are hidden too
      if (kind === 'dockerContainers' && !indexHosts(reader!).has(at)) return undefined
      const head = words.length > 0 && group ? groupName(reader!, kind, at) : ''
      if (words.length > 0 && !isFound(record, head)) return undefined
      const { name } = resource(record as never)
      return { value: order?.(record as never) ?? name, tiebreaker: name, group: at, category: kind }
    },
    ...(group && { groups: (present: readonly string[]) => orderGroups(present, reader!, kind) }),
  })
  return (live) => select(live)
}
