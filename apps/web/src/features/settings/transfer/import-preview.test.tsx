// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ImportPreview } from './import-preview.tsx'

afterEach(cleanup)

test('[S17] a name that turns the letters behind it around does not hide where alerts would go', () => {
  const goesTo = 'https://evil.test/moc.elpmaxe.skooh//:sptth'
  render(
    <ImportPreview
      preview={{
        status: 'success',
        summary: '1 webhook',
        nodes: [],
        accounts: [],
        tokens: [],
        providers: [],
        destinations: [{ kind: 'webhook', name: 'Chat\u202e', goesTo }],
        allowedHosts: [],
        switchesAlertsOff: false,
        notes: [],
      }}
    />,
  )
  const group = screen.getByRole('group', { name: 'New destinations of alerts' })
  expect(group.textContent).toContain(`Chat\ufffd: ${goesTo}`)
})
