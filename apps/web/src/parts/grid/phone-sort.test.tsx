// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { PhoneSort } from './phone-sort.tsx'

afterEach(cleanup)

test('what chooses the order says so in sight, and that is its name', () => {
  const columns = [{ id: 'name', header: 'Name', firstDirection: 'asc' }] as const
  render(
    <PhoneSort
      label="Sort by"
      columns={columns}
      sort={{ key: 'name', direction: 'asc' }}
      onChange={() => {}}
    />,
  )
  expect(screen.getByText('Sort by').tagName).toBe('LABEL')
  expect(screen.getByRole('combobox', { name: 'Sort by' })).toBeDefined()
})
