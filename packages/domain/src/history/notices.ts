import type { HistoryChange, RecordKind } from '@pulse/contract'
import type { ChangeValue, Found } from './found-changes.ts'
import type { Fields } from './logged-fields.ts'
import { noticedOf, type Related } from './noticed-kinds.ts'

/** A change that pages list. */
export interface ChangeNotice extends HistoryChange {
  kind: RecordKind
}

const longestText = 200

/** What a change of a record means to a person; nothing for most changes. */
export function noticesOf(
  place: Pick<ChangeNotice, 'at' | 'kind' | 'id'>,
  before: Fields | undefined,
  after: Fields | undefined,
  related: Related,
): ChangeNotice[] {
  const noticed = noticedOf(place.kind)
  const record = after ?? before
  if (!noticed || !record || noticed.isElsewhere?.(record)) return []
  let found: (Found | undefined)[] = []
  if (before && after) found = noticed.changes(before, after)
  else if (noticed.comesAndGoes)
    found = after ? [{ what: 'came' }, noticed.onArrival?.(after)] : [{ what: 'went' }]
  if (found.every((one) => one === undefined)) return []
  const { as: kind = place.kind, name, where, vmid } = noticed
  const of = where?.(record, related, place.id)
  const subject = {
    ...place,
    kind,
    name: name(record, related, place.id).slice(0, longestText),
    ...(of !== undefined && { where: of.slice(0, longestText) }),
    ...(vmid && { vmid: vmid(record) }),
  }
  return found.flatMap((one) => (one ? [{ ...subject, ...shortened(one) }] : []))
}

const cut = (value: ChangeValue) => (typeof value === 'string' ? value.slice(0, longestText) : value)

const shortened = ({ from, to, ...found }: Found): Found => ({
  ...found,
  ...(from !== undefined && { from: cut(from) }),
  ...(to !== undefined && { to: cut(to) }),
})
