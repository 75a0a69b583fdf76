import type { GuestMetadata, GuestMetadataInput } from '@pulse/contract'
import { type Clock, guestUrlProblem, type StatePatch } from '@pulse/domain'
import type { Logger } from 'pino'
import type { GuestMetadataStore } from '../db/guest-metadata.ts'
import type { GuestMetadataRow } from '../db/schema.ts'
import { AppError } from '../app-error.ts'
import type { State } from '../state/state.ts'
import { keyOfGuest } from './names.ts'
import { type Match, unboundNames } from './unbound.ts'
import { createMutex, idle } from '../timing/concurrency.ts'

/**
 * Custom links of guests. The key is connection and vmid, so links follow a migration. A link for an unknown
 * guest, or from an import, is stored by name until the guest appears.
 */
export interface GuestMetadataArea {
  /** Binds links stored by name to their guests. */
  start(): Promise<void>
  /** Locks the links while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored links again after another writer changed them. */
  reload(): Promise<void>
  all(): Promise<Record<string, GuestMetadata>>
  /** An empty record for an unknown guest. */
  get(guestId: string): Promise<GuestMetadata>
  put(guestId: string, input: GuestMetadataInput): Promise<GuestMetadata>
  remove(guestId: string): Promise<void>
  stop(): Promise<void>
}

export interface GuestMetadataEdges {
  state: State
  clock: Clock
  log: Logger
  onWrite: () => void
  /** a connection has not answered yet */
  isPending: () => boolean
}

const namePrefix = 'id:'
/** Maximum links of unknown guests. */
export const maxUnknownLinks = 500
/** Twice the guests of the largest installation. */
const maxLinks = 20_000

export function guestMetadata(
  store: GuestMetadataStore,
  { state, clock, log, onWrite, isPending }: GuestMetadataEdges,
): GuestMetadataArea {
  let names = unboundNames(state.tables)
  let unsubscribe = () => {}
  /** Serializes changes, so that none is lost. */
  const runExclusive = createMutex()

  const keyOf = (guestId: string) => keyOfGuest(guestId, state.tables) ?? `${namePrefix}${guestId}`

  async function find(guestId: string): Promise<GuestMetadataRow | undefined> {
    return (await store.find(keyOf(guestId))) ?? (await store.findByWireId(guestId))
  }

  /** Limits links, so that invented guests cannot fill the disk. */
  async function refuseTooMany(key: string) {
    if (key.startsWith(namePrefix) && (await store.count(namePrefix)) >= maxUnknownLinks) {
      throw new AppError(
        'conflict',
        `There are ${maxUnknownLinks} links of unknown guests, which is the limit. Remove some of them first.`,
      )
    }
    if ((await store.count()) >= maxLinks) {
      throw new AppError(
        'conflict',
        `There are ${maxLinks} guest links, which is the limit. Remove some of them first.`,
      )
    }
  }

  const toRecord = (row: GuestMetadataRow): GuestMetadata => ({
    id: state.tables.guests.get(row.guest_key)?.id ?? row.wire_id,
    customUrl: row.custom_url,
  })

  /** The row keeps its name, so that clients that use the name still find the link. */
  async function tie({ guestId, key }: Match) {
    const oldKey = `${namePrefix}${guestId}`
    const [old, own] = [await store.find(oldKey), await store.find(key)]
    if (old && own && own.updated_at >= old.updated_at) await store.remove(oldKey)
    else if (old) await store.rename(oldKey, { ...old, guest_key: key })
    names.remove(guestId)
    if (old) onWrite()
  }

  function follow({ guests }: StatePatch) {
    for (const match of names.matches(guests?.put, isPending)) {
      runExclusive(() => tie(match)).catch((err: unknown) =>
        log.error({ err, guest: match.guestId }, 'cannot assign a link to its guest'),
      )
    }
  }

  async function takeUp() {
    names = unboundNames(state.tables)
    for (const key of await store.keysFrom(namePrefix)) names.add(key.slice(namePrefix.length))
    for (const match of names.matches(state.tables.guests, isPending)) await tie(match)
  }

  return {
    start: () =>
      runExclusive(async () => {
        // Subscribed first, so that a guest that appears meanwhile is in the state or in a patch.
        unsubscribe = state.subscribe(follow)
        await takeUp()
      }),
    runExclusive,
    reload: takeUp,
    async all() {
      const records = (await store.all()).map(toRecord)
      return Object.fromEntries(records.map((record) => [record.id, record]))
    },
    async get(guestId) {
      const row = await find(guestId)
      return row ? toRecord(row) : { id: guestId }
    },
    put: (guestId, input) =>
      runExclusive(async () => {
        const problem = guestUrlProblem(input.customUrl ?? '')
        if (problem) throw new AppError('validation_failed', problem, { details: { customUrl: problem } })
        const old = await find(guestId)
        const known = keyOfGuest(guestId, state.tables)
        const key = known ?? old?.guest_key ?? `${namePrefix}${guestId}`
        const wireId = state.tables.guests.get(key)?.id ?? old?.wire_id ?? guestId
        if (!input.customUrl) {
          if (old) await store.remove(old.guest_key)
          onWrite()
          return { id: wireId }
        }
        const row = { guest_key: key, wire_id: wireId, custom_url: input.customUrl, updated_at: clock.now() }
        if (!old) await refuseTooMany(key)
        // Added before the write, because the guest may appear meanwhile.
        if (key.startsWith(namePrefix)) names.add(key.slice(namePrefix.length))
        if (old && old.guest_key !== key) await store.rename(old.guest_key, row)
        else await store.put(row)
        onWrite()
        return toRecord(row)
      }),
    remove: (guestId) =>
      runExclusive(async () => {
        const old = await find(guestId)
        if (old) await store.remove(old.guest_key)
        onWrite()
      }),
    async stop() {
      unsubscribe()
      await idle(runExclusive)
    },
  }
}
