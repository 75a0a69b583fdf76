// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RecordTable } from './record-table.tsx'

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
  expect(table.style.minWidth).toBe('800px')
  expect(table.closest('.fade-edges')).not.toBeNull()
  expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual(['Name', 'one', 'two'])
})

test('[design 10] below: rows of their own, no columns', () => {
  show(true)
  expect(screen.queryByRole('table')).toBeNull()
  const rows = screen.getByRole('list', { name: 'Things' }).querySelectorAll('li')
  expect([...rows].map((row) => row.textContent)).toEqual(['phone one', 'phone two'])
})
