// @vitest-environment happy-dom
import { anAlert } from '@pulse/testkit'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, showAlerts } from '../fake-alerts.tsx'

afterEach(cleanup)

test('why an alert: the dialog shows the alert itself, too', async () => {
  const alert = anAlert({ id: 'a', resourceName: 'web', message: 'CPU of web is at 92%' })
  await showAlerts('/alerts/overview', {
    live: aLive({ activeAlerts: { a: alert } }),
    replies: { 'GET /api/alerts/trace': { gates: [], conditions: [] } },
  })
  await click(/^Why/)
  const dialog = within(screen.getByRole('dialog', { name: 'Why this alert?' }))
  expect(dialog.getByText('web')).toBeDefined()
  expect(dialog.getByText('CPU of web is at 92%')).toBeDefined()
})
