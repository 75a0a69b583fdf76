import {
  type AnyRecord,
  type BackTest,
  type BackTestKind,
  type BodyOf,
  type FileSystem,
  type Guest,
  postHistoryBackTest,
} from '@pulse/contract'
import {
  type Clock,
  isPlayedForAnother,
  type KeepMs,
  neighbourOf,
  playedFileSystem,
  playedMetrics,
  playedRecord,
  type PlayedThing,
  playedThreshold,
  reportsFileSystems,
  rulesOn,
  type Tables,
  unplayedOf,
} from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { principalOf, route } from '../http/route.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import type { History } from './history.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** More takes longer than two seconds for a large estate. */
const longestMs = 14 * dayMs
/** Samples as polled are six times as many as minutes. */
const longestRawMs = dayMs
const recordsPerStep = 500
/** Each call holds the records of an estate until its turn comes. */
const mostCalls = 8

const fileSystemUsage = { kind: 'fileSystems', name: 'usage' } as const

export interface BackTestEdges {
  history: Pick<History, 'numberOf' | 'fieldOf' | 'backTest'>
  tables: Tables
  /** also those of guests that do not run now */
  fileSystems: ReadonlyMap<string, Pick<FileSystem, 'guestId' | 'disk'>>
  clock: Clock
  /** how long each tier reaches back */
  reachMs: () => KeepMs
}

type Asked = BodyOf<typeof postHistoryBackTest>

/** Plays the history with a configuration that is not saved. The thread of the history does the work. */
export function backTestRoute(edges: BackTestEdges) {
  let calls = 0
  /** by user, while its things are collected: those of a small one are found faster than those of a large one before it */
  const newest = new Map<string, Asked>()
  return route(postHistoryBackTest, async (input) => {
    if (calls >= mostCalls)
      throw new AppError('conflict', 'Too many back-tests are running. Try again in a few seconds.')
    calls++
    try {
      const { name } = principalOf(input)
      newest.set(name, input.body)
      return await run(edges, name, input.body, () => newest.get(name) === input.body)
    } finally {
      if (--calls === 0) newest.clear()
    }
  })
}

async function run(
  edges: BackTestEdges,
  user: string,
  asked: Asked,
  isNewest: () => boolean,
): Promise<BackTest> {
  const { history, tables, clock, reachMs } = edges
  const { kind, metric, config } = asked
  const { things, unplayed } = await thingsOf(edges, asked)
  if (!isNewest()) throw replaced()
  const to = clock.now()
  const { raw, minute } = reachMs()
  const startOfHour = (rangeMs: number) => Math.floor((to - rangeMs) / hourMs) * hourMs
  const played = await history.backTest(user, {
    kind,
    metric,
    config,
    things,
    neighbours: neighboursOf(tables, kind),
    from: startOfHour(Math.min(minute, longestMs)),
    to,
    // the hour before may lose its samples meanwhile
    rawFrom: startOfHour(Math.min(raw, longestRawMs)) + hourMs,
  })
  if (played) return { ...played, unplayed, isCut: minute > longestMs }
  throw replaced()
}

const replaced = () => new AppError('conflict', 'A newer back-test of yours has replaced this one.')

/** In steps, and without what the rules of the metric do not read. */
async function thingsOf(edges: BackTestEdges, { kind, metric, id, config }: Asked) {
  const { history, tables } = edges
  const isDisk = kind === 'guests' && metric === 'disk'
  const partsOf = isDisk ? await fileSystemsOf(edges) : undefined
  // The rules are about the disk as a whole, whose figure a play of file systems does not have.
  const dependsOnWhole = isDisk && rulesOn(config.customRules, metric).length > 0
  const metrics = playedMetrics(metric)
  const fields = await Promise.all(
    metrics.map((own) => history.fieldOf({ kind, name: playedThreshold(kind, own).figure })),
  )
  const things: PlayedThing[] = []
  let unplayed = 0
  let done = 0
  for (const [key, record] of tables[kind] as ReadonlyMap<string, AnyRecord>) {
    if (++done % recordsPerStep === 0) await yieldToEventLoop()
    const number = history.numberOf(kind, key)
    if (number === undefined || (id !== undefined && key !== id)) continue
    if (isPlayedForAnother(kind, key, record, tables.pmg)) continue
    const parts = partsOf?.(key, record as Guest)
    if ((parts?.length && dependsOnWhole) || unplayedOf(kind, metric, record) !== undefined) unplayed++
    const thin = playedRecord(kind, metric, record)
    if (parts) things.push(...(dependsOnWhole ? [] : parts))
    else if (thin)
      for (const [n, own] of metrics.entries()) {
        const part = metrics.length > 1 ? { metric: own } : undefined
        things.push({ field: fields[n]!, number, key, record: thin as PlayedThing['record'], ...part })
      }
  }
  return { things, unplayed }
}

/**
 * The file systems of a guest that were sampled; undefined: its alert is about the disk as a whole. The disk of a
 * virtual machine is the sum of its file systems, and reports none while it does not run.
 */
async function fileSystemsOf({ history, fileSystems }: BackTestEdges) {
  const field = await history.fieldOf(fileSystemUsage)
  const ofGuest = Map.groupBy(fileSystems, ([, { guestId }]) => guestId)
  return (owner: string, guest: Guest): PlayedThing[] | undefined => {
    const known = ofGuest.get(owner)
    if (!known && guest.type !== 'qemu' && !reportsFileSystems(guest)) return undefined
    return (known ?? []).flatMap(([key, { disk }]) => {
      const number = history.numberOf(fileSystemUsage.kind, key)
      return number === undefined
        ? []
        : [{ field, number, key, owner, record: playedFileSystem(guest, disk) }]
    })
  }
}

function neighboursOf(tables: Tables, kind: BackTestKind): Map<string, AnyRecord> {
  const neighbour = neighbourOf[kind]
  if (neighbour === undefined) return new Map()
  const all = [...(tables[neighbour] as ReadonlyMap<string, AnyRecord>)]
  const thin = (record: AnyRecord) =>
    neighbour === 'dockerHosts' ? record : playedRecord(neighbour, '', record)!
  return new Map(all.map(([key, record]) => [key, thin(record)]))
}
