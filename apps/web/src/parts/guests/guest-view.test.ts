import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { viewGuest } from './guest-view.ts'

describe('a guest as its row shows it', () => {
  test('[spec 1 §4] running: with figures, not dimmed', () => {
    expect(viewGuest(aGuest({ cpu: 0.421, diskRead: 10 }), 'online')).toMatchObject({
      running: true,
      dimmed: false,
      cpuPercent: 42.1,
      memoryPercent: 50,
      diskPercent: 50,
      rates: { diskRead: 10 },
      state: { label: 'Running', tone: 'green', ring: false },
    })
  })

  test.each([
    { what: 'stopped', guest: aGuest({ status: 'stopped' }), offline: false, label: 'Stopped' },
    { what: 'unknown', guest: aGuest({ status: 'unknown' }), offline: false, label: 'Unknown' },
    {
      what: 'paused on an offline node',
      guest: aGuest({ status: 'paused' }),
      offline: true,
      label: 'Node offline',
    },
    { what: 'on an offline node', guest: aGuest(), offline: true, label: 'Node offline' },
  ])('[spec 1 §4] $what: dimmed, figures hidden', ({ guest, offline, label }) => {
    const view = viewGuest(guest, offline ? 'unknown' : 'online')
    expect(view).toMatchObject({
      running: false,
      dimmed: true,
      startedAt: undefined,
      state: { label, ring: true },
    })
    expect([view.cpuPercent, view.memoryPercent, view.diskPercent, ...Object.values(view.rates)]).toEqual(
      Array(7).fill(undefined),
    )
  })

  test('[R7] of a silent source: the last figures, dimmed; the line of its node says since when', () => {
    const view = viewGuest(aGuest({ staleSince: 1 }), 'unreachable')
    expect(view).toMatchObject({
      running: false,
      stale: true,
      staleSince: undefined,
      dimmed: true,
      cpuPercent: 25,
    })
    expect(view.state.label).toBe('Not answering, last known running')
  })

  test('[spec 1 §4] on a node that is off: no figures, and no age beside that of the node', () => {
    const view = viewGuest(aGuest({ staleSince: 1 }), 'offline')
    expect(view).toMatchObject({ running: false, stale: false, staleSince: undefined, cpuPercent: undefined })
    expect(view.state.label).toBe('Node offline')
  })

  test.each([
    ['paused', 'Paused'],
    ['io-error', 'I/O error'],
    ['guest-panicked', 'Guest panicked'],
  ])('%s: counted as stopped and dimmed, with what it holds and without load', (status, label) => {
    const view = viewGuest(aGuest({ status }), 'online')
    expect(view).toMatchObject({ running: false, dimmed: true, memoryPercent: 0, diskPercent: 50 })
    expect([view.cpuPercent, view.startedAt, ...Object.values(view.rates)]).toEqual(Array(6).fill(undefined))
    expect(view.state).toEqual({ label, tone: 'neutral', ring: true })
  })

  test('stale: the last figures, dimmed, and never called healthy', () => {
    const view = viewGuest(aGuest({ staleSince: 1 }), 'online')
    expect(view).toMatchObject({ running: true, stale: true, staleSince: 1, dimmed: true, cpuPercent: 25 })
    expect(view.state).toEqual({ label: 'Not answering, last known running', tone: 'orange', ring: true })
  })

  test.each(['running', 'stopped', 'unknown'])(
    '%s at a site without word: it is not said not to answer',
    (status) => {
      const guest = aGuest({ status, staleSince: 1, connectionHealth: 'unknown' })
      const label = `No word from its site, last known ${status}`
      expect(viewGuest(guest, 'unheard', 'No word from its site').state).toEqual({
        label,
        tone: 'orange',
        ring: true,
      })
    },
  )
})
