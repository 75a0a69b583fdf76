// This file serves tests only, like the packages it needs.
import type { AnyRecord } from '@pulse/contract'
import {
  absent,
  atOnce,
  isSample,
  isSummary,
  precisionOf,
  sampledFields,
  Sampler,
  type Sample,
  type Tables,
} from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { type HistoryFile, openHistoryFile } from '../db/history/history-file.ts'
import { createThings, type ThingRegistry } from './things.ts'

const T0 = Date.UTC(2026, 0, 5)
export const secondMs = 1_000
const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
const lengths = { minute: minuteMs, quarter: 15 * minuteMs, day: dayMs } as const

const cpu = sampledFields.find(({ kind, name }) => kind === 'guests' && name === 'cpu')!
const { toStored } = precisionOf[cpu.unit]

/** A guest as a person knows it: whatever its name, its node and the former guest of its number. */
interface Known {
  mark: string
  /** what is durable, and what a kill loses */
  kept: Sample[]
  open: Sample[]
}

/** An estate that changes, Pulse's history of it, and a model that keeps every sample of each guest. */
export class World {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-months-'))
  #opened = 0
  readonly guests = new Map<string, ReturnType<typeof aGuest>>()
  readonly #sources = new Map<string, { name: string; kind: string; health: string; lastSeen: number }>()
  #file: HistoryFile
  #registry!: ThingRegistry
  #sampler!: Sampler
  now = T0
  #last: number | undefined
  /** guests on the node that is down, as they are; PVE does not say more than that they exist */
  readonly #lost = new Map<string, ReturnType<typeof aGuest>>()
  /** of each id: who has it, and whether Pulse has followed it since */
  readonly #having = new Map<string, { known: Known; isFollowed: boolean }>()
  /** all guests that an id ever meant, and since when */
  readonly #meant = new Map<string, { known: Known; since: number }[]>()
  /** all guests there ever were, and their numbers in the file */
  readonly numbers = new Map<Known, number>()

  constructor() {
    this.#sources.set('c1', { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: T0 })
    this.#file = this.#open()
  }

  get #path() {
    return path.join(this.#folder, `history-${this.#opened}.db`)
  }

  #open(): HistoryFile {
    const file = openHistoryFile(this.#path, sampledFields, 0)
    const numbers = new Map(file.opened().fields.map(({ kind, name, number }) => [`${kind} ${name}`, number]))
    const tables = new Proxy({ guests: this.guests, sources: this.#sources } as unknown as Tables, {
      get: (known, kind) => Reflect.get(known, kind) ?? new Map<string, AnyRecord>(),
    })
    this.#registry = createThings(tables, ['guests'])
    this.#sampler = new Sampler({
      tables,
      numberOf: ({ kind, name }) => numbers.get(`${kind} ${name}`)!,
      thingOf: this.#registry.numberOf,
    })
    this.#last = undefined
    for (const one of this.#having.values()) one.isFollowed = false
    return file
  }

  get #cpu() {
    return this.#file.opened().fields.find(({ kind, name }) => kind === 'guests' && name === 'cpu')!.number
  }

  create(id: string, name: string) {
    this.guests.set(id, aGuest({ source: 'c1', vmid: vmidOf(id), name, status: 'running', cpu: 0 }))
  }

  delete(id: string) {
    this.guests.delete(id)
    this.#lost.delete(id)
  }

  change(id: string, change: Parameters<typeof aGuest>[0]) {
    const table = this.#lost.has(id) ? this.#lost : this.guests
    const before = table.get(id)
    if (before) table.set(id, { ...before, ...change } as ReturnType<typeof aGuest>)
  }

  /** A node goes down, or the one that is comes back. */
  turnNode(node: string) {
    const wasLost = this.#lost.size > 0
    for (const [id, guest] of this.#lost)
      this.guests.set(id, { ...guest, ...(this.isUnreachable && { staleSince: this.now }) })
    this.#lost.clear()
    for (const [id, guest] of wasLost ? [] : this.guests) {
      if (guest.node !== node) continue
      const { staleSince: _, ...real } = guest
      this.#lost.set(id, real as typeof guest)
      this.guests.set(id, { ...guest, status: 'unknown', staleSince: this.now })
    }
  }

  /** After a start, the guests of a node that is down have no name. */
  #forgetNames() {
    for (const id of this.#lost.keys())
      this.guests.set(id, { ...this.guests.get(id)!, name: `VM ${vmidOf(id)}` })
  }

  tick() {
    const source = this.#sources.get('c1')!
    if (source.health === 'healthy') source.lastSeen = this.now
    const review = atOnce(this.#registry.review(this.now))
    this.#registry.accept(review, this.#file.things.identify(this.now, review.changes, review.wanted))
    this.#file.append(this.now, atOnce(this.#sampler.tick()))

    const isOver =
      this.#last !== undefined &&
      (this.now <= this.#last || Math.floor(this.now / minuteMs) !== Math.floor(this.#last / minuteMs))
    if (isOver) this.flushModel()
    this.#last = this.now
    for (const id of this.#having.keys()) if (!this.guests.has(id)) this.#having.get(id)!.isFollowed = false
    for (const [id, guest] of this.guests) this.#note(id, guest)
  }

  #note(id: string, guest: ReturnType<typeof aGuest>) {
    const mark = `${guest.type} ${guest.name}`
    const having = this.#having.get(id)
    if (guest.status === 'unknown') {
      if (!having?.isFollowed) return expect(this.#registry.numberOf('guests', id)).toBeUndefined()
      having.known.open.push({ at: this.now, stored: absent.silent })
      return
    }
    const isSame = having && (having.isFollowed || having.known.mark === mark)
    const known: Known = isSame ? having.known : { mark, kept: [], open: [] }
    known.mark = mark
    this.#having.set(id, { known, isFollowed: true })
    const number = this.#registry.numberOf('guests', id)!
    if (this.numbers.has(known)) expect(number).toBe(this.numbers.get(known))
    else {
      expect([...this.numbers.values()]).not.toContain(number)
      this.#meant.set(id, [...(this.#meant.get(id) ?? []), { known, since: this.now }])
    }
    this.numbers.set(known, number)
    const stored =
      guest.status !== 'running'
        ? absent.stopped
        : guest.staleSince !== undefined
          ? absent.silent
          : toStored(guest.cpu!)
    known.open.push({ at: this.now, stored })
  }

  flushModel() {
    for (const known of this.numbers.keys()) known.kept.push(...known.open.splice(0))
    this.#last = undefined
  }

  /** Answers stop and go on. */
  setUnreachable(isUnreachable: boolean) {
    const source = this.#sources.get('c1')!
    source.health = isUnreachable ? 'error' : 'healthy'
    for (const [id, { staleSince: _, ...guest }] of this.guests)
      this.guests.set(id, {
        ...guest,
        ...((isUnreachable || this.#lost.has(id)) && { staleSince: this.now }),
      } as ReturnType<typeof aGuest>)
  }

  get isUnreachable() {
    return this.#sources.get('c1')!.health === 'error'
  }

  compact() {
    if (this.#last !== undefined && Math.floor(this.#last / minuteMs) !== Math.floor(this.now / minuteMs))
      this.flushModel()
    for (const _ of this.#file.store.compact(this.now));
  }

  restart() {
    this.#file.close()
    this.flushModel()
    this.#forgetNames()
    this.#file = this.#open()
  }

  /** What is in the files at this moment is what the next start finds. */
  kill() {
    const killed = this.#file
    const from = this.#path
    this.#opened++
    for (const end of ['', '-wal'])
      if (fs.existsSync(from + end)) fs.copyFileSync(from + end, this.#path + end)
    for (const known of this.numbers.keys()) known.open = []
    this.#forgetNames()
    this.#file = this.#open()
    killed.close()
  }

  compare() {
    const field = this.#cpu
    const [from, to] = [T0 - 60 * dayMs, this.now + 60 * dayMs]
    for (const [{ kept, open }, number] of this.numbers) {
      const all = [...kept, ...open]
      expect(this.#file.store.samples(field, [number], from, to)[0]).toEqual(
        all.toSorted((a, b) => a.at - b.at),
      )
      for (const tier of ['minute', 'quarter', 'day'] as const) {
        const lengthMs = lengths[tier]
        const byStart = Map.groupBy(all, ({ at }) => Math.floor(at / lengthMs) * lengthMs)
        const buckets = this.#file.store.buckets(tier, field, [number], from, to)[0]!
        expect(buckets.map(({ start }) => start)).toEqual([...byStart.keys()].toSorted((a, b) => a - b))
        for (const { start, bucket } of buckets) {
          const values = byStart.get(start)!.flatMap(({ stored }) => (isSample(stored) ? [stored] : []))
          if (!isSummary(bucket)) expect(values).toEqual([])
          else {
            const mean = values.reduce((sum, value) => sum + value, 0) / values.length
            expect([bucket.count, bucket.min, bucket.max]).toEqual([
              values.length,
              Math.min(...values),
              Math.max(...values),
            ])
            expect(Math.abs(bucket.mean - mean)).toBeLessThanOrEqual(2)
          }
        }
      }
    }
    for (const [id, { known }] of this.#having)
      expect(this.#file.things.find('guests', [id])).toEqual([this.numbers.get(known)])
    for (const [id, all] of this.#meant)
      for (const before of all.flatMap(({ since }) => [since, since + 1, since + hourMs])) {
        const { known } = all.findLast(({ since }) => since < before) ?? all.at(-1)!
        expect(this.#file.things.find('guests', [id], before)).toEqual([this.numbers.get(known)])
      }
  }

  close() {
    this.#file.close()
    fs.rmSync(this.#folder, { recursive: true })
  }
}

const vmidOf = (id: string) => Number(id.split(':')[1])
