import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { viewGuest } from './guest-view.ts'

describe('a guest as its row shows it', () => {
  test('[spec 1 §4] running: with figures, not dimmed', () => {
    expect(viewGuest(aGuest({ cpu: 0.421, diskRead: 10 }), false)).toMatchObject({
      running: true,
      faint: false,
      cpuPercent: 42.1,
      memoryPercent: 50,
      diskPercent: 50,
      rates: { diskRead: 10 },
      state: { label: 'Running', tone: 'green', ring: false },
    })
  })

  test.each([
    { what: 'stopped', guest: aGuest({ status: 'stopped' }), offline: false, label: 'Stopped' },
    { what: 'paused', guest: aGuest({ status: 'paused' }), offline: false, label: 'Paused' },
    { what: 'on an offline node', guest: aGuest(), offline: true, label: 'Node offline' },
  ])('[spec 1 §4] $what: dimmed, figures hidden', ({ guest, offline, label }) => {
    const view = viewGuest(guest, offline)
    expect(view).toMatchObject({
      running: false,
      faint: true,
      startedAt: undefined,
      state: { label, ring: true },
    })
    expect([view.cpuPercent, view.memoryPercent, view.diskPercent, ...Object.values(view.rates)]).toEqual(
      Array(7).fill(undefined),
    )
  })

  test('stale: the last figures, dimmed, and never called healthy', () => {
    const view = viewGuest(aGuest({ staleSince: 1 }), false)
    expect(view).toMatchObject({ running: true, stale: true, faint: true, cpuPercent: 25 })
    expect(view.state).toEqual({ label: 'Not answering, last known running', tone: 'orange', ring: true })
  })
})
