import { expect, test } from 'vitest'
import { anAlert, secondMs, settings, T0 } from './fixtures.ts'
import { ReadyQueue } from './ready-queue.ts'

const at = (monotonic: number) => ({ now: T0 + monotonic, monotonic })
const queued = (queue: ReadyQueue, id: string) =>
  queue.put({ id, source: 'main', alert: anAlert({ id }), beganAt: 0 }, { kind: 'raised', escalatedAfter: 0 })
const namedAt = (queue: ReadyQueue, monotonic: number) =>
  queue
    .take(
      { config: settings(), moment: at(monotonic) },
      { firing: 500, resolved: 500 },
      {
        asOne: false,
        awaited: new Set<string>(),
      },
    )
    .flatMap(({ named }) => named.map(({ episode }) => episode.id))

test('an alert without a line waits for a minute once: alerts left out later do not delay it again', () => {
  const queue = new ReadyQueue()
  queued(queue, 'first')
  queue.leave('first', at(0))
  expect(namedAt(queue, 30 * secondMs)).toEqual([])
  queued(queue, 'later')
  queue.leave('later', at(61 * secondMs))
  expect(namedAt(queue, 62 * secondMs)).toEqual(['first'])
  expect(namedAt(queue, 122 * secondMs)).toEqual(['later'])
})
