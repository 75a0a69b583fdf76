// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { renderInApp } from '../fake-app.tsx'
import { NotConfigured } from './nothing.tsx'

afterEach(cleanup)

const nothing = (
  <NotConfigured icon={null} title="No nodes configured" to="/settings/pve">
    Add a node.
  </NotConfigured>
)

test('without anything configured, the page leads to the settings', async () => {
  await renderInApp(nothing)
  expect(screen.getByRole('heading', { name: 'No nodes configured' })).toBeDefined()
  expect(screen.getByText('Add a node.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings/pve')
})

test('[M 3.4] of the past it says only that there was nothing: nothing can be changed there', async () => {
  const { moveTo } = await renderInApp(nothing, { moment: Date.now() - 3_600_000 })
  expect(screen.getByRole('heading', { name: 'Nothing at this time' })).toBeDefined()
  expect(screen.getByText('There was nothing on this page, or Pulse had no history of it yet.')).toBeDefined()
  expect(screen.queryByText('Add a node.')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
  await moveTo(Date.now() - 7_200_000)
  expect(screen.queryByRole('link')).toBeNull()
})
