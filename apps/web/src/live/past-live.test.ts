import type { PastState, Slice } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aPastState } from './fake-past.ts'
import { createPastLive } from './past-live.ts'

interface Request {
  at: number
  slice: Slice
  signal: AbortSignal
  answer: (state: PastState) => Promise<void>
  fail: (error: Error) => Promise<void>
}

/** The test answers the requests. */
function setup() {
  const requests: Request[] = []
  const past = createPastLive(
    (at, slice, signal) =>
      new Promise((resolve, reject) => {
        const settle = async (run: () => void) => {
          run()
          await new Promise((done) => setImmediate(done))
        }
        requests.push({
          at,
          slice,
          signal,
          answer: (state) => settle(() => resolve(state)),
          fail: (error) => settle(() => reject(error)),
        })
      }),
  )
  const names = () => [...past.live.store.records('guests').values()].map(({ name }) => name)
  return { past, requests, names }
}

const guests = (name: string) => ({ guests: { g1: aGuest({ name }) } })

test('[M 3.4] the store keeps the former moment until the next one has arrived', async () => {
  const { past, requests, names } = setup()
  past.goTo(60_000)
  expect([past.view(), past.live.connection.get().initialDataReceived]).toEqual([
    { shown: undefined, isLoading: true, error: undefined },
    false,
  ])
  await requests[0]!.answer(aPastState(60_000, guests('before')))
  expect([names(), past.view().shown]).toEqual([['before'], { at: 60_000, wasOff: false }])
  past.goTo(120_000)
  expect([names(), past.view().isLoading]).toEqual([['before'], true])
  await requests[1]!.answer(aPastState(120_000, {}, { gap: 'off' }))
  expect([names(), past.view()]).toEqual([
    [],
    { shown: { at: 120_000, wasOff: true }, isLoading: false, error: undefined },
  ])
})

test('[M 3.4] an older request is aborted, and its answer is ignored', async () => {
  const { past, requests, names } = setup()
  past.goTo(60_000)
  past.goTo(120_000)
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  await requests[1]!.answer(aPastState(120_000, guests('wanted')))
  await requests[0]!.answer(aPastState(60_000, guests('late')))
  expect([names(), past.view().shown?.at]).toEqual([['wanted'], 120_000])
  past.goTo(120_000)
  expect(requests.length, 'the moment is there already').toBe(2)
})

test('[M 3.4] a failure keeps the former moment and says why; a retry asks for the same one', async () => {
  const { past, requests, names } = setup()
  past.goTo(60_000)
  await requests[0]!.answer(aPastState(60_000, guests('before')))
  past.goTo(120_000)
  await requests[1]!.fail(new Error('Pulse does not answer'))
  expect([names(), past.view().error?.message, past.view().isLoading]).toEqual([
    ['before'],
    'Pulse does not answer',
    false,
  ])
  past.retry()
  expect([requests[2]!.at, past.view().error]).toEqual([120_000, undefined])
})

test('[M 3.4] a page that subscribes to backups gets those of the same moment; without it they are dropped', async () => {
  const { past, requests } = setup()
  const { live } = past
  past.goTo(60_000)
  await requests[0]!.answer(aPastState(60_000, guests('a')))
  const stop = live.subscribeSlice('backups')
  expect(requests.slice(1).map(({ at, slice }) => [at, slice])).toEqual([
    [60_000, 'live'],
    [60_000, 'backups'],
  ])
  expect(live.connection.get().loadedSlices).toEqual([])
  await requests[1]!.answer(aPastState(60_000, guests('a')))
  await requests[2]!.answer(
    aPastState(60_000, { pveBackups: { b1: { id: 'b1' } as never } }, { slice: 'backups' }),
  )
  expect([live.connection.get().loadedSlices, live.store.ids('pveBackups')]).toEqual([['backups'], ['b1']])
  stop()
  expect([live.connection.get().loadedSlices, live.store.ids('pveBackups')]).toEqual([[], []])
  past.goTo(120_000)
  expect(requests.slice(3).map(({ slice }) => slice)).toEqual(['live'])
})

test('[M 3.4] an answer that cannot be read is a failure, and another moment can be loaded', async () => {
  const { past, requests, names } = setup()
  past.goTo(60_000)
  const broken = aPastState(60_000, guests('broken'))
  await requests[0]!.answer({ ...broken, frame: { ...broken.frame, state: { guests: null } } as never })
  expect([past.view().isLoading, past.view().error]).toEqual([false, expect.any(Error)])
  past.goTo(120_000)
  await requests[1]!.answer(aPastState(120_000, guests('next')))
  expect([names(), past.view().error]).toEqual([['next'], undefined])
})
