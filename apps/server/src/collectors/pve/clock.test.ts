import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const hour = 3_600_000
const day = 24 * hour
const steps: [string, number][] = [
  ['forward an hour', hour],
  ['back an hour', -hour],
  ['forward three days', 3 * day],
  ['back three days', -3 * day],
]

test.concurrent.for(steps)(
  '[R20] the wall clock is set %s: nothing turns stale, starts and rates stay right',
  async ([, step], context) => {
    const { lab, start, until, isComplete, pass, records, state, clock } = await given(context, {
      nodes: 2,
      guests: 8,
    })
    start()
    const rates = () => records('guests').filter((guest) => guest.networkIn !== undefined)
    await until('the whole picture', () => isComplete() && rates().length > 0, 60)
    await pass(20)
    const before = new Map(records('guests').map((guest) => [guest.vmid, guest]))
    const running = (vmid: number) => (clock.now() - (before.get(vmid)!.startedAt ?? 0)) / 1000
    const ran = new Map([...before.keys()].map((vmid) => [vmid, running(vmid)]))
    lab.control.resetRequests()

    clock.step(step)
    await pass(60)
    expect(state().health).toBe('healthy')
    expect(Math.abs(clock.now() - state().lastSeen!)).toBeLessThan(30_000)
    expect(lab.requests({ path: '/cluster/resources' }).total).toBeGreaterThanOrEqual(5)
    for (const guest of records('guests')) {
      expect(guest.staleSince).toBeUndefined()
      if (guest.startedAt === undefined) continue
      const ranNow = (clock.now() - guest.startedAt) / 1000
      expect(ranNow - ran.get(guest.vmid)!).toBeGreaterThan(40)
      expect(ranNow - ran.get(guest.vmid)!).toBeLessThan(120)
    }
    for (const { vmid, networkIn = 0 } of rates()) {
      const was = before.get(vmid)!.networkIn ?? networkIn
      expect(networkIn).toBeGreaterThanOrEqual(0)
      expect(networkIn).toBeLessThan(100 * was + 1e8)
    }
  },
)

test.concurrent.for(steps)(
  '[R20] the wall clock is set %s while a source is dead: it is shown dead in time, and found again in time',
  async ([, step], context) => {
    const { lab, start, until, isComplete, pass, records, state, clock } = await given(context, {
      nodes: 2,
      guests: 4,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 30)
    for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: false })
    await pass(5)
    clock.step(step)
    await until('it is shown dead', () => state().health === 'error', 45)
    for (const { staleSince } of records('guests')) {
      expect(clock.now() - staleSince!).toBeGreaterThan(0)
      expect(clock.now() - staleSince!).toBeLessThan(120_000)
    }
    await pass(30)
    clock.step(-step)
    for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: true })
    await until('it is found again', () => state().health === 'healthy', 60)
  },
)
