// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'
import { AppLoadError, ErrorPage, Section } from './error-screens.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Bomb({ armed }: { armed: { current: boolean } }) {
  if (armed.current) throw new Error('kaboom')
  return <p>fine</p>
}

test('[spec 1 §2] a failed page shows the error and can be retried', () => {
  const armed = { current: true }
  render(
    <ErrorBoundary renderFailure={(failure) => <ErrorPage {...failure} />}>
      <Bomb armed={armed} />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeDefined()
  expect(screen.getByText('An unexpected error occurred')).toBeDefined()
  expect(screen.getByText('kaboom')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload Page' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(screen.getByRole('alert')).toBeDefined()
  armed.current = false
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(screen.getByText('fine')).toBeDefined()
})

test('[spec 1 §2] details are shown and hidden', () => {
  render(<ErrorPage error={new Error('kaboom')} retry={() => {}} />)
  const details = () => document.querySelector('pre')!
  expect(details().hidden).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Show details' }))
  expect(details().hidden).toBe(false)
  expect(details().textContent).toContain('kaboom')
  fireEvent.click(screen.getByRole('button', { name: 'Hide details' }))
  expect(details().hidden).toBe(true)
})

test('[spec 1 §2] a section that fails leaves the rest alone', () => {
  const armed = { current: true }
  render(
    <>
      <Section name="Node summary">
        <Bomb armed={armed} />
      </Section>
      <p>the rest</p>
    </>,
  )
  expect(screen.getByText('Error in Node summary')).toBeDefined()
  expect(screen.getByText('the rest')).toBeDefined()
  armed.current = false
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(screen.getByText('fine')).toBeDefined()
})

test('a new reset key clears the failure', () => {
  const armed = { current: true }
  const tree = (path: string) => (
    <ErrorBoundary resetKey={path} renderFailure={() => <p>failed</p>}>
      <Bomb armed={armed} />
    </ErrorBoundary>
  )
  const { rerender } = render(tree('/a'))
  expect(screen.getByText('failed')).toBeDefined()
  armed.current = false
  rerender(tree('/b'))
  expect(screen.getByText('fine')).toBeDefined()
})

test('[spec 1 §2] Error Loading App shows the error text', () => {
  render(<AppLoadError error={new Error('no frame')} />)
  expect(screen.getByRole('heading', { name: 'Error Loading App' })).toBeDefined()
  expect(screen.getByText('no frame')).toBeDefined()
})
