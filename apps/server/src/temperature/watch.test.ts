import type { NodeTemperature } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SensorsError } from './ssh.ts'
import { watchTemperature } from './watch.ts'

const reading = { cpuPackage: 50, cpuMax: 50, cores: [], nvme: [] }

function given() {
  const clock = fakeClock()
  const world = {
    answer: (): typeof reading => reading,
    asked: 0,
    shown: undefined as NodeTemperature | undefined,
  }
  const watch = watchTemperature({
    clock,
    log: pino({ level: 'silent' }),
    firstAfterMs: 0,
    read: () => {
      world.asked++
      return Promise.resolve().then(() => world.answer())
    },
    show: (temperature) => (world.shown = temperature),
  })
  const fail = () => {
    throw new SensorsError('refused the key')
  }
  return { clock, world, watch, fail }
}

test('[facts/collection 1.12] a node is asked every 30 seconds', async () => {
  const { clock, world, watch } = given()
  await clock.advance(90_000)
  expect(world.asked).toBe(4)
  expect(watch.health()).toEqual({ status: 'ok', lastRead: new Date(clock.now()).toISOString() })
})

test('[facts/platform 15.1] three failures in a row pause it for five minutes', async () => {
  const { clock, world, watch, fail } = given()
  world.answer = fail
  await clock.advance(30_000)
  expect(watch.health()).toEqual({ status: 'failing', error: 'refused the key' })
  await clock.advance(30_000)
  expect(watch.health()).toEqual({ status: 'paused', error: 'refused the key' })
  expect(world.asked).toBe(3)
  await clock.advance(299_000)
  expect(world.asked).toBe(3)
  world.answer = () => reading
  await clock.advance(1_000)
  expect(watch.health().status).toBe('ok')
})

test('[design 4] a reading counts for two minutes and never looks newer than it is', async () => {
  const { clock, world, fail } = given()
  await clock.advance(0)
  world.answer = fail
  const readAt = world.shown?.lastUpdate
  expect(readAt).toBeDefined()
  await clock.advance(120_000)
  expect(world.shown?.lastUpdate).toBe(readAt)
  await clock.advance(1)
  expect(world.shown).toBeUndefined()
})

test('a stopped watch shows nothing more, neither a reading that comes late nor that it is too old', async () => {
  const { clock, world, watch } = given()
  await clock.advance(0)
  const before = world.shown
  await watch.stop()
  watch.learn({ ...reading, cpuPackage: 70 })
  await clock.advance(300_000)
  expect(world.shown).toBe(before)
})

test('a node that has no sensors says so', async () => {
  const { clock, world, watch } = given()
  world.answer = () => ({ cores: [], nvme: [] }) as unknown as typeof reading
  await clock.advance(0)
  expect(world.shown).toBeUndefined()
  expect(watch.health()).toMatchObject({ status: 'ok', error: 'the node has no usable sensors' })
})
