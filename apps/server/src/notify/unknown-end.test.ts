import { afterEach, expect, test } from 'vitest'
import { aPipeline, freely, type TestPipeline } from './fixtures.ts'

let now: TestPipeline
afterEach(() => now.end())

test('an end that is missing in a cleared history is not called resolved', async () => {
  now = await aPipeline(freely({ grouping: { enabled: true, window: 60, byNode: false, byGuest: false } }))
  const sink = now.channel('sink')
  const first = now.raise('first')
  await now.pass(61_000)
  now.resolve(first)
  now.clearHistory()
  await now.restart()
  await now.pass(61_000)
  expect(sink.received.map(({ notice }) => [notice.kind, notice.alerts[0]!.alert.endReason])).toEqual([
    ['raised', undefined],
    ['resolved', 'unwatched'],
  ])
  expect(sink.received[1]!.notice.alerts[0]!.alert.endNote).toBe(
    'It resolved before Pulse restarted; its history has no reason.',
  )
})
