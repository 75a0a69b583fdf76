import { isOfSites, protectionWords, type ProtectionWord, type SiteOf, siteTerms } from '@pulse/domain'
import type { LiveReader } from '../../../live/store.ts'
import { createListSelector, type List, type ListItem } from '../../../parts/list/list-selector.ts'
import { nodeKey } from '../../../parts/nodes/nodes.ts'
import type { Sort } from '../../../ui/table/sort.ts'
import type { GuestNames } from '../../../parts/backups/guest-names.ts'
import { type ProtectedGuest, protectedGuest } from '../../../parts/backups/protected-guest.ts'
import { type ProtectionColumnId, protectionColumns } from './protection-columns.tsx'
import { backupLocationText, wordTexts } from '../../../parts/backups/protection-words.ts'

/** `attention`: guests with any problem. */
export type ProtectionFilter = 'all' | 'attention' | ProtectionWord

export interface ProtectionQuery {
  filter: ProtectionFilter
  search: string
  /** absent without sites: `site:` is then a word like any other */
  siteOf: SiteOf | undefined
  /** only guests on this node (see `nodeKey`), or with their newest backup on this server */
  node: string | undefined
  server: string | undefined
  sort: Sort<ProtectionColumnId>
}

export const protectionNames = { record: 'guest', group: 'none' } as const
export type ProtectionList = List<'guest' | 'none'>

const WELL = 'well'

export function createProtectionSelector(query: ProtectionQuery, namesOf: (live: LiveReader) => GuestNames) {
  const { key, direction } = query.sort
  const { value } = protectionColumns.find(({ id }) => id === key)!
  const { siteOf } = query
  const terms = siteOf ? siteTerms(query.search) : { sites: [], rest: query.search }
  const sought = terms.rest.trim().toLowerCase()
  return createListSelector({
    kind: 'protections',
    names: protectionNames,
    context: (live) => [namesOf(live)] as const,
    direction,
    toItem(protection, [names]): ListItem {
      const one = protectedGuest(protection, names)
      const { words } = one
      return {
        value: value(one, undefined),
        tiebreaker: protection.vmid,
        group: '',
        category: words.join(' ') || WELL,
        countOnly:
          !isWanted(query.filter, words) ||
          !isThere(query, one) ||
          !isOfSites(siteOf?.(protection.source), terms) ||
          (sought !== '' && !textOf(one).includes(sought)),
      }
    },
  })
}

function isWanted(filter: ProtectionFilter, words: readonly ProtectionWord[]): boolean {
  if (filter === 'all') return true
  return filter === 'attention' ? words.length > 0 : words.includes(filter)
}

function isThere({ node, server }: ProtectionQuery, { guest, protection }: ProtectedGuest): boolean {
  if (node !== undefined) return guest !== undefined && nodeKey(guest) === node
  return server === undefined || protection.newest?.instance === server
}

const textOf = ({ protection, guest, words }: ProtectedGuest): string =>
  [
    protection.vmid,
    guest?.name,
    guest?.instance,
    protection.newest && backupLocationText(protection.newest),
    protection.failed?.error,
    ...words.map((word) => wordTexts[word]),
  ]
    .join('\n')
    .toLowerCase()

export interface ProtectionCounts {
  all: number
  attention: number
  words: ReadonlyMap<ProtectionWord, number>
}

/** Counts all guests, ignoring the filter. */
export function countWords(marks: ReadonlyMap<string, number>): ProtectionCounts {
  const words = new Map<ProtectionWord, number>()
  let all = 0
  let attention = 0
  for (const [mark, count] of marks) {
    all += count
    if (mark === WELL) continue
    attention += count
    for (const word of mark.split(' ') as ProtectionWord[]) words.set(word, (words.get(word) ?? 0) + count)
  }
  return { all, attention, words }
}

/** Number of guests that need attention. Reads every guest after any change. */
export function countAttention(live: LiveReader): number {
  let count = 0
  for (const protection of live.records('protections').values())
    if (protectionWords(protection).length > 0) count++
  return count
}
