// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { showHistory, steady } from './fake-history.tsx'
import { aPoint } from './fixtures.ts'
import { captions, charts, choose, hour, nextId, pass, press, spans, viewTest } from './view-steps.ts'

viewTest()

describe('[M 3.1] the charts follow the present', () => {
  test('they are loaded once per ten seconds, and the old ones stay meanwhile', async () => {
    let release = () => {}
    let asked = 0
    const { calls } = await showHistory({
      id: nextId(),
      async answer(call) {
        if (++asked > 1) await new Promise<void>((resolve) => (release = resolve))
        return steady(call)
      },
    })
    const before = await charts()
    await pass(10_000)
    expect(calls).toHaveLength(2)
    expect(screen.getAllByRole('slider')).toEqual(before)
    expect(screen.queryByRole('status', { name: 'Loading history' })).toBeNull()
    await act(async () => release())
    expect(screen.getAllByRole('slider'), 'the same elements').toEqual(before)
    await pass(10_000)
    expect(calls).toHaveLength(3)
    expect(calls[2]!.to).toBeGreaterThanOrEqual(calls[0]!.to + 20_000)
  })

  test('nothing moves while the crosshair is on a chart, and afterwards the newest figures are there', async () => {
    const { calls } = await showHistory({ id: nextId() })
    const [cpu] = await charts()
    const before = spans()
    await press(cpu!, 'End')
    await pass(20_000)
    expect(calls, 'they are loaded').toHaveLength(3)
    expect(spans()).toEqual(before)
    await act(async () => void fireEvent.blur(cpu!))
    expect(spans()).not.toEqual(before)
  })

  test('a zoom at the crosshair shows its own figures', async () => {
    await showHistory({
      id: nextId(),
      answer: (call) => ({
        ...steady(call),
        ...(call.to - call.from < hour && {
          series: [
            { id: call.ids, field: 'cpu', unit: 'ratio', points: [aPoint(call.from + 1, 0.77)], gaps: [] },
          ],
        }),
      }),
    })
    const [cpu] = await charts()
    await press(cpu!, 'End')
    await press(cpu!, '+')
    await vi.waitFor(() => expect(captions()[0]).toContain('CPU: last 77.0%'), { timeout: within(20_000) })
  })

  test('a day is loaded again only when it has another point', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await charts()
    await choose('24 h')
    const loaded = calls.length
    await pass(200_000)
    expect(calls).toHaveLength(loaded)
    await pass(20_000)
    expect(calls).toHaveLength(loaded + 1)
  })

  test('a closed row asks nothing, and asks again when it is opened', async () => {
    const { calls, close, open } = await showHistory({ id: nextId() })
    await charts()
    const loaded = calls.length
    await close()
    await pass(60_000)
    expect(calls).toHaveLength(loaded)
    await open()
    await charts()
    expect(calls).toHaveLength(loaded + 1)
  })
})
