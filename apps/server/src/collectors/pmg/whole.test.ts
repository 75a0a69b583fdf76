import { recordSchemas, type RecordKind } from '@pulse/contract'
import { expect, test, type TestContext } from 'vitest'
import { givenHosts, password, stateOf } from '../proxmox/fixtures.ts'

type GivenHosts = Awaited<ReturnType<typeof givenHosts>>

async function watched(
  context: TestContext,
  options: Parameters<typeof givenHosts>[1],
  changeOf: (lab: GivenHosts['lab']) => Parameters<GivenHosts['start']>[1] = () => ({}),
) {
  const here = await givenHosts(context, { factor: 40, ...options })
  const source = here.start('pmg', changeOf(here.lab))
  const gateway = () => source.seen.at(-1)?.records.pmg?.get('c1')
  const isWhole = () =>
    gateway()?.mailStats !== undefined &&
    gateway()?.quarantine !== undefined &&
    (gateway()?.nodes?.every(({ queueStatus }) => queueStatus !== undefined) ?? false)
  return { ...here, source, gateway, isWhole, state: () => stateOf(source) }
}

test.concurrent.for(['7', '8', '9'] as const)(
  '[facts 2.5] a whole gateway of version %s: all of it understood, all of it within the schema',
  async (pmgVersion, context) => {
    const { until, isWhole, gateway, source, state } = await watched(context, { pmgVersion })
    await until('everything', isWhole, 60)
    await until('its backups', () => (source.seen.at(-1)!.records.pmgBackups?.size ?? 0) > 0, 30)
    const { mailStats, mailCount, spamDistribution, quarantine, nodes } = gateway()!
    expect(mailCount).toHaveLength(24)
    expect(mailStats!.countTotal).toBe(mailStats!.countIn + mailStats!.countOut)
    for (const field of ['countIn', 'spamIn', 'bytesIn', 'averageProcessTimeMs', 'junkIn'] as const)
      expect(mailStats![field], field).toBeGreaterThan(0)
    expect(mailStats!.spamIn).toBeLessThan(mailStats!.countIn)
    expect(spamDistribution!.map(({ score }) => score)).toEqual(
      Array.from({ length: 11 }, (_, n) => String(n)),
    )
    expect(spamDistribution!.every(({ count }) => count >= 0)).toBe(true)
    // Every version classifies most of the mail as clean.
    expect(spamDistribution![0]!.count).toBeGreaterThan(mailStats!.countIn / 2)
    expect(quarantine!.spam).toBeGreaterThan(0)
    expect(nodes).toMatchObject([{ role: 'standalone', status: 'online', startedAt: expect.any(Number) }])
    expect(state()).toMatchObject({ health: 'healthy' })
    expect(state()).not.toHaveProperty('unreadable')
    for (const [kind, records] of Object.entries(source.seen.at(-1)!.records))
      for (const record of records.values())
        expect(recordSchemas[kind as RecordKind].safeParse(record).error).toBeUndefined()
  },
)

test.concurrent('[facts 2.6] a member that goes down is shown as such, the others go on', async (context) => {
  const { lab, until, isWhole, gateway, source, state } = await watched(context, { pmg: 3, pmgCluster: true })
  await until('everything', isWhole, 60)
  expect(gateway()!.nodes!.map(({ name }) => name)).toEqual(['pmg1', 'pmg2', 'pmg3'])
  await lab.control.patchAppliance('pmg2', { online: false })
  source.running.refresh()
  await until('the loss', () => gateway()!.nodes![1]!.status === 'offline', 90)
  expect(gateway()!.nodes).toMatchObject([
    { status: 'online' },
    { status: 'offline', error: expect.any(String), staleSince: expect.any(Number), queueStatus: {} },
    { status: 'online' },
  ])
  expect(state()).toMatchObject({ health: 'healthy', unreadable: [{ what: 'node pmg2' }] })
  await lab.control.patchAppliance('pmg2', { online: true })
  source.running.refresh()
  await until('its return', () => gateway()!.nodes![1]!.status === 'online', 90)
})

test.concurrent(
  '[facts 2.5] a queue that grows shows its depth and the age of its oldest mail',
  async (context) => {
    const { lab, clock, until, start } = await givenHosts(context, { factor: 40 })
    const grow = (total: number) =>
      lab.control.patchAppliance('pmg1', { queues: { deferred: { total, perMinute: 0, oldestMinutes: 90 } } })
    await grow(700)
    const { running, seen } = start('pmg')
    const queue = () => seen.at(-1)!.records.pmg!.get('c1')!.nodes![0]!.queueStatus!
    await until(
      'a queue',
      () => seen.at(-1)?.records.pmg?.get('c1')?.nodes?.[0]?.queueStatus?.deferred === 700,
      60,
    )
    await grow(1_200)
    running.refresh()
    await until('the growth', () => queue().deferred === 1_200, 60)
    expect(queue().total).toBeGreaterThanOrEqual(1_200)
    const minutes = (clock.now() - queue().oldestAt!) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(90)
    expect(minutes).toBeLessThanOrEqual(165)
  },
)

test.concurrent(
  '[facts 2.5] who may see statistics and no queues sees those, and which role is missing',
  async (context) => {
    const { until, gateway, state } = await watched(context, {}, ({ pmg }) => {
      const { user, password: text } = pmg[0]!.credentials.manager
      return { auth: password(user, text) }
    })
    await until('statistics', () => gateway()?.mailStats !== undefined, 60)
    await until('the role', () => state().unreadable?.some(({ what }) => what === 'queues') ?? false, 60)
    expect(state().health).toBe('healthy')
    expect(new Set(state().unreadable!.map(({ right }) => right))).toEqual(new Set(['Auditor']))
  },
)
