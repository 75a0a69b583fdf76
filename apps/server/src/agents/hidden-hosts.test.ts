import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hiddenHostsPart } from './hidden-hosts.ts'
import { docker } from '../docker/index.ts'
import { aReport } from '../docker/fixtures.ts'
import { aYard, type Yard } from './fixtures.ts'

let yard: Yard
beforeAll(async () => {
  yard = await aYard()
})
beforeEach(async () => {
  await yard.clear()
})
afterAll(() => yard.end())

const part = () => hiddenHostsPart(yard.ground.db, yard.ground.clock.now, docker)
async function take(hosts: object[]) {
  const plan = await part().plan(hosts, { name: 'anna', method: 'console' }, [])
  await yard.ground.db.transaction(plan.queries)
  await yard.hosts.runExclusive(yard.hosts.reload)
  return plan.summary
}

test('[spec 2 §4] hidden hosts stay hidden after an import, before and after their first report', async () => {
  const sender = await yard.sender()
  await yard.intake.report(aReport(), sender)
  expect(await part().read()).toBeUndefined()
  await yard.actions.remove('ABCD:EFGH', 'hide')
  const exported = (await part().read()) as object[]
  expect(exported).toEqual([{ hostId: 'ABCD:EFGH', name: 'dock1' }])
  await yard.actions.unhide('ABCD:EFGH')

  expect(await take([...exported, { hostId: 'new', name: 'Dock 2' }])).toBe('2 hidden Docker hosts')
  expect(yard.host()).toMatchObject({ hidden: true, status: 'online', os: expect.any(String) })
  expect(yard.host('new')).toMatchObject({ hidden: true, status: 'offline', displayName: 'Dock 2' })
  await yard.intake.report(aReport({ id: 'new' }), await yard.sender())
  expect(yard.host('new')).toMatchObject({ hidden: true, status: 'online', hostname: 'dock1' })
})

test('[S13] invalid and duplicate identities are refused', async () => {
  const one = { hostId: 'a', name: 'a' }
  await expect(take([one, one])).rejects.toMatchObject({ code: 'invalid_import' })
  for (const hostId of ['../x', 'a b', 'x'.repeat(200), ''])
    expect(part().schema.safeParse([{ ...one, hostId }]).success).toBe(false)
})
