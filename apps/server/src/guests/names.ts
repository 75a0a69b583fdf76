import type { Guest } from '@pulse/contract'
import type { Tables } from '@pulse/domain'

type Known = Pick<Tables, 'guests' | 'nodes'>

/** The VMID at the end of a name. */
export function vmidOf(guestId: string): number | undefined {
  const digits = guestId.slice(guestId.lastIndexOf('-') + 1)
  return /^\d{1,10}$/.test(digits) ? Number(digits) : undefined
}

/** Whether it may be a former name of the guest: without the connection, or with another node of it. */
export function mayHaveBeen(
  guestId: string,
  { instance, node, vmid, source }: Guest,
  { nodes }: Known,
): boolean {
  if (guestId === `${node}-${vmid}`) return true
  const [start, end] = [`${instance}-`, `-${vmid}`]
  if (!guestId.startsWith(start) || !guestId.endsWith(end)) return false
  const between = guestId.slice(start.length, -end.length)
  for (const one of nodes.values()) if (one.source === source && one.name === between) return true
  return false
}

/** The guest with this name; otherwise the only guest that may have had it. */
export function keyOfGuest(guestId: string, known: Known): string | undefined {
  const vmid = vmidOf(guestId)
  const former: string[] = []
  for (const [key, guest] of known.guests) {
    if (guest.id === guestId) return key
    if (guest.vmid === vmid && mayHaveBeen(guestId, guest, known)) former.push(key)
  }
  return former.length === 1 ? former[0] : undefined
}
