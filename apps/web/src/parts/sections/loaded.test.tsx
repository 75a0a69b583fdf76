// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/request.ts'
import { Loaded } from './loaded.tsx'

afterEach(cleanup)

const refetch = vi.fn<() => Promise<never>>()
function show(query: { data?: readonly string[]; error?: Error }) {
  const { data, error = null } = query
  render(
    <Loaded
      query={{ data, error, refetch }}
      what="things"
      refusal="Sign in to see things."
      isEmpty={(things) => things.length === 0}
      empty={<p>No things yet</p>}
    >
      {(things) => <p>{things.join()}</p>}
    </Loaded>,
  )
}

test('shows a loading state until the answer', () => {
  show({})
  expect(screen.getByRole('status', { name: 'Loading things' })).toBeDefined()
})

test('shows the answer, or the empty state', () => {
  show({ data: ['a', 'b'] })
  expect(screen.getByText('a,b')).toBeDefined()
  cleanup()
  show({ data: [] })
  expect(screen.getByText('No things yet')).toBeDefined()
})

test('shows the error and retries', () => {
  show({ error: new Error('connection refused') })
  expect(screen.getByRole('alert').textContent).toContain('Failed to load thingsconnection refused')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(refetch).toHaveBeenCalledTimes(1)
})

test('without permission it says so instead of reporting a failure', () => {
  show({ error: new ApiError('Forbidden', 403) })
  expect(screen.getByRole('alert').textContent).toContain('Sign in to see things.')
})

test('loaded data stay when a reload fails', () => {
  show({ data: ['a'], error: new Error('connection refused') })
  expect(screen.getByText('a')).toBeDefined()
  expect(screen.getByRole('alert')).toBeDefined()
})
