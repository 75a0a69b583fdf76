import { startLab, type Lab } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { readMeminfo } from './agent.ts'
import { countedOf, learnReport, learnShare, type GuestFacts } from './guest-facts.ts'
import { shareByAgent } from './guest-memory.ts'
import { GuestCache } from './guests.ts'
import type { MapContext } from './map.ts'
import { newPlan, nextProbe, probeAnswered, type ProbedGuest } from './probe-plan.ts'
import { PveGuest, PveGuestStatus } from './schema.ts'

const minute = 60_000
const hour = 60 * minute
const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}
const linux: ProbedGuest = {
  type: 'qemu',
  agentEnabled: true,
  lacksMeminfo: false,
  halted: false,
  asksRrd: false,
  wants: new Set(),
}

/** A guest's memory at one time, in percent of its total: the real and the shown value. */
interface Moment {
  at: number
  real: number
  shown: number
}

interface Play {
  /** the agent is not called between these hours, because of a lock */
  backup: [from: number, to: number]
  /** changes inside the guest before each listing */
  live?: (lab: Lab, hours: number) => void
}

/** Four hours of one VM: a listing every ten seconds, and agent calls by plan unless it is locked. */
async function fourHours(vmid: number, { backup, live }: Play): Promise<Moment[]> {
  const clock = fakeClock()
  const lab = await startLab({ nodes: 1, guests: 40, now: clock.now })
  const cache = new GuestCache({ qemu: true, lxc: true })
  const plan = newPlan()
  const startAt = clock.now()
  const { maxMem } = lab.control.guest(vmid)
  const moments: Moment[] = []
  const fields = { vmid, type: 'qemu', node: 'pve1', status: 'running', maxmem: maxMem, cpu: 0.1 }
  while (clock.now() - startAt < 4 * hour) {
    const at = clock.now()
    const hours = (at - startAt) / hour
    live?.(lab, hours)
    const { hypervisorBytes, totalBytes, freeBytes, availableBytes } = lab.control.guestMemory(vmid)
    const lock = hours >= backup[0] && hours < backup[1] ? 'backup' : undefined
    cache.list(
      [PveGuest.parse({ ...fields, mem: hypervisorBytes, uptime: (at - startAt) / 1000 + 9_000, lock })],
      at,
    )
    const probe = nextProbe(plan, linux)
    if (!lock && probe.at <= at) {
      if (probe.kind === 'status') {
        const report = { agent: 1, mem: hypervisorBytes, freemem: freeBytes, balloon: maxMem }
        cache.learn(vmid, (facts) => learnReport(facts, PveGuestStatus.parse(report), at), at)
      }
      if (probe.kind === 'meminfo') {
        const kB = (bytes: number) => `${Math.floor(bytes / 1024)} kB`
        const content = `MemTotal: ${kB(totalBytes)}\nMemFree: ${kB(freeBytes)}\nMemAvailable: ${kB(availableBytes)}\n`
        const learn = (facts: GuestFacts) =>
          learnShare(facts, shareByAgent(readMeminfo(content)!, countedOf(facts, at), at))
        cache.learn(vmid, learn, at)
      }
      probeAnswered(plan, probe.kind, linux, false, at)
    }
    const shown = cache.records(context).get(`c1:${vmid}`)!.memory!.usage
    moments.push({ at: hours, real: ((totalBytes - availableBytes) / maxMem) * 100, shown })
    await clock.advance(10_000)
  }
  await lab.close()
  return moments
}

const steps = (moments: readonly Moment[], read: (moment: Moment) => number) =>
  moments.slice(1).map((moment, index) => Math.abs(read(moment) - read(moments[index]!)))

/** The first figures are estimates. Only those after the agent's first answer count. */
const settled = (moments: readonly Moment[]) => moments.filter(({ at }) => at > 0.1)

const errors = (moments: readonly Moment[]) => moments.map(({ real, shown }) => Math.abs(shown - real))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Percent of the total by which a step may exceed the real change within the same ten seconds. */
const tolerance = 1.5

test('four hours with a backup of 45 minutes: nothing jumps that does not jump inside, and the error is small', async () => {
  for (const vmid of [100, 101, 113, 131]) {
    const moments = settled(await fourHours(vmid, { backup: [1.5, 2.25] }))
    const real = Math.max(...steps(moments, (moment) => moment.real))
    expect(Math.max(...steps(moments, (moment) => moment.shown)), `VM ${vmid}`).toBeLessThan(real + tolerance)
    expect(mean(errors(moments)), `VM ${vmid}`).toBeLessThan(2.5)
  }
})

test('a guest that is nine tenths page cache stays where it is during its backup', async () => {
  const moments = settled(
    await fourHours(100, {
      backup: [1.5, 2.25],
      live(lab, hours) {
        const used = (13 + 4 * Math.sin(hours * 5)) / 100
        const { maxMem } = lab.control.guest(100)
        lab.control.patchGuest(100, {
          memUsed: Math.floor(0.91 * maxMem),
          memCached: Math.floor(((0.91 - used) * maxMem) / 0.9),
        })
      },
    }),
  )
  expect(Math.max(...steps(moments, ({ shown }) => shown))).toBeLessThan(tolerance)
  expect(Math.max(...moments.map(({ shown }) => shown))).toBeLessThan(25)
  expect(mean(errors(moments))).toBeLessThan(3)
})

test('an application that takes memory shows with the next listing, not with the next answer of the agent', async () => {
  const moments = settled(
    await fourHours(100, {
      backup: [9, 9],
      live(lab, hours) {
        const { maxMem } = lab.control.guest(100)
        const used = hours < 2 ? 0.2 : 0.6
        lab.control.patchGuest(100, {
          memUsed: Math.floor((used + 0.1) * maxMem),
          memCached: Math.floor(0.1 * maxMem),
        })
      },
    }),
  )
  const soon = moments.find(({ at }) => at >= 2 + 10 / 3600)!
  expect(soon.shown).toBeGreaterThan(45)
})
