// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { anAlertConfig, click, saveCall, showAlerts } from '../fake-alerts.tsx'

afterEach(cleanup)

const off = anAlertConfig({ enabled: false })

test('where nothing is evaluated it says so in place of a green tick, and switches it on', async () => {
  const { asked, settled } = await showAlerts('/alerts/overview', { config: off })
  expect(screen.getByText('Alert evaluation is off')).toBeDefined()
  expect(screen.queryByText('No active alerts')).toBeNull()
  await click('Turn on evaluation')
  await settled()
  expect(asked(saveCall).map(({ body }) => body)).toEqual([{ enabled: true }])
  expect(screen.getByText('No active alerts')).toBeDefined()
})

test('who is no administrator reads it, and cannot change it', async () => {
  await showAlerts('/alerts/overview', { config: off, role: 'viewer' })
  expect(screen.getByText('Alert evaluation is off')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Turn on evaluation' })).toBeNull()
})
