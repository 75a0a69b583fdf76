import type { LiveEvent } from '@pulse/contract'
import { expect, test } from 'vitest'
import type { Principal } from './auth/principal.ts'
import { createEventBus } from './events.ts'

const event: LiveEvent = { type: 'nodes_changed', data: {} }

test('every subscriber gets an event with the recipients that its publisher selects', () => {
  const bus = createEventBus()
  const got: unknown[] = []
  bus.onEvent((...facts) => got.push(facts))
  bus.onEvent((...facts) => got.push(facts))
  const isMeant = ({ role }: Principal) => role === 'admin'
  bus.publish(event, isMeant)
  expect(got).toEqual([
    [event, isMeant],
    [event, isMeant],
  ])
})

test('a publisher needs no subscriber, and one that unsubscribes gets no more', () => {
  const bus = createEventBus()
  let refreshed = 0
  bus.publish(event)
  const unsubscribe = bus.onRefresh(() => refreshed++)
  bus.refresh()
  unsubscribe()
  bus.refresh()
  expect(refreshed).toBe(1)
})
