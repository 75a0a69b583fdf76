// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { footer, inFreshBrowsers, showShell } from './fake-shell.tsx'
import { lastAnswerDelayMs } from './use-last-answer.ts'

inFreshBrowsers()

describe('[spec 1 §2] footer', () => {
  test.each([
    { version: {}, text: 'Pulse v5.1.0' },
    { version: { isDevelopment: true }, text: 'Pulse v5.1.0 (Development)' },
    { version: { isDocker: true }, text: 'Pulse v5.1.0 - Docker' },
    { version: { isDevelopment: true, isDocker: true }, text: 'Pulse v5.1.0 (Development) - Docker' },
  ])('$text', async ({ version, text }) => {
    await showShell({ version })
    expect(footer()).toBe(text)
  })

  const answered = new Date(2026, 0, 1, 15, 4, 5).getTime()
  const source = (name: string, lastSeen?: number) => ({
    name,
    kind: 'pve' as const,
    health: 'healthy' as const,
    ...(lastSeen !== undefined && { lastSeen }),
  })

  test('the last refresh is the newest answer of any source, as 12-hour time with seconds', async () => {
    const sources = { a: source('a', answered - 60_000), b: source('b', answered), c: source('c') }
    await showShell({ guests: { sources } })
    expect(footer()).toMatch(/Last refresh: 3:04:05\sPM$/)
  })

  const at = (seconds: number) => ({ a: source('a', answered + seconds * 1000) })

  test('a source that answers between two polls is drawn with the next data, without its own frame', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { put } = await showShell({ guests: { sources: at(0) } })
    for (let second = 1; second < 10; second++) {
      act(() => put({ sources: at(second) }))
      await act(() => vi.advanceTimersByTimeAsync(1_000))
    }
    expect(footer()).toMatch(/3:04:05\sPM$/)
    act(() => put({ guests: { 'c:100': aGuest() } }))
    expect(footer()).toMatch(/3:04:14\sPM$/)
    vi.useRealTimers()
  })

  test.each(['nodes', 'pbs', 'pmg'] as const)('records of %s update it too', async (kind) => {
    const { put } = await showShell({ guests: { sources: at(0) } })
    act(() => put({ sources: at(10), [kind]: { x: {} as never } }))
    expect(footer()).toMatch(/3:04:15\sPM$/)
  })

  test('is drawn with its data, which arrive shortly after; alone without data', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { put } = await showShell({ guests: { sources: at(0) } })
    act(() => put({ sources: at(10) }))
    expect(footer()).toMatch(/3:04:05\sPM$/)
    act(() => put({ guests: { 'c:100': aGuest() } }))
    expect(footer()).toMatch(/3:04:15\sPM$/)
    act(() => put({ sources: at(20) }))
    expect(footer()).toMatch(/3:04:15\sPM$/)
    await act(() => vi.advanceTimersByTimeAsync(lastAnswerDelayMs))
    expect(footer()).toMatch(/3:04:25\sPM$/)
    vi.useRealTimers()
  })

  test('single changes soon after a poll do not update the time before the next poll', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { put } = await showShell({ guests: { sources: at(0) } })
    const brought = (seconds: number) =>
      act(() => put({ sources: at(seconds), guests: { 'c:100': aGuest({ cpu: seconds / 100 }) } }))
    brought(10)
    expect(footer()).toMatch(/3:04:15\sPM$/)
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    brought(13)
    expect(footer()).toMatch(/3:04:15\sPM$/)
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    brought(19)
    expect(footer()).toMatch(/3:04:24\sPM$/)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    brought(20)
    await act(() => vi.advanceTimersByTimeAsync(lastAnswerDelayMs))
    expect(footer()).toMatch(/3:04:25\sPM$/)
    vi.useRealTimers()
  })

  test('[R21] frames about the server itself are no refresh', async () => {
    const later = answered + 3_600_000
    const dead = { a: { ...source('a', answered), health: 'error' as const } }
    await showShell({
      guests: { sources: dead },
      connection: { lastUpdate: later, dataChangedAt: later },
    })
    expect(footer()).toMatch(/Last refresh: 3:04:05\sPM$/)
    cleanup()
    await showShell({ connection: { lastUpdate: later, dataChangedAt: later } })
    expect(footer()).toBe('Pulse v5.1.0')
  })

  test('[spec 1 §8] a version that cannot be loaded is only logged', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await showShell({ version: new Error('no') })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(footer()).toBe('Pulse')
  })
})
