// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { type RecordColumn, RecordTable } from './record-table.tsx'

const show = (narrow: boolean) => {
  vi.stubGlobal('matchMedia', () => ({
    matches: narrow,
    addEventListener() {},
    removeEventListener() {},
  }))
  render(
    <RecordTable
      label="Things"
      columns={[{ header: 'Name', cell: (row: string) => row }]}
      rows={['one', 'two']}
      keyOf={(row) => row}
      minWidth={800}
      phoneRow={(row) => `phone ${row}`}
    />,
  )
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('[design 10] from 640 px up: columns of a least width, scrolling inside with fading edges', () => {
  show(false)
  const table = screen.getByRole('table', { name: 'Things' })
  expect(table.style.minWidth).toBe('50rem')
  expect(table.closest('.fade-edges')).not.toBeNull()
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual(['Name', 'one', 'two'])
})

test('[design 10] no layout shift: columns with a width keep it', () => {
  const columns: readonly RecordColumn<string>[] = [
    { header: 'Name', width: 70, cell: (row) => row },
    { header: 'State', width: 30, cell: () => 'offline since an hour' },
  ]
  render(<RecordTable label="Things" columns={columns} rows={['one']} keyOf={(row) => row} minWidth={800} />)
  const table = screen.getByRole('table', { name: 'Things' })
  expect(table.classList).toContain('table-fixed')
  expect([...table.querySelectorAll('col')].map((col) => col.style.width)).toEqual(['70%', '30%'])
})

test('[design 10] below: rows of their own, no columns', () => {
  show(true)
  expect(screen.queryByRole('table')).toBeNull()
  const rows = screen.getByRole('list', { name: 'Things' }).querySelectorAll('li')
  expect([...rows].map((row) => row.textContent)).toEqual(['phone one', 'phone two'])
})

test('[design 10] below: columns in their slots, rendered as their cells by default', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  const columns: readonly RecordColumn<string>[] = [
    { header: 'Used', cell: () => '3 GB', phone: { slot: 'figure', label: 'used' } },
    { header: 'Name', cell: (row) => row, phone: { slot: 'name' } },
    { header: 'Kind', cell: () => 'a kind', phone: { slot: 'badge', draw: () => 'kind' } },
    { header: 'Unsaid', cell: () => 'unsaid' },
    { header: 'Unknown', cell: () => '—', phone: { slot: 'fact', draw: () => undefined } },
    { header: 'Node', cell: () => 'pve1', phone: { slot: 'fact' } },
    { header: 'Actions', cell: () => <button type="button">Remove</button>, phone: { slot: 'action' } },
  ]
  render(<RecordTable label="Things" columns={columns} rows={['one']} keyOf={(row) => row} minWidth={800} />)
  expect(screen.getByRole('listitem').textContent).toBe('onekindused 3 GB · pve1Remove')
  expect(screen.getByRole('button', { name: 'Remove' })).toBeDefined()
})
