import { alertDefaults } from '@pulse/contract'
import { type BackTestRequest, playedFileSystem } from '@pulse/domain'
import { aGuest, aGuestDisk } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { fromSent, toSent } from './sent-back-test.ts'

const record = playedFileSystem(aGuest({ name: 'Größe "1"' }), aGuestDisk('/größe/\ud800'))
const request = (things: number): BackTestRequest => ({
  kind: 'guests',
  metric: 'disk',
  config: alertDefaults,
  things: Array.from({ length: things }, (_, number) => ({
    field: 1,
    number,
    key: `main:${number}:root`,
    owner: `main:${number}`,
    record,
  })),
  neighbours: new Map(),
  from: 0,
  to: 3_600_000,
  rawFrom: 0,
})

function run<T>(work: Generator<void, T>): { steps: number; result: T } {
  for (let steps = 1; ; steps++) {
    const step = work.next()
    if (step.done) return { steps, result: step.value }
  }
}

test('[M 3.7] a back-test of many things becomes texts in steps, and is the same in the thread', () => {
  const asked = request(1_200)
  const { steps, result: sent } = run(toSent(asked))
  expect([steps, sent.things.length]).toEqual([3, 3])
  const { steps: stepsBack, result } = run(fromSent(sent))
  expect(stepsBack).toBe(4)
  expect(result).toEqual(asked)
})

test('[M 3.7] a back-test of nothing has no texts', () => {
  const { result: sent } = run(toSent(request(0)))
  expect(sent.things).toEqual([])
  expect(run(fromSent(sent)).result).toEqual(request(0))
})
