import { compareNames } from '@pulse/domain'
import type { GuestMetadata, GuestType } from '@pulse/contract'
import { displayName } from '../../../lib/display-name.ts'
import type { LiveReader } from '../../../live/store.ts'

/** A guest, as far as its link needs it. */
export interface LinkedGuest {
  /** survives a migration of the guest */
  key: string
  /** changes with a migration */
  id: string
  name: string
  vmid: number
  type: GuestType
  node: string
}

/** In the Overview's order: by node, then by number. */
export function selectGuests(live: LiveReader): readonly LinkedGuest[] {
  const guests = [...live.records('guests')].map(([key, guest]) => {
    const { id, vmid, type, node } = guest
    return { key, id, vmid, type, node, name: displayName({ name: guest.name }) || `Guest ${vmid}` }
  })
  return guests.sort((a, b) => compareNames(a.node, b.node) || a.vmid - b.vmid)
}

export const sameGuests = (a: readonly LinkedGuest[], b: readonly LinkedGuest[]): boolean =>
  a.length === b.length && a.every((one, index) => isSame(one, b[index]!))

const isSame = (a: LinkedGuest, b: LinkedGuest) =>
  a.key === b.key && a.id === b.id && a.name === b.name && a.vmid === b.vmid && a.node === b.node

/** Matches any part of the name, the number or the node. */
export const isMatch = ({ name, vmid, node }: LinkedGuest, search: string): boolean => {
  const wanted = search.trim().toLowerCase()
  return [name, String(vmid), node].some((text) => text.toLowerCase().includes(wanted))
}

export type Metadata = Readonly<Record<string, GuestMetadata>>

/** Stored under the guest's id, or under node and number by older versions. */
export function storedUrl(metadata: Metadata, { id, node, vmid }: LinkedGuest): string {
  const key = [id, `${node}-${vmid}`].find((one) => Object.hasOwn(metadata, one) && metadata[one]!.customUrl)
  return key === undefined ? '' : metadata[key]!.customUrl!
}
