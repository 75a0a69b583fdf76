import { afterEach, expect, test } from 'vitest'
import { aPipeline, logOf, secondMs, type TestPipeline } from './fixtures.ts'

let now: TestPipeline
afterEach(() => now.end())

test('[R9] a disk that is full keeps no message from being sent', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE deliveries RENAME TO kept', parameters: [] }])
  now.raise('first')
  await now.settled()
  expect(sink.received).toHaveLength(1)
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE kept RENAME TO deliveries', parameters: [] }])
  await now.pass(10 * secondMs)
  expect(await logOf(now)).toMatchObject([{ state: 'delivered' }])
})

test('records that a full disk refused are stored as soon as there is room again', async () => {
  now = await aPipeline()
  now.channel('sink')
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE deliveries RENAME TO kept', parameters: [] }])
  now.raise('first')
  await now.settled()
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE kept RENAME TO deliveries', parameters: [] }])
  await now.pipeline.storageIsBack()
  expect(await logOf(now)).toMatchObject([{ state: 'delivered' }])
})
