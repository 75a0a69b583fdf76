import type { AnyRecord, RecordKind } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import type { StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import { ChangeLog } from './change-log.ts'
import { ChangeReader } from './change-reader.ts'
import { memoryChanges } from './fixtures-change-storage.ts'
import { dayMs } from './tiers.ts'

export const T0 = Date.UTC(2026, 0, 5, 23, 30)
export const keepMs = 3 * dayMs
export const ids = ['main:100', 'main:101', 'other:7', '__proto__']

/** The fields that a person changes; the others are figures. */
export interface Look {
  name: string
  node: string
  tags?: string | undefined
  totalBytes: number
}

export const guestOf = ({ totalBytes, ...look }: Look, load: number) =>
  aGuest({ ...look, cpu: load, memory: { total: totalBytes, used: load, free: 0, usage: 0 } })

export interface Event {
  at: number
  id: string
  look: string | undefined
}

/** Keeps every event, and computes every answer from all of them. */
class Model {
  events: Event[] = []
  readonly #now = new Map<string, string>()

  put(at: number, id: string, look: Look) {
    const text = textOf(look)
    if (this.#now.get(id) !== text) this.#add(at, id, text)
  }

  remove(at: number, id: string) {
    if (this.#now.has(id)) this.#add(at, id, undefined)
  }

  #add(at: number, id: string, look: string | undefined) {
    this.events.push({ at, id, look })
    this.#fold(this.#now, this.events.at(-1)!)
  }

  /** Only the first events are left. */
  cut(count: number): Event[] {
    const lost = this.events.splice(count)
    this.#now.clear()
    for (const event of this.events) this.#fold(this.#now, event)
    return lost
  }

  /** The clock may have been at a time more than once: then the last time counts. */
  at(moment: number): Record<string, string> {
    const state = new Map<string, string>()
    const end = this.events.findLastIndex(({ at }) => at <= moment)
    for (const event of this.events.slice(0, end + 1)) this.#fold(state, event)
    return Object.fromEntries([...state].map(([id, look]) => [`id ${id}`, look]))
  }

  #fold(state: Map<string, string>, { id, look }: Event) {
    if (look === undefined) state.delete(id)
    else state.set(id, look)
  }
}

export const textOf = ({ name, node, tags, totalBytes }: Look) =>
  [name, node, tags ?? '-', totalBytes].join(' ')

export function given() {
  const guests = new Map<string, AnyRecord>()
  const tables = new Proxy({} as Tables, {
    get: (_, kind: RecordKind) => (kind === 'guests' ? guests : new Map()),
  })
  const memory = memoryChanges()
  let written = 0
  const storage = {
    ...memory,
    write(...[row, latest]: Parameters<typeof memory.write>) {
      written += (JSON.parse(row.body) as unknown[]).length
      return memory.write(row, latest)
    },
  }
  const model = new Model()
  let now = T0
  const clock = { now: () => now, monotonic: () => now }
  const world = {
    get now() {
      return now
    },
    set now(at) {
      now = at
    },
    hasStepped: false,
    log: new ChangeLog(storage, 1),
    reader: new ChangeReader(clock),
    storage,
    model,
    guests,
    patch(put: ReadonlyMap<string, { look: Look; load: number }>, remove: readonly string[]): void {
      const patch = {
        put: new Map<string, AnyRecord>(),
        remove: new Set(remove.filter((id) => !put.has(id))),
      }
      for (const id of patch.remove) {
        guests.delete(id)
        model.remove(world.now, id)
      }
      for (const [id, { look, load }] of put) {
        const guest = guestOf(look, load)
        patch.put.set(id, guest)
        guests.set(id, guest)
        model.put(world.now, id, look)
      }
      world.log.append(world.reader.read({ guests: patch } as StatePatch), world.now)
    },
    /** What was not durable is lost. The state is sent again. */
    kill(): Event[] {
      const lost = model.cut(written)
      world.log = new ChangeLog(storage, 1)
      world.reader = new ChangeReader(clock)
      for (const entries of world.reader.readAll(tables)) world.log.append(entries, world.now)
      for (const listing of world.reader.list(tables, new Set(['', 'main'])))
        world.log.append([listing], world.now)
      for (const { id } of model.events) if (!guests.has(id)) model.remove(world.now, id)
      for (const [id, guest] of guests) model.put(world.now, id, lookOf(guest))
      return lost
    },
    maintain: (): Generator<void, void> => world.log.maintain(world.now, world.now, keepMs),
    at(moment: number): Record<string, string> | undefined {
      const past = world.log.at(moment)
      return (
        past &&
        Object.fromEntries([...past.of('guests')].map(([id, record]) => [`id ${id}`, textOf(lookOf(record))]))
      )
    },
  }
  return world
}

export function lookOf(record: object): Look {
  const { name, node, tags, memory } = record as ReturnType<typeof aGuest>
  return { name, node, tags, totalBytes: memory!.total }
}
