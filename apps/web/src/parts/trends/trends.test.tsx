// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { toastQueue } from '../../ui/toast.ts'
import { TrendsFailed } from './trends-failed.tsx'
import type { GridColumn } from '../grid/columns.ts'
import { Grid } from '../grid/grid.tsx'
import { drawn, inFreshPages, pass, scrollTo, showWithTrends, trendsOf } from './fake-trends.tsx'
import type { TrendTable } from './trend-table.ts'
import { TrendsToggle, useTrends } from './trends.tsx'

inFreshPages()
afterEach(cleanup)

const column = (id: string): GridColumn & { phone?: { slot: string } } => ({
  id,
  header: id,
  firstDirection: 'asc',
  track: '1fr',
  ...(id !== 'name' && { phone: { slot: 'figure' } }),
})
const columns = ['name', 'cpu', 'memory'].map(column)
const guests: TrendTable['sources'] = [{ rows: 'guest', kind: 'guests', fields: ['cpu', 'memory', 'disk'] }]
const many = Array.from({ length: 1_000 }, (_, n) => `guest:${n}`)
const rowHeight = 32

interface TableProps extends Partial<TrendTable> {
  rows?: readonly string[]
  onRow?: (key: string) => void
}

function Table({ rows = many, onRow = () => {}, ...more }: TableProps) {
  const table = { sources: guests, columns, phone: false, ...more }
  const underlay = useTrends(table)
  return (
    <Grid
      label="Guests"
      columns={table.columns as typeof columns}
      sort={undefined}
      onSort={() => {}}
      rows={rows}
      kindOf={() => ({ focusable: true })}
      heightOf={(row) => (row.startsWith('details') ? undefined : rowHeight)}
      renderRow={(row) => {
        onRow(row)
        return <div role="gridcell">{row}</div>
      }}
      underlay={underlay}
      onActivate={() => {}}
      minWidth={0}
      phone={table.phone}
    />
  )
}

const everyone = ({ fields }: { fields: string }) =>
  trendsOf(
    many.map((key) => key.slice(6)),
    fields,
  )
const switchOn = () => localStorage.setItem('trends', 'true')
const isVisible = (visible: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visible ? 'visible' : 'hidden')
  return act(async () => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}
const minute = 60_000

test('[M 3.2] while it is off, nothing is loaded and nothing drawn', async () => {
  const { calls } = await showWithTrends(<Table />, everyone)
  await pass(5 * minute)
  expect([calls, document.querySelector('canvas'), drawn.fills]).toEqual([[], null, 0])
})

test('[M 3.2] while it is on, there is one call at once and one per minute', async () => {
  switchOn()
  const { calls } = await showWithTrends(<Table />, everyone)
  expect(calls).toEqual([{ kind: 'guests', fields: 'cpu,memory' }])
  await pass(3 * minute)
  expect(calls).toHaveLength(4)
})

test('[M 3.2] one draw has the lines of all visible rows', async () => {
  switchOn()
  await showWithTrends(<Table />, everyone)
  const rows = document.querySelectorAll('[data-row]').length
  expect(rows).toBeGreaterThan(20)
  expect(drawn).toMatchObject({ fills: 1, lines: 2 * rows })
})

test('[M 3.2] new data, another order and another part of the table are one draw each', async () => {
  switchOn()
  const { rerender } = await showWithTrends(<Table />, everyone)
  await pass(minute)
  expect(drawn.fills, 'new data').toBe(2)
  await rerender(<Table rows={many.toReversed()} />)
  await pass(100)
  expect(drawn.fills, 'another order').toBe(3)
  scrollTo(100 * rowHeight)
  await pass(100)
  expect(drawn.fills, 'another part').toBe(4)
})

test('[M 3.2] a render that moves no row draws nothing', async () => {
  switchOn()
  const { rerender } = await showWithTrends(<Table />, everyone)
  await rerender(<Table onRow={() => {}} />)
  await pass(100)
  expect(drawn.fills).toBe(1)
})

test('[M 3.2] data that arrive render no row', async () => {
  switchOn()
  const onRow = vi.fn<(key: string) => void>()
  await showWithTrends(<Table onRow={onRow} />, everyone)
  onRow.mockClear()
  await pass(minute)
  await pass(minute)
  expect([drawn.fills, onRow.mock.calls]).toEqual([3, []])
})

test('[M 3.2] another theme is another draw, in its colours', async () => {
  switchOn()
  await showWithTrends(<Table />, everyone)
  document.documentElement.style.setProperty('--bar', 'white')
  await act(async () => void document.documentElement.classList.add('dark'))
  await pass(100)
  expect(drawn.colours).toEqual(['grey', 'white'])
})

test('[M 3.2] a hidden page loads nothing; seen again, it loads at once', async () => {
  switchOn()
  await isVisible(false)
  const { calls } = await showWithTrends(<Table />, everyone)
  await pass(2 * minute)
  expect(calls).toEqual([])
  await isVisible(true)
  await pass(100)
  expect(calls).toHaveLength(1)
  await isVisible(false)
  await pass(10 * minute)
  expect(calls).toHaveLength(1)
  await isVisible(true)
  await pass(100)
  expect(calls).toHaveLength(2)
})

test('[M 3.2] a row without history and a row with details leave the others as they are', async () => {
  switchOn()
  const rows = ['guest:0', 'guest:new', 'guest:1', 'details:1', 'guest:2']
  await showWithTrends(<Table rows={rows} />, everyone)
  expect(drawn.lines).toBe(2 * 3)
})

test('[M 3.2] more than four figures are two calls', async () => {
  switchOn()
  const fields = ['cpu', 'memory', 'disk', 'diskRead', 'diskWrite']
  const sources = [{ rows: 'guest', kind: 'guests' as const, fields }]
  const { calls } = await showWithTrends(<Table sources={sources} columns={fields.map(column)} />, everyone)
  expect(calls.map((call) => call.fields)).toEqual(['cpu,memory,disk,diskRead', 'diskWrite'])
  expect(drawn.lines).toBe(5 * document.querySelectorAll('[data-row]').length)
})

test('[M 3.2] on a phone the figures of the second line have trends', async () => {
  switchOn()
  await showWithTrends(<Table phone columns={[...columns, column('uptime')]} />, everyone)
  expect(drawn.lines).toBe(2 * document.querySelectorAll('[data-row]').length)
})

test('a failed call is reported once, and old lines are not drawn as if they were of the last hour', async () => {
  switchOn()
  const shown: string[] = []
  const disconnect = toastQueue.connect(({ text }) => shown.push(text))
  let isBroken = false
  await showWithTrends(<Table />, (asked) => {
    if (isBroken) throw new Error('the metric history is not open')
    return everyone(asked)
  })
  isBroken = true
  for (let n = 0; n < 3; n++) await pass(minute)
  expect(shown).toEqual(['Trends could not be loaded: the metric history is not open'])
  expect(drawn.fills, 'the canvas was only cleared').toBe(1)
  isBroken = false
  await pass(minute)
  expect(drawn.fills).toBe(2)
  disconnect()
})

test('a failure of several tables is reported once, and again after it was over', async () => {
  const shown: string[] = []
  const disconnect = toastQueue.connect(({ text }) => shown.push(text))
  const failures = (count: number) =>
    Array.from({ length: count }, (_, n) => <TrendsFailed key={n} reason="no history" />)
  const { rerender } = render(failures(3))
  rerender(failures(1))
  rerender(failures(2))
  expect(shown).toEqual(['Trends could not be loaded: no history'])
  rerender(failures(0))
  rerender(failures(2))
  expect(shown).toHaveLength(2)
  disconnect()
})

test('after the table is gone nothing is drawn', async () => {
  switchOn()
  const { unmount } = await showWithTrends(<Table />, everyone)
  scrollTo(100 * rowHeight)
  unmount()
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(drawn.fills).toBe(1)
})

test('[M 3.2] the switch is remembered, and screen readers get no more than its state', async () => {
  render(<TrendsToggle />)
  const toggle = screen.getByRole('button', { name: 'Trends' })
  expect(toggle.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(toggle)
  expect([toggle.getAttribute('aria-pressed'), localStorage.getItem('trends')]).toEqual(['true', 'true'])
  cleanup()
  await showWithTrends(<Table />, everyone)
  expect(document.querySelector('canvas')!.closest('[aria-hidden=true]')).not.toBeNull()
})
