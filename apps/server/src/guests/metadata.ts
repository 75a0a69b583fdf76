import type { GuestMetadata, GuestMetadataInput } from '@pulse/contract'
import { type Clock, guestUrlProblem } from '@pulse/domain'
import type { GuestMetadataStore } from '../db/guest-metadata.ts'
import type { GuestMetadataRow } from '../db/schema.ts'
import { AppError } from '../app-error.ts'
import type { State } from '../state/state.ts'

/** Custom links of guests. They hang on connection and vmid, so they move with a guest that migrates. */
export interface GuestMetadataArea {
  all(): Promise<Record<string, GuestMetadata>>
  /** An empty record when nothing is known. */
  get(guestId: string): Promise<GuestMetadata>
  put(guestId: string, input: GuestMetadataInput): Promise<GuestMetadata>
  remove(guestId: string): Promise<void>
}

export function guestMetadata(
  store: GuestMetadataStore,
  state: State,
  clock: Clock,
  onWrite: () => void,
): GuestMetadataArea {
  /** The identity behind a wire id; `{node}-{vmid}` counts when only one guest goes by it. */
  function keyOf(guestId: string): string {
    const short: string[] = []
    for (const [key, guest] of state.tables.guests) {
      if (guest.id === guestId) return key
      if (`${guest.node}-${guest.vmid}` === guestId) short.push(key)
    }
    return short.length === 1 ? short[0]! : `id:${guestId}`
  }

  async function find(guestId: string): Promise<GuestMetadataRow | undefined> {
    const key = keyOf(guestId)
    const rows = await store.all()
    return rows.find((row) => row.guest_key === key) ?? rows.find((row) => row.wire_id === guestId)
  }

  const toRecord = (row: GuestMetadataRow): GuestMetadata => ({
    id: state.tables.guests.get(row.guest_key)?.id ?? row.wire_id,
    customUrl: row.custom_url,
  })

  return {
    async all() {
      const records = (await store.all()).map(toRecord)
      return Object.fromEntries(records.map((record) => [record.id, record]))
    },
    async get(guestId) {
      const row = await find(guestId)
      return row ? toRecord(row) : { id: guestId }
    },
    async put(guestId, input) {
      const problem = guestUrlProblem(input.customUrl ?? '')
      if (problem) throw new AppError('validation_failed', problem, { details: { customUrl: problem } })
      const old = await find(guestId)
      const key = keyOf(guestId)
      const wireId = state.tables.guests.get(key)?.id ?? guestId
      if (!input.customUrl) {
        if (old) await store.remove(old.guest_key)
        onWrite()
        return { id: wireId }
      }
      const row = { guest_key: key, wire_id: wireId, custom_url: input.customUrl, updated_at: clock.now() }
      if (old && old.guest_key !== key) await store.rename(old.guest_key, row)
      else await store.put(row)
      onWrite()
      return toRecord(row)
    },
    async remove(guestId) {
      const old = await find(guestId)
      if (old) await store.remove(old.guest_key)
      onWrite()
    },
  }
}
