// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act } from '@testing-library/react'
import { setImmediate } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, test } from 'vitest'
import { inFreshBrowsers, showOverview } from './fake-overview.tsx'
import { expandedGuests } from './guest-name.tsx'

const updates = 400
const guests = 8

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

inFreshBrowsers()

/** All figures change. Every eighth update replaces a guest. */
const guestsOf = (update: number) =>
  Object.fromEntries(
    Array.from({ length: guests }, (_, index) => {
      const vmid = index === 0 ? 1_000 + Math.floor(update / 8) : 100 + index
      return [`g${vmid}`, aGuest({ vmid, cpu: (update % 90) / 100, networkIn: update * 1_000 })]
    }),
  )

test('400 updates leave nothing behind: what is held and drawn is of now', async () => {
  const live = await showOverview({ nodes: { n1: aNode() }, guests: guestsOf(0) })
  act(() => expandedGuests.toggle('g101'))
  const elements = () => document.querySelectorAll('*').length
  const seen: WeakRef<object>[] = []
  let drawn: number | undefined
  for (let update = 1; update <= updates; update++) {
    const next = guestsOf(update)
    seen.push(...Object.values(next).map((guest) => new WeakRef(guest)))
    const gone = Object.keys(guestsOf(update - 1)).filter((id) => !Object.hasOwn(next, id))
    act(() => {
      live.put({ guests: next })
      live.remove('guests', ...gone)
    })
    if (update === 20) drawn = elements()
  }
  expect(live.store.records('guests').size).toBe(guests)
  expect(elements()).toBe(drawn)
  await setImmediate()
  collectGarbage()
  const held = seen.filter((record) => record.deref() !== undefined).length
  // React keeps its previous tree beside the current one
  expect(held, `records of ${updates} updates`).toBeLessThanOrEqual(4 * guests)
})
