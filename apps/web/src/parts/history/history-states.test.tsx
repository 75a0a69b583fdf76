// @vitest-environment happy-dom
import { screen, within as inside } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { type SeriesCall, showHistory, steady } from './fake-history.tsx'
import { now } from './fixtures.ts'
import { charts, choose, click, nextId, pass, viewTest } from './view-steps.ts'

viewTest()

describe('states', () => {
  const nothing = ({ from, to }: SeriesCall) => ({ tier: 'raw' as const, from, to, series: [] })

  test('no history yet', async () => {
    await showHistory({ id: nextId(), answer: nothing })
    expect(await screen.findByText('No history yet. The first figures appear within a minute.')).toBeDefined()
    await choose('Custom')
    expect(await screen.findByText('No history of this time.')).toBeDefined()
  })

  test('[M 1.4] the figures of a former guest with its number are not taken for those of the guest', async () => {
    const id = nextId()
    const text = 'This is the history of the guest that had this VMID before web.'
    await showHistory({
      id,
      answer(call) {
        const answer = steady(call)
        // the last hour is of the guest itself
        if (call.asOf >= now - 60_000 && call.to - call.from <= 3_600_000) return answer
        return { ...answer, series: answer.series.map((one) => ({ ...one, isFormer: true as const })) }
      },
    })
    await charts()
    expect(screen.queryByText(text)).toBeNull()
    await choose('6 h')
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('loading', async () => {
    await showHistory({ id: nextId(), answer: () => new Promise(() => {}) })
    expect(await screen.findByRole('status', { name: 'Loading history' })).toBeDefined()
  })

  test('an error names its reason, and Retry asks again', async () => {
    let fails = true
    await showHistory({
      id: nextId(),
      answer(call) {
        if (fails) throw new Error('the metric history is not open')
        return steady(call)
      },
    })
    const notice = await screen.findByRole('alert')
    expect(notice.textContent).toContain('History could not be loadedthe metric history is not open')
    fails = false
    await click('Retry')
    expect(await charts()).toHaveLength(2)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a refresh that fails keeps the figures and says so, until one succeeds', async () => {
    let fails = false
    await showHistory({
      id: nextId(),
      answer(call) {
        if (fails) throw new Error('no answer')
        return steady(call)
      },
    })
    await charts()
    fails = true
    await pass(10_000)
    expect(await screen.findByText('History could not be refreshed')).toBeDefined()
    expect(screen.getAllByRole('slider')).toHaveLength(2)
    fails = false
    await pass(10_000)
    expect(screen.queryByText('History could not be refreshed')).toBeNull()
  })
})

describe('[M 3.1] alerts', () => {
  const alert = (type: string, at: number, message: string) =>
    ({ id: type, type, message, startTime: new Date(at).toISOString(), peakLevel: 'critical' }) as never
  const summary = (name: string) =>
    screen.getByRole('figure', { name }).querySelector('figcaption')!.textContent

  test('are marks in the chart of their figure, or in all charts, and lines below', async () => {
    const { alertCalls } = await showHistory({
      id: nextId(),
      alerts: () => [
        alert('powered-off', now - 60_000, 'web is powered off'),
        alert('cpu', now - 600_000, 'CPU of web is at 93%'),
      ],
    })
    await charts()
    expect(alertCalls[0]).toMatchObject({ resourceId: 'main-pve1-100', limit: '101' })
    const listed = inside(await screen.findByRole('list', { name: 'Alerts' })).getAllByRole('listitem')
    expect(listed.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/web is powered off$/),
      expect.stringMatching(/CPU of web is at 93%$/),
    ])
    expect(summary('CPU')).toContain('CPU of web is at 93%')
    expect(summary('CPU')).toContain('web is powered off')
    expect(summary('Memory')).not.toContain('CPU of web')
    expect(summary('Memory')).toContain('web is powered off')
  })

  test.each([
    [7, 'and 2 more'],
    [100, 'and 95 more'],
    [101, 'and 95 more. Older alerts are not shown.'],
  ])('of %i the last line says what is not listed', async (count, line) => {
    const all = Array.from({ length: count }, (_, n) => alert(`cpu ${n}`, now - (n + 1) * 1_000, `no. ${n}`))
    await showHistory({ id: nextId(), alerts: () => all })
    await charts()
    const listed = inside(await screen.findByRole('list', { name: 'Alerts' })).getAllByRole('listitem')
    expect(listed).toHaveLength(6)
    expect(listed.at(-1)!.textContent).toBe(line)
  })

  test('that cannot be loaded leave the charts', async () => {
    await showHistory({
      id: nextId(),
      alerts() {
        throw new Error('no answer')
      },
    })
    await charts()
    expect(await screen.findByText('Alerts could not be loaded: no answer')).toBeDefined()
  })

  test('the threshold of the settings is named', async () => {
    await showHistory({ id: nextId() })
    await charts()
    await vi.waitFor(() => expect(summary('CPU')).toContain('Alert at 80%.'), { timeout: within(20_000) })
  })
})
