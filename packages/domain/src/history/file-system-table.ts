import { type FileSystem, fileSystemUsage, type Guest, type GuestDisk } from '@pulse/contract'
import { fileSystemId } from '../file-systems.ts'
import type { Records } from '../state/patch.ts'
import { STEP } from '../wire/in-steps.ts'

/** A guest with more of them has volumes of containers that come and go. */
export const mostFileSystems = 64

/**
 * The file systems of all guests. The state has them as a list within each guest, which is absent while the guest
 * is stopped or its agent is silent. Here they stay as long as their guest, so that such a time is a gap with a reason.
 */
export class FileSystemTable {
  readonly #guests: Records<Guest>
  readonly #table = new Map<string, FileSystem>()
  /** keys by guest */
  readonly #ofGuest = new Map<string, readonly string[]>()

  constructor(guests: Records<Guest>) {
    this.#guests = guests
  }

  /** By key of the guest and name of the file system. */
  get records(): ReadonlyMap<string, FileSystem> {
    return this.#table
  }

  /** Follows the guests, in steps. */
  *refresh(now: number): Generator<void, void> {
    let done = 0
    for (const guestId of this.#ofGuest.keys()) {
      if (++done % STEP === 0) yield
      if (!this.#guests.has(guestId)) this.#replace(guestId, new Map())
    }
    for (const [guestId, guest] of this.#guests) {
      if (++done % STEP === 0) yield
      const known = this.#ofGuest.get(guestId)
      if (!known && !guest.disks) continue
      if (known?.length && this.#table.get(known[0]!)!.guest === guest) continue
      this.#replace(
        guestId,
        guest.disks ? this.#reported(guestId, guest, now) : this.#silent(guestId, guest, now),
      )
    }
  }

  /** Those that are known first, so that no newcomer displaces one. */
  #reported(guestId: string, guest: Guest, now: number): Map<string, FileSystem> {
    const listed = new Map<string, FileSystem>()
    for (const [index, disk] of guest.disks!.entries()) {
      const key = fileSystemId(guestId, disk, index)
      const isMeasured = fileSystemUsage(disk) !== undefined
      if (listed.has(key) || !(isMeasured || this.#table.has(key))) continue
      listed.set(key, fileSystem(guestId, guest, disk, isMeasured ? disk.staleSince : now))
    }
    if (listed.size <= mostFileSystems) return listed
    const known = [...listed].filter(([key]) => this.#table.has(key))
    const others = [...listed].filter(([key]) => !this.#table.has(key))
    return new Map([...known, ...others].slice(0, mostFileSystems))
  }

  #silent(guestId: string, guest: Guest, now: number): Map<string, FileSystem> {
    const known = this.#ofGuest.get(guestId) ?? []
    return new Map(known.map((key) => [key, fileSystem(guestId, guest, this.#table.get(key)!.disk, now)]))
  }

  #replace(guestId: string, fresh: ReadonlyMap<string, FileSystem>) {
    for (const key of this.#ofGuest.get(guestId) ?? []) if (!fresh.has(key)) this.#table.delete(key)
    for (const [key, one] of fresh) this.#table.set(key, one)
    if (fresh.size > 0) this.#ofGuest.set(guestId, [...fresh.keys()])
    else this.#ofGuest.delete(guestId)
  }
}

function fileSystem(guestId: string, guest: Guest, disk: GuestDisk, since: number | undefined): FileSystem {
  const staleSince = guest.staleSince ?? since
  return { source: guest.source, guestId, guest, disk, ...(staleSince !== undefined && { staleSince }) }
}
