import type { Guest, NodeTest, PveBackup, RecordKind, RecordOf, SourceState } from '@pulse/contract'
import { kinds, recordSchemas } from '@pulse/contract'
import { type Connection, type LearnedCluster, type Observation, Secret } from '@pulse/domain'
// For tests only, like the two packages that it needs.
import { startLab, type Lab, type LabOptions } from '@pulse/lab'
import { acceleratedClock, type SuspendedClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, type TestContext } from 'vitest'
import { normalFingerprint } from '../certificate.ts'
import type { State } from '../../state/state.ts'
import { passingBetweenCalls } from '../../testing/calls-under-way.ts'
import { aShownSource } from '../fixtures.ts'
import type { Pace, RunningCollector } from '../source.ts'
import { watchBy } from './index.ts'
import type { Part } from './part.ts'
import { parts as usualParts } from './parts.ts'

/** A lab with helpers to watch it in accelerated time. */
export interface Given {
  lab: Lab
  clock: SuspendedClock
  connection: Connection
  logLines: string[]
  learned: LearnedCluster[]
  start(change?: Partial<Connection>): RunningCollector
  /** the number of timers that its collectors have set */
  timers(): number
  test(change?: Partial<Connection>): Promise<NodeTest>
  /** as published, before the state adds health and age */
  latest(): Observation
  state(): Partial<SourceState>
  subscribe: State['subscribe']
  /** Every node was listed and polled. */
  isComplete(): boolean
  records<K extends RecordKind>(kind: K): RecordOf<K>[]
  /** one of the three lists */
  backups<L extends PveBackup['list']>(list: L): Extract<PveBackup, { list: L }>[]
  guest(vmid: number): Guest | undefined
  /** Lets accelerated time pass. */
  pass(seconds: number): Promise<void>
  /** Waits until the condition holds, at most for that much accelerated time. */
  until(what: string, isSo: () => boolean, withinSeconds?: number): Promise<void>
}

/** Matches exactly the calls of slow looks. */
export const isSlowCall = (template: string): boolean => /\/snapshot$|\/disks\/(smart|zfs)/.test(template)

/** Takes the test's context, because tests that mostly wait run concurrently. */
export async function given(
  context: Pick<TestContext, 'onTestFinished'>,
  options: LabOptions & {
    factor?: number
    pace?: () => Pace
    parts?: readonly Part[]
    mostGuests?: number
    onObserve?: (observation: Observation) => void
  } = {},
): Promise<Given> {
  const { factor = 20, pace, parts = usualParts, mostGuests, onObserve, ...labOptions } = options
  const watched = watchBy(parts, mostGuests)
  const hosts = new Set<string>()
  let waiting = 0
  const clock = acceleratedClock(
    factor,
    undefined,
    passingBetweenCalls(context, hosts, () => waiting > 0),
  )
  const labStartedAt = clock.now()
  const timers = new Set<() => void>()
  const counted: SuspendedClock = {
    ...clock,
    after(ms, run) {
      const end = () => {
        timers.delete(end)
        cancel()
      }
      timers.add(end)
      const cancel = clock.after(ms, () => {
        timers.delete(end)
        run()
      })
      return end
    },
  }
  const lab = await startLab({
    authDelayMs: Math.round(3_000 / factor),
    agentHangMs: Math.round(8_000 / factor),
    loadPeriodMs: 10_000,
    now: () => labStartedAt + clock.monotonic(), // the lab's own clock is never set
    ...labOptions,
  })
  for (const { nodes } of lab.clusters) for (const { address } of nodes) hosts.add(address)
  const { tokenId, tokenSecret } = lab.credentials
  const connection: Connection = {
    id: 'c1',
    kind: 'pve',
    name: 'main',
    host: lab.clusters[0]!.nodes[0]!.url,
    auth: { type: 'token', tokenId, secret: new Secret(tokenSecret) },
    fingerprint: normalFingerprint(lab.clusters[0]!.nodes[0]!.fingerprint),
    verifySSL: true,
    flags: {},
  }
  const logLines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) })
  const learned: LearnedCluster[] = []
  const shown = aShownSource(clock, log)
  const running: RunningCollector[] = []
  context.onTestFinished(async () => {
    await Promise.all(running.map((collector) => collector.stop()))
    shown.state.stop()
    await lab.close()
    expect(logLines.join('')).not.toContain(tokenSecret)
  })

  /** ids by record; an unchanged record is the same object in the next observation */
  const seen = new WeakMap<object, string>()
  const observe = (observation: Observation) => {
    shown.observe(observation)
    onObserve?.(observation)
    for (const [kind, records] of Object.entries(observation.records)) {
      for (const [id, record] of records) {
        if (seen.get(record) === id) continue
        seen.set(record, id)
        expect(kinds[kind as 'guests'].key(record as Guest)).toBe(id)
        const { error } = recordSchemas[kind as RecordKind].safeParse(record)
        if (error) expect.fail(`${kind}: ${error.message}`)
      }
    }
  }
  const { records } = shown
  const pass = async (seconds: number) => {
    waiting++
    await new Promise<void>((resolve) => void clock.after(seconds * 1000, resolve))
    waiting--
  }
  return {
    lab,
    clock,
    connection,
    logLines,
    learned,
    start(change = {}) {
      const edges = {
        clock: counted,
        log,
        observe,
        ...(pace && { pace }),
        learned: (cluster: LearnedCluster) => void learned.push(cluster),
      }
      const collector = watched.start({ ...connection, ...change }, edges)
      running.push(collector)
      return collector
    },
    timers: () => timers.size,
    test: (change = {}) => watched.test({ ...connection, ...change }, { clock, log }),
    latest: () => shown.latest() ?? expect.fail('nothing was observed yet'),
    state: () => shown.source() ?? {},
    subscribe: shown.state.subscribe,
    isComplete: () =>
      records('nodes').length > 0 && records('nodes').every((node) => node.pveVersion !== undefined),
    records,
    backups: <L extends PveBackup['list']>(list: L) =>
      records('pveBackups').filter((one) => one.list === list) as Extract<PveBackup, { list: L }>[],
    guest: (vmid) => records('guests').find((guest) => guest.vmid === vmid),
    pass,
    async until(what, isSo, withinSeconds = 120) {
      const deadline = clock.monotonic() + withinSeconds * 1000
      // a long wait is checked less often
      const lookSeconds = Math.max(0.5, withinSeconds / 400)
      while (!isSo()) {
        if (clock.monotonic() > deadline) expect.fail(`${what}: not so after ${withinSeconds} s`)
        await pass(lookSeconds)
      }
    },
  }
}
