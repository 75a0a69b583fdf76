import type { Guest, SourceState } from '@pulse/contract'
import {
  absent,
  ChangeReader,
  type Column,
  createEstate,
  precisionOf,
  Sampler,
  sampledFields,
  type Tables,
  usageOf,
  usualKeepMs,
} from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { DatabaseSync } from 'node:sqlite'
import { drawCredentials } from '../apps/lab/src/access/accounts.ts'
import { buildEstate } from '../apps/lab/src/estate/build.ts'
import type { GuestReading } from '../apps/lab/src/estate/reading.ts'
import { cpuFraction, readGuest } from '../apps/lab/src/load/guest-reading.ts'
import { toSettings } from '../apps/lab/src/options.ts'
import { type HistoryFile, openHistoryFile } from '../apps/server/src/db/history/history-file.ts'
import { maintain } from '../apps/server/src/db/history/maintain.ts'
import type { HistoryOrder, HistoryFilled } from './history.ts'

// A process that samples a simulated estate into a file, with a clock of its own.

const tickMs = 10_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Before the last two weeks, two samples in each quarter hour: enough for its coarser tiers. */
const sparseMs = 450_000
const minuteMs = 60_000
/** as long as minutes are there */
const minutesMs = 14 * dayMs
/** Before the last day only the CPU of all guests is sampled, and the other figures of so many: one tile of each. */
const wholeGuests = 32
/** that start or stop within a minute, while changes are logged */
const changedPerMinute = 5
const source = 'bench'
const kind = 'guests'

const { toStored } = precisionOf.ratio

interface Sampled {
  things: number
  /** samples without gaps */
  samples: number
  /** CPU time of sampling and of the copy to the thread, and of the thread */
  sampleMs: number
  encodeMs: number
}

/** The estate of the lab at any time, as records. */
function guestsOf(count: number) {
  const settings = toSettings({ guests: count, nodes: Math.max(1, Math.ceil(count / 100)), now: () => 0 })
  const { clusters } = buildEstate(settings, drawCredentials(settings.seed))
  const guests = clusters.flatMap((cluster) => [...cluster.guests.values()])
  const aliases = new Map<string, string>(
    clusters.flatMap(({ name, guests: own }) =>
      [...own.keys()].map((vmid) => [`${source}:${vmid}`, `pve ${name}:${vmid}`] as const),
    ),
  )
  const before = new Map<number, GuestReading>()
  const idOf = ({ vmid }: LabGuest) => `${source}:${vmid}`
  const recordsAt = (at: number, most = guests.length): Map<string, Guest> =>
    new Map(
      guests.slice(0, most).map((guest) => {
        const reading = readGuest(guest, at)
        const last = before.get(guest.vmid)
        before.set(guest.vmid, reading)
        return [idOf(guest), recordOf(guest, reading, last)]
      }),
    )
  /** The load alone, as it is stored: a month of records of a large estate would take hours. */
  const loadsAt = (at: number, after: number): [id: string, stored: number][] =>
    guests
      .slice(after)
      .map((guest) => [
        idOf(guest),
        guest.status === 'stopped' ? absent.stopped : toStored(cpuFraction(guest, at)),
      ])
  return { recordsAt, loadsAt, aliases }
}

type LabGuest = Parameters<typeof readGuest>[0]

function recordOf(guest: LabGuest, reading: GuestReading, last: GuestReading | undefined): Guest {
  const seconds = last && (reading.atMs - last.atMs) / 1000
  const rate = (of: 'netIn' | 'netOut' | 'diskRead' | 'diskWrite') =>
    seconds ? Math.max(0, (reading[of] - last[of]) / seconds) : 0
  return aGuest({
    source,
    vmid: guest.vmid,
    ...(guest.name !== undefined && { name: guest.name }),
    type: guest.kind,
    status: guest.status === 'stopped' ? 'stopped' : 'running',
    cpu: reading.cpu,
    memory: usageOf(reading.memBytes, guest.maxMemBytes),
    disk: usageOf(reading.diskBytes, guest.maxDiskBytes),
    networkIn: rate('netIn'),
    networkOut: rate('netOut'),
    diskRead: rate('diskRead'),
    diskWrite: rate('diskWrite'),
  })
}

function createFeed(history: HistoryFile, guests: number) {
  const { recordsAt, loadsAt, aliases } = guestsOf(guests)
  const numbers = new Map(
    history.opened().fields.map(({ kind: of, name, number }) => [`${of} ${name}`, number]),
  )
  const fieldNumber = (of: { kind: string; name: string }) => numbers.get(`${of.kind} ${of.name}`)!
  const pulse = fieldNumber({ kind: 'meta', name: 'liveClients' })
  const cpu = fieldNumber({ kind, name: 'cpu' })
  let things: Map<string, number> | undefined
  const sampled: Sampled = { things: 0, samples: 0, sampleMs: 0, encodeMs: 0 }
  const current = { guests: new Map<string, Guest>(), sources: new Map<string, SourceState>() }
  const tables: Tables = new Proxy(createEstate().tables, {
    get: (known, name) => Reflect.get(current, name) ?? Reflect.get(known, name),
  })
  const sampler = new Sampler({
    tables,
    numberOf: fieldNumber,
    thingOf: (of, id) => (of === kind ? things?.get(id) : undefined),
  })
  // one clock for all, that of the simulation
  let clockMs = 0
  const reader = new ChangeReader({ now: () => clockMs, monotonic: () => clockMs })
  let changes = 0

  /** Everything that has history gets its number, Pulse itself included. */
  function identify(at: number) {
    const records = recordsAt(at)
    const ids = [...records.keys()]
    // A server that polls this estate continues the history, as after a connection was added again.
    const wanted = ids.map((id) => {
      const { type, name } = records.get(id)!
      return { kind, id, alias: aliases.get(id)!, mark: `${type} ${name}` } as const
    })
    things = new Map(history.things.identify(at, [], wanted).map((number, n) => [ids[n]!, number]))
    history.things.identify(at, [], [{ kind: 'meta', id: 'meta', alias: 'meta', mark: '' }])
    sampled.things = things.size
  }

  function take(): Column[] {
    const work = sampler.tick()
    for (;;) {
      const step = work.next()
      if (step.done) return structuredClone(step.value)
    }
  }

  /** With the load of the guests that are not in the tables. */
  function withLoads(columns: readonly Column[], at: number): Column[] {
    const loads = loadsAt(at, wholeGuests)
    return columns.map((column) => {
      if (column.field !== cpu) return column
      const known = { things: Array.from(column.things), values: Array.from(column.values) }
      return {
        field: cpu,
        things: [...known.things, ...loads.map(([id]) => things!.get(id)!)],
        values: [...known.values, ...loads.map(([, stored]) => stored)],
      }
    })
  }

  function log(at: number, entries: ReturnType<ChangeReader['read']>) {
    history.past.answer({ id: 0, do: 'log', now: at, entries })
  }

  return {
    sampled,
    /** One tick. What the estate costs is not measured. */
    tick(at: number, isWhole = true) {
      if (!things) identify(at)
      current.guests = recordsAt(at, isWhole ? undefined : wholeGuests)
      current.sources = new Map([
        [source, { name: source, kind: 'pve', health: 'healthy', lastSeen: at } as SourceState],
      ])
      const taken = timed('sampleMs', take)
      const columns = isWhole ? taken : withLoads(taken, at)
      for (const { values } of columns)
        for (const value of values as number[]) if (value > Number.MIN_SAFE_INTEGER + 2) sampled.samples++
      timed('encodeMs', () => history.append(at, [...columns, { field: pulse, things: [0], values: [1] }]))
    },
    /** All records as they are, as at the start of a server. */
    logAll(at: number) {
      clockMs = at
      for (const entries of reader.readAll(tables)) log(at, entries)
    },
    /** Some guests have started or stopped since. */
    logSome(at: number) {
      const ids = [...current.guests.keys()]
      const put = Array.from({ length: changedPerMinute }, () => {
        const id = ids[changes++ % ids.length]!
        const status = Math.floor(changes / ids.length) % 2 === 0 ? 'stopped' : 'running'
        return [id, { ...current.guests.get(id)!, status } as Guest] as const
      })
      clockMs = at
      log(at, reader.read({ guests: { put: new Map(put), remove: [] } } as never))
    },
    maintain(now: number, monotonic: number) {
      timed('encodeMs', () => {
        for (const _ of maintain(history, { now, monotonic, keepMs: usualKeepMs }));
      })
    },
  }

  function timed<T>(what: 'sampleMs' | 'encodeMs', work: () => T): T {
    const from = process.cpuUsage()
    const result = work()
    const { user, system } = process.cpuUsage(from)
    sampled[what] += (user + system) / 1000
    return result
  }
}

/** A month that ends with a whole day as it is polled. */
function month({ file, guests, endsAt }: HistoryOrder): HistoryFilled {
  const history = openHistoryFile(file, sampledFields, 0)
  const feed = createFeed(history, guests)
  const beganAt = endsAt - 30 * dayMs
  const fullFrom = endsAt - dayMs
  let monotonic = 0
  const everyHour = (from: number, to: number, stepMs: number) => {
    for (let at = from; at < to; at += stepMs) {
      feed.tick(at, at >= fullFrom)
      monotonic += stepMs
      if (Math.floor((at + stepMs) / hourMs) > Math.floor(at / hourMs)) feed.maintain(at + stepMs, monotonic)
    }
  }
  everyHour(beganAt, endsAt - minutesMs, sparseMs)
  everyHour(endsAt - minutesMs, fullFrom, minuteMs)
  const { sampled } = feed
  const before = { ...sampled }
  everyHour(fullFrom, endsAt, tickMs)
  const ticks = dayMs / tickMs
  const of = (name: keyof Sampled) => sampled[name] - before[name]
  const { fileBytes } = history.sizes()
  history.close()
  return {
    things: sampled.things,
    samples: of('samples'),
    sampleMsPerTick: of('sampleMs') / ticks,
    encodeMsPerTick: of('encodeMs') / ticks,
    fileBytes,
    ...lastDay(file, fullFrom, guests),
  }
}

/** From the end of the month until now: a sample in each minute, and as polled in the last two hours. Changes are logged. */
function untilNow({ file, guests, endsAt }: HistoryOrder): HistoryFilled {
  const history = openHistoryFile(file, sampledFields, 0)
  const feed = createFeed(history, guests)
  const now = Date.now()
  const polledFrom = Math.floor(now / hourMs) * hourMs - hourMs
  let monotonic = 0
  let stepMs = minuteMs
  for (let at = endsAt; at < now; at += stepMs) {
    stepMs = at < polledFrom ? minuteMs : tickMs
    feed.tick(at)
    if (at === endsAt) feed.logAll(at)
    else if (at % minuteMs === 0) feed.logSome(at)
    monotonic += stepMs
    if (Math.floor((at + stepMs) / hourMs) > Math.floor(at / hourMs)) feed.maintain(at + stepMs, monotonic)
  }
  return finished(history, feed)
}

function finished(history: HistoryFile, { sampled }: ReturnType<typeof createFeed>): HistoryFilled {
  const { fileBytes } = history.sizes()
  history.close()
  return { things: sampled.things, samples: sampled.samples, fileBytes }
}

/** What the last day takes in each tier. */
function lastDay(file: string, from: number, guests: number): Pick<HistoryFilled, 'dayBytes' | 'daysBytes'> {
  const db = new DatabaseSync(file)
  const bytesOf = (tier: number, since: number) =>
    Number(
      db
        .prepare('SELECT sum(bytes) AS bytes FROM block_sizes WHERE tier = ? AND start >= ?')
        .get(tier, since)!['bytes'],
    )
  const [raw, minute, quarter] = [0, 1, 2].map((tier) => bytesOf(tier, from)) as [number, number, number]
  const whole = db.prepare('SELECT sum(length(body)) AS bytes FROM tiles WHERE tier = 3 AND grp = 0').get()!
  const daysBytes = (Number(whole['bytes']) * guests) / wholeGuests
  db.close()
  return { dayBytes: { raw, minute, quarter }, daysBytes }
}

/** The samples of an hour that is over and of the one under way, before they become blocks. */
function hours({ file, guests, endsAt }: HistoryOrder): HistoryFilled {
  const history = openHistoryFile(file, sampledFields, 0)
  const feed = createFeed(history, guests)
  for (let at = Math.floor(endsAt / hourMs) * hourMs - hourMs; at < endsAt; at += tickMs) feed.tick(at)
  return finished(history, feed)
}

const fills = { month, untilNow, hours }
process.on('message', (order: HistoryOrder) => process.send!(fills[order.do](order)))
