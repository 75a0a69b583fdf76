// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within as inside } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { type SeriesCall, showHistory, steady } from './fake-history.tsx'
import { aPoint, now } from './fixtures.ts'
import { charts, choose, click, hour, nextId, pass, press, spans, viewTest } from './view-steps.ts'

viewTest()

const titles = () => screen.getAllByRole('figure').map((one) => one.getAttribute('aria-label'))
const table = () => screen.getByRole('table', { name: 'History of web' })
const lines = () =>
  inside(table())
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent))

test('[M 3.1] one call has all figures of the guest, for the last hour', async () => {
  const id = nextId()
  const { calls } = await showHistory({ id })
  await charts()
  expect(calls).toHaveLength(1)
  const { from, to, asOf, ...asked } = calls[0]!
  expect(asOf).toBe(to)
  expect(asked).toEqual({
    kind: 'guests',
    ids: id,
    fields: 'cpu,memory,disk,networkIn,networkOut,diskRead,diskWrite',
    points: 400,
  })
  expect(to - from).toBe(hour)
  expect(titles(), 'charts without figures are left out').toEqual(['CPU', 'Memory'])
})

test('[M 3.4] on a page of the past the charts end at its moment, and stay there', async () => {
  const moment = now - 5 * hour
  const { calls, alertCalls } = await showHistory({ id: nextId(), moment })
  await charts()
  await choose('6 h')
  await charts()
  await pass(5 * 60_000)
  expect(calls.map(({ from, to }) => [from, to])).toEqual([
    [moment - hour, moment],
    [moment - 6 * hour, moment],
  ])
  expect(alertCalls.map((query) => (query as { endTime: string }).endTime)).toEqual(
    Array.from(alertCalls, () => new Date(moment).toISOString()),
  )
})

test('[M 3.4] at a step of the time machine the former figures stay where they belong until the next are there', async () => {
  const moment = now - 5 * hour
  let release = () => {}
  let asked = 0
  const { moveTo } = await showHistory({
    id: nextId(),
    moment,
    async answer(call) {
      if (++asked > 1) await new Promise<void>((resolve) => (release = resolve))
      return steady(call)
    },
  })
  const [cpu] = await charts()
  expect(Number(cpu!.getAttribute('aria-valuemax'))).toBeGreaterThan(50)
  await moveTo(moment + 5 * 60_000)
  const [placeholder] = await charts()
  expect(screen.getByRole('figure', { name: 'CPU' }).getAttribute('aria-busy')).toBe('true')
  expect(Number(placeholder!.getAttribute('aria-valuemax')), 'stops on the shown axis').toBeGreaterThan(50)
  const shown = spans()
  await act(async () => release())
  await vi.waitFor(
    () => expect(screen.getByRole('figure', { name: 'CPU' }).getAttribute('aria-busy')).toBe('false'),
    { timeout: within(20_000) },
  )
  expect(spans(), 'the axis was that of the moment at once').toEqual(shown)
})

test('[M 3.1] another range shows the former figures until its own are there', async () => {
  let release = () => {}
  const { calls } = await showHistory({
    id: nextId(),
    async answer(call) {
      if (call.to - call.from > 2 * hour) await new Promise<void>((resolve) => (release = resolve))
      return steady(call)
    },
  })
  await charts()
  await choose('7 d')
  expect(calls.at(-1)!.to - calls.at(-1)!.from).toBe(7 * 24 * hour)
  const isBusy = () => screen.getByRole('figure', { name: 'CPU' }).getAttribute('aria-busy')
  expect(isBusy()).toBe('true')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download as CSV' }).disabled).toBe(true)
  await act(async () => release())
  await vi.waitFor(() => expect(isBusy()).toBe('false'), { timeout: within(20_000) })
})

describe('[M 3.1] a zoom', () => {
  test('of one chart is one of all, and the button goes back', async () => {
    const { calls } = await showHistory({ id: nextId() })
    const [cpu] = await charts()
    const whole = spans()
    expect(whole).toHaveLength(1)
    await press(cpu!, '+')
    const zoomed = calls.at(-1)!
    expect(zoomed.to - zoomed.from).toBe(hour / 2)
    expect(zoomed.asOf, 'the same thing').toBeGreaterThan(zoomed.to)
    expect(spans()).toHaveLength(1)
    expect(spans()).not.toEqual(whole)
    const loaded = calls.length
    await pass(30_000)
    expect(calls, 'it does not move').toHaveLength(loaded)
    await click('Back to 1 h')
    expect(calls.at(-1)!.to - calls.at(-1)!.from).toBe(hour)
    expect(screen.queryByRole('button', { name: 'Back to 1 h' })).toBeNull()
  })

  test('with a finger is one of the range that is shown, not of the first one', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await charts()
    await choose('24 h')
    const [cpu] = await charts()
    const over = cpu!.querySelector('.u-over')!
    const points = { clientX: 100, pointerType: 'touch', isPrimary: true }
    for (const [type, clientX] of [
      ['pointerdown', 100],
      ['pointermove', 300],
      ['pointerup', 300],
    ] as const)
      await act(async () => void over.dispatchEvent(Object.assign(new Event(type), { ...points, clientX })))
    expect(screen.getByRole('radio', { name: '24 h' }).getAttribute('aria-checked')).toBe('true')
    const { from, to } = calls.at(-1)!
    expect(to - from).toBeGreaterThan(2 * hour)
    expect(to - from).toBeLessThan(24 * hour)
    await act(async () => void fireEvent.doubleClick(over))
    expect(screen.getByRole('radio', { name: '24 h' }).getAttribute('aria-checked')).toBe('true')
    expect(screen.queryByRole('button', { name: 'Back to 24 h' })).toBeNull()
  })

  test('Escape in a chart goes back', async () => {
    await showHistory({ id: nextId() })
    const [cpu] = await charts()
    const whole = spans()
    await press(cpu!, '+')
    expect(spans()).not.toEqual(whole)
    await press(screen.getAllByRole('slider')[0]!, 'Escape')
    expect(spans()).toEqual(whole)
  })
})

test('[M 3.1] the crosshair of one chart moves in all of them', async () => {
  await showHistory({ id: nextId() })
  const [cpu, memory] = await charts()
  await press(cpu!, 'Home')
  expect(cpu!.getAttribute('aria-valuetext')).toMatch(/, CPU 10\.0%$/)
  expect(memory!.getAttribute('aria-valuetext')).toMatch(/, Memory 10\.0%$/)
  await press(cpu!, 'ArrowRight')
  expect(memory!.getAttribute('aria-valuetext')).toMatch(/, Memory 11\.0%$/)
})

test('keys of the charts and fields do not move between rows', async () => {
  const outer = vi.fn<() => void>()
  document.body.addEventListener('keydown', outer)
  await showHistory({ id: nextId() })
  await charts()
  await press(screen.getByRole('radio', { name: '1 h' }), 'ArrowDown')
  await press(screen.getByRole('button', { name: 'Show as table' }), 'End')
  document.body.removeEventListener('keydown', outer)
  expect(outer).not.toHaveBeenCalled()
})

describe('[M 3.1] a free range', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
  const type = (name: string, value: string) =>
    act(async () => void fireEvent.change(field(name), { target: { value } }))

  test('begins with the times that are shown and is loaded when it is submitted', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await choose('24 h')
    await charts()
    await choose('Custom')
    expect(Date.parse(field('To').value) - Date.parse(field('From').value)).toBe(24 * hour)
    await type('From', '2026-05-01T10:00')
    await type('To', '2026-05-01T12:30')
    await click('Show')
    expect(calls.at(-1)).toMatchObject({
      from: Date.parse('2026-05-01T10:00'),
      to: Date.parse('2026-05-01T12:30'),
    })
  })

  test('one that ends before it begins says so and asks nothing', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await charts()
    await choose('Custom')
    const loaded = calls.length
    await type('From', '2026-05-02T10:00')
    await type('To', '2026-05-01T10:00')
    await click('Show')
    expect(screen.getByText('The start must be before the end.')).toBeDefined()
    expect(calls).toHaveLength(loaded)
  })
})

test('[M 3.1] the table has the same figures, newest first', async () => {
  const answer = ({ from, to, ids }: SeriesCall) => ({
    tier: 'minute' as const,
    from,
    to,
    series: [
      {
        id: ids,
        field: 'cpu',
        unit: 'ratio',
        points: [aPoint(now - 600_000, 0.1), aPoint(now - 120_000, 0.2, { min: 0.1, max: 0.9, count: 6 })],
        gaps: [{ from: now - 500_000, to: now - 200_000, reason: 'off' as const }],
      },
    ],
  })
  await showHistory({ id: nextId(), answer })
  await charts()
  await click('Show as table')
  expect(lines().map(([, ...cells]) => cells)).toEqual([
    ['CPU'],
    ['20.0% (10.0% to 90.0%)'],
    [expect.stringMatching(/^Pulse not running until /)],
    ['10.0%'],
  ])
  expect(screen.queryByRole('slider')).toBeNull()
  await click('Show as table')
  expect(await charts()).toHaveLength(1)
})

test('[M 1.2] each reason of a gap is named', async () => {
  const gaps = (['off', 'silent', 'stopped'] as const).map((reason, n) => ({
    from: now - 3_000_000 + n * 600_000,
    to: now - 2_700_000 + n * 600_000,
    reason,
  }))
  await showHistory({
    id: nextId(),
    answer: (call) => {
      const { series, ...rest } = steady(call)
      return { ...rest, series: series.map((one) => ({ ...one, gaps })) }
    },
  })
  await charts()
  expect(
    inside(screen.getByRole('list', { name: 'Gaps' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Pulse not running', 'Not answering', 'Stopped'])
  expect(screen.getByRole('figure', { name: 'CPU' }).querySelector('figcaption')!.textContent).toMatch(
    /Pulse not running from .* Not answering from .* Stopped from /,
  )
})

test('[M 3.1] what is shown can be downloaded', async () => {
  const files: { name: string; text: Promise<string> }[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    files.push({ name: '', text: (blob as Blob).text() })
    return 'blob:x'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.at(-1)!.name = this.download
  })
  await showHistory({ id: nextId() })
  await charts()
  await click('Download as CSV')
  await click('Download as JSON')
  expect(files.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^pulse-web-2026-06-01T11-\d\d-\d\d-to-2026-06-01T12-\d\d-\d\d\.csv$/),
    expect.stringMatching(/^pulse-web-.*\.json$/),
  ])
  expect((await files[0]!.text).split('\r\n')[0]).toContain('CPU (%) mean')
  expect(JSON.parse(await files[1]!.text)).toMatchObject({ kind: 'guests', name: 'web', tier: 'raw' })
})

test('a range that was chosen is the first one of the next row', async () => {
  await showHistory({ id: nextId() })
  await choose('6 h')
  cleanup()
  const { calls } = await showHistory({ id: nextId() })
  await charts()
  expect(calls[0]!.to - calls[0]!.from).toBe(6 * hour)
})
